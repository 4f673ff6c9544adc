// expect: REFUTED out.covered
// A row of tiles less than there are.
!C = !tile.tensor<[M, N] x f32, out>
!PC = !tile.partition<[128, 256], [M, N] x f32, out>
!P = !tile.piece<[128, 256] x f32, out>
tile.kernel @grouped(%c: !C) grid [(ceildiv(M, 128) - 1) * ceildiv(N, 256)] requires [M >= 1] {
  %v = arith.constant dense<0.0> : vector<128x256xf32>
  %c8 = arith.constant 8 : index
  %pid = tile.block_id 0
  %pc = tile.partition %c by [128, 256] : !C
  %gm = tile.num_tiles %pc, 0 : !PC
  %gn = tile.num_tiles %pc, 1 : !PC
  %w = arith.muli %c8, %gn : index
  %group = arith.divsi %pid, %w : index
  %first = arith.muli %group, %c8 : index
  %left = arith.subi %gm, %first : index
  %size = arith.minsi %left, %c8 : index
  %rest = arith.remsi %pid, %w : index
  %r = arith.remsi %rest, %size : index
  %i = arith.addi %first, %r : index
  %j = arith.divsi %rest, %size : index
  %out = tile.claim %pc[%i, %j] : !PC
  tile.store %v, %out : !P
}
