// expect: REFUTED out.covered
// The last pair has no block.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @swapped_pairs(%c: !C) symbols [H : index] grid [2 * H - 2]
    requires [N == 2 * H, H >= 1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pc = tile.partition %c by [_] : !C
  %b = tile.block_id 0
  %r = arith.remsi %b, %c2 : index
  %even = arith.cmpi eq, %r, %c0 : index
  %up = arith.addi %b, %c1 : index
  %down = arith.subi %b, %c1 : index
  %x = arith.select %even, %up, %down : index
  %out = tile.claim %pc[%x] : !PC
  tile.store %v, %out : !P
}
