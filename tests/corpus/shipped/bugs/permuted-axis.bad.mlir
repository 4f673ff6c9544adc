// expect: REFUTED load.bounds
// twin: permuted-axis.good.mlir
// source: NVlabs/cutile-rs review of 2026-08-04
// A row index along the columns of a tensor that has as many rows.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[32, 32], [M, N] x f32, own>
!SZ = !tile.piece<[32, 32] x f32, own>
!X = !tile.tensor<[M, K] x f32, shared>
!PX = !tile.partition<[32, 32], [M, K] x f32, shared>
tile.kernel @permuted_axis(%z: !Z, %x: !X) grid [ceildiv(M, 32), ceildiv(N, 32)] requires [M >= 1] {
  %pz = tile.partition %z by [32, 32] : !Z
  %px = tile.partition %x by [32, 32] : !X
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %v = tile.load %px[%c0, %i] pad(zero) : !PX
  %w = vector.transpose %v, [1, 0] : vector<32x32xf32> to vector<32x32xf32>
  %o = tile.claim %pz[%i, %j] : !PZ
  tile.store %w, %o : !SZ
}
