// expect: REFUTED out.covered
// Block 3 is in neither branch.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @branches(%c: !C) grid [ceildiv(N, 64)] {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %pc = tile.partition %c by [64] : !C
  %out = tile.claim %pc[%i] : !PC
  %first = arith.cmpi slt, %i, %c3 : index
  scf.if %first {
    tile.store %zero, %out : !P
  }
  %others = arith.cmpi sgt, %i, %c3 : index
  scf.if %others {
    tile.store %one, %out : !P
  }
}
