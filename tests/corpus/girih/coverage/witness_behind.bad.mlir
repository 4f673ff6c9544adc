// expect: REFUTED out.covered
// twin: witness_behind.good.mlir
// A store in a branch comes before another under a condition: neither covers
// what both leave out.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @found(%c: !C) grid [ceildiv(N, 64)] {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %pc = tile.partition %c by [64] : !C
  %out = tile.claim %pc[%i] : !PC
  %first = arith.cmpi eq, %i, %c0 : index
  scf.if %first {
    tile.store %zero, %out : !P
  }
  %c2 = arith.constant 2 : index
  %later = arith.cmpi sge, %i, %c2 : index
  scf.if %later {
    tile.store %one, %out : !P
  }
}
