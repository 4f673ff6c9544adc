// expect: VERIFIED
// source: ScalingIntelligence/KernelBench@423217d KernelBench/level1/47_Sum_reduction_over_a_dimension.py
// Sums over the middle axis: a block has a tile of the last.
!X = !tile.tensor<[B, R, N] x f32, shared>
!PX = !tile.partition<[_, _, 1024], [B, R, N] x f32, shared>
!Y = !tile.tensor<[B, 1, N] x f32, out>
!PY = !tile.partition<[_, _, 1024], [B, 1, N] x f32, out>
!SY = !tile.piece<[_, _, 1024] x f32, out>
tile.kernel @ksum_reduction_over_a_dimension(%x: !X, %y: !Y) grid [B, ceildiv(N, 1024)] {
  %px = tile.partition %x by [_, _, 1024] : !X
  %py = tile.partition %y by [_, _, 1024] : !Y
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %j = tile.block_id 1
  %rows = tile.num_tiles %px, 1 : !PX
  %acc_2 = scf.for %k = %c0 to %rows step %c1 iter_args(%acc = %zero) -> (vector<1024xf32>) {
    %v = tile.load %px[%b, %k, %j] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %v : vector<1024xf32>
    scf.yield %acc_3 : vector<1024xf32>
  }
  %o = tile.claim %py[%b, %c0, %j] : !PY
  tile.store %acc_2, %o : !SY
}
