// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/36_RMSNorm_.py
// Over the channels of each pixel: a tile of pixels a block.
!X = !tile.tensor<[B, C, L] x f32, shared>
!PX = !tile.partition<[_, _, 1024], [B, C, L] x f32, shared>
!Y = !tile.tensor<[B, C, L] x f32, out>
!PY = !tile.partition<[_, _, 1024], [B, C, L] x f32, out>
!SY = !tile.piece<[_, _, 1024] x f32, out>
tile.kernel @krmsnorm(%x: !X, %y: !Y, %count: f32, %eps: f32) grid [B, ceildiv(L, 1024)] {
  %px = tile.partition %x by [_, _, 1024] : !X
  %py = tile.partition %y by [_, _, 1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %k = tile.block_id 1
  %ch = tile.num_tiles %px, 1 : !PX
  %qv_2 = scf.for %c = %c0 to %ch step %c1 iter_args(%qv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %px[%b, %c, %k] pad(zero) : !PX
    %q = arith.mulf %v, %v : vector<1024xf32>
    %qv_3 = arith.addf %qv, %q : vector<1024xf32>
    scf.yield %qv_3 : vector<1024xf32>
  }
  %cb = vector.broadcast %count : f32 to vector<1024xf32>
  %eb = vector.broadcast %eps : f32 to vector<1024xf32>
  %ms = arith.divf %qv_2, %cb : vector<1024xf32>
  %safe = arith.addf %ms, %eb : vector<1024xf32>
  %root = math.sqrt %safe : vector<1024xf32>
  scf.for %c_2 = %c0 to %ch step %c1 {
    %v_2 = tile.load %px[%b, %c_2, %k] pad(zero) : !PX
    %r = arith.divf %v_2, %root : vector<1024xf32>
    %o = tile.claim %py[%b, %c_2, %k] : !PY
    tile.store %r, %o : !SY
  }
}
