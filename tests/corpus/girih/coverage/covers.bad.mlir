// expect: REFUTED out.covered
// twin: covers.good.mlir
// The first of each pair has no block, whatever is told.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @turned_pairs(%c: !C) symbols [K : index] grid [K, 1]
    requires [N == 2 * K] covers [%c[t] by block (div(t, 2), 1 - mod(t, 2))] {
  %v = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pc = tile.partition %c by [_] : !C
  %pair = arith.muli %i, %c2 : index
  %last = arith.addi %pair, %c1 : index
  %t = arith.subi %last, %j : index
  %out = tile.claim %pc[%t] : !PC
  tile.store %v, %out : !P
}
