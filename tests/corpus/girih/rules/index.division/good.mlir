// expect: VERIFIED
// The contract says that the divisor is at least 1.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @index_division(%x: !X) symbols [S : index] grid [ceildiv(N, 128)]
    requires [S >= 1] {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %s = tile.symbol "S" : index
  %r = arith.remsi %i, %s : index
  %first = arith.cmpi eq, %r, %c0 : index
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  scf.if %first {
    tile.store %v, %out : !P
  }
}
