// expect: VERIFIED
// The contract bounds the symbol by the largest number whose square fits.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @square_bound(%x: !X) symbols [S : index] grid [ceildiv(N, 128)]
    requires [S <= 3037000499] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %s = tile.symbol "S" : index
  %square = arith.muli %s, %s : index
  %negative = arith.cmpi slt, %square, %i : index
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  scf.if %negative {
    tile.store %v, %out : !P
  }
}
