// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/33_BatchNorm.py
// Two launches, this one sums: a channel a block, over batch and pixels.
!X = !tile.tensor<[B, C, L] x f32, shared>
!PX = !tile.partition<[_, _, 1024], [B, C, L] x f32, shared>
!SUMS = !tile.tensor<[C] x f32, out>
!PSUMS = !tile.partition<[_], [C] x f32, out>
!SSUMS = !tile.piece<[_] x f32, out>
!SQUARES = !tile.tensor<[C] x f32, out>
!PSQUARES = !tile.partition<[_], [C] x f32, out>
!SSQUARES = !tile.piece<[_] x f32, out>
tile.kernel @kbatchnorm(%x: !X, %sums: !SUMS, %squares: !SQUARES) grid [C] {
  %px = tile.partition %x by [_, _, 1024] : !X
  %psums = tile.partition %sums by [_] : !SUMS
  %psquares = tile.partition %squares by [_] : !SQUARES
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ch = tile.block_id 0
  %n = tile.num_tiles %px, 2 : !PX
  %batches = tile.num_tiles %px, 0 : !PX
  %sv_2, %qv_2 = scf.for %b = %c0 to %batches step %c1 iter_args(%sv = %zero, %qv = %zero) -> (vector<1024xf32>, vector<1024xf32>) {
    %sv_4, %qv_4 = scf.for %k = %c0 to %n step %c1 iter_args(%sv_3 = %sv, %qv_3 = %qv) -> (vector<1024xf32>, vector<1024xf32>) {
      %v = tile.load %px[%b, %ch, %k] pad(zero) : !PX
      %sv_5 = arith.addf %sv_3, %v : vector<1024xf32>
      %q = arith.mulf %v, %v : vector<1024xf32>
      %qv_5 = arith.addf %qv_3, %q : vector<1024xf32>
      scf.yield %sv_5, %qv_5 : vector<1024xf32>, vector<1024xf32>
    }
    scf.yield %sv_4, %qv_4 : vector<1024xf32>, vector<1024xf32>
  }
  %s = tile.reduce add %sv_2, 0 : vector<1024xf32>
  %q0 = tile.reduce add %qv_2, 0 : vector<1024xf32>
  %o = tile.claim %psums[%ch] : !PSUMS
  tile.store %s, %o : !SSUMS
  %p = tile.claim %psquares[%ch] : !PSQUARES
  tile.store %q0, %p : !SSQUARES
}
