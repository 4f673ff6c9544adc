// expect: VERIFIED
// The counter starts low enough.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @loop_width(%x: !X) grid [ceildiv(N, 128)] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %huge = arith.constant 9223372036854775807 : index
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  scf.for %j = %c0 to %huge step %huge {
    tile.store %v, %out : !P
  }
}
