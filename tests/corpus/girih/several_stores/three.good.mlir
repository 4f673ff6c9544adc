// expect: VERIFIED
// Nested branches: below, above and on the diagonal.
!C = !tile.tensor<[M, N] x f32, out>
!PC = !tile.partition<[16, 16], [M, N] x f32, out>
!P = !tile.piece<[16, 16] x f32, out>
tile.kernel @three(%c: !C) grid [ceildiv(M, 16), ceildiv(N, 16)] {
  %v = arith.constant dense<1.0> : vector<16x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pc = tile.partition %c by [16, 16] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %below = arith.cmpi sgt, %i, %j : index
  scf.if %below {
    tile.store %v, %out : !P
  } else {
    %above = arith.cmpi slt, %i, %j : index
    scf.if %above {
      tile.store %v, %out : !P
    } else {
      tile.store %v, %out : !P
    }
  }
}
