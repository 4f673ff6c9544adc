// expect: REFUTED out.covered
// Every second of them.
!C = !tile.tensor<[M, N] x f32, out>
!PC = !tile.partition<[128, 256], [M, N] x f32, out>
!P = !tile.piece<[128, 256] x f32, out>
tile.kernel @persistent(%c: !C) symbols [G : index] grid [G] requires [G >= 1] {
  %v = arith.constant dense<0.0> : vector<128x256xf32>
  %c8 = arith.constant 8 : index
  %b = tile.block_id 0
  %g = tile.grid_dim 0
  %twice = arith.addi %g, %g : index
  %pc = tile.partition %c by [128, 256] : !C
  %gm = tile.num_tiles %pc, 0 : !PC
  %gn = tile.num_tiles %pc, 1 : !PC
  %w = arith.muli %c8, %gn : index
  %all = arith.muli %gm, %gn : index
  scf.for %pid = %b to %all step %twice {
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
}
