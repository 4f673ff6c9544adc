// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/39_L2Norm_.py
// Rows divided by their root of the sum of squares.
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[_, 1024], [M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[_, 1024], [M, N] x f32, out>
!SY = !tile.piece<[_, 1024] x f32, out>
tile.kernel @kl2norm(%x: !X, %y: !Y) grid [M] {
  %px = tile.partition %x by [_, 1024] : !X
  %py = tile.partition %y by [_, 1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %n = tile.num_tiles %px, 1 : !PX
  %sv_2 = scf.for %k = %c0 to %n step %c1 iter_args(%sv = %zero) -> (vector<1024xf32>) {
    %v = tile.load %px[%row, %k] pad(zero) : !PX
    %a = arith.mulf %v, %v : vector<1024xf32>
    %sv_3 = arith.addf %sv, %a : vector<1024xf32>
    scf.yield %sv_3 : vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %nv = math.sqrt %s : f32
  %nb = vector.broadcast %nv : f32 to vector<1024xf32>
  scf.for %k_2 = %c0 to %n step %c1 {
    %v_2 = tile.load %px[%row, %k_2] pad(zero) : !PX
    %r = arith.divf %v_2, %nb : vector<1024xf32>
    %o = tile.claim %py[%row, %k_2] : !PY
    tile.store %r, %o : !SY
  }
}
