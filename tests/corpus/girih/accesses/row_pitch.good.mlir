// expect: VERIFIED
// i * P + j with j below P: a flat index.
!X = !tile.tensor<[M, N] x f32, own>
!PX = !tile.partition<[4, 8], [M, N] x f32, own>
!P = !tile.piece<[4, 8] x f32, own>
tile.kernel @row_pitch(%x: !X) symbols [P : index, Q : index]
    grid [Q, P] requires [M >= 4 * P * Q, N >= 1] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %p = tile.grid_dim 1
  %ip = arith.muli %i, %p : index
  %s = arith.addi %ip, %j : index
  %out = tile.claim %px[%s, %c0] : !PX
  tile.store %v, %out : !P
}
