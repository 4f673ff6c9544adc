// expect: REFUTED out.covered
// Six of eight places.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @xor(%c: !C) grid [6] requires [N == 8] {
  %v = arith.constant 1.0 : f32
  %c1 = arith.constant 1 : index
  %pc = tile.partition %c by [_] : !C
  %b = tile.block_id 0
  %x = arith.xori %b, %c1 : index
  %out = tile.claim %pc[%x] : !PC
  tile.store %v, %out : !P
}
