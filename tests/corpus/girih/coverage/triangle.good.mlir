// expect: VERIFIED
// The first row of the triangle writes all.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @triangle(%x: !X) grid [1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_] : !X
  %n = tile.num_tiles %px, 0 : !PX
  scf.for %a = %c0 to %n step %c1 {
    scf.for %b = %a to %n step %c1 {
      %d = arith.subi %b, %a : index
      %out = tile.claim %px[%d] : !PX
      tile.store %v, %out : !P
    }
  }
}
