// expect: VERIFIED
// Blocks (i, i) write element i: the condition of the branch says which.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @diagonal(%c: !C) grid [N, N] {
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pc = tile.partition %c by [_] : !C
  %same = arith.cmpi eq, %i, %j : index
  scf.if %same {
    %out = tile.claim %pc[%j] : !PC
    tile.store %v, %out : !P
  }
}
