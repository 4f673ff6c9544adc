// expect: REFUTED claim.disjoint
// i + j meets itself on every anti-diagonal.
!X = !tile.tensor<[M, N] x f32, own>
!PX = !tile.partition<[4, 8], [M, N] x f32, own>
!P = !tile.piece<[4, 8] x f32, own>
tile.kernel @transposed_diagonal(%x: !X) symbols [P : index]
    grid [P, P] requires [M >= 8 * P, N >= 1, P <= 1000] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %s = arith.addi %i, %j : index
  %out = tile.claim %px[%s, %c0] : !PX
  tile.store %v, %out : !P
}
