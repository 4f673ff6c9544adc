// expect: REFUTED out.covered
// The tile behind the last but one block is not written.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @turned(%c: !C) grid [ceildiv(N, 64)] requires [N >= 1] {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = tile.grid_dim 0
  %i = tile.block_id 0
  %last = arith.subi %g, %c1 : index
  %pc = tile.partition %c by [64] : !C
  %next0 = arith.addi %i, %c1 : index
  %inner = arith.cmpi slt, %next0, %last : index
  scf.if %inner {
    %next = arith.addi %i, %c1 : index
    %out = tile.claim %pc[%next] : !PC
    tile.store %zero, %out : !P
  }
  %isLast = arith.cmpi eq, %i, %last : index
  scf.if %isLast {
    %out = tile.claim %pc[%c0] : !PC
    tile.store %one, %out : !P
  }
}
