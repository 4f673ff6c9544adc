// expect: VERIFIED
// source: NVlabs/cutile-rs review of 2026-08-04
// As many columns.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[32, 32], [M, N] x f32, own>
!SZ = !tile.piece<[32, 32] x f32, own>
!X = !tile.tensor<[K, M] x f32, shared>
!PX = !tile.partition<[32, 32], [K, M] x f32, shared>
tile.kernel @permuted_axis(%z: !Z, %x: !X) grid [ceildiv(M, 32), ceildiv(N, 32)] requires [K >= 1] {
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
