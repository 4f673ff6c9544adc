// expect: VERIFIED
// Each block writes the tile before its own, the first one the last tile.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @turned_down(%c: !C) grid [ceildiv(N, 64)] requires [N >= 1] {
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %one = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %g = tile.grid_dim 0
  %i = tile.block_id 0
  %last = arith.subi %g, %c1 : index
  %pc = tile.partition %c by [64] : !C
  %inner = arith.cmpi sgt, %i, %c0 : index
  scf.if %inner {
    %next = arith.subi %i, %c1 : index
    %out = tile.claim %pc[%next] : !PC
    tile.store %zero, %out : !P
  }
  %isFirst = arith.cmpi eq, %i, %c0 : index
  scf.if %isFirst {
    %out = tile.claim %pc[%last] : !PC
    tile.store %one, %out : !P
  }
}
