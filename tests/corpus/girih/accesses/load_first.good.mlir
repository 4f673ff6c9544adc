// expect: VERIFIED
// Each iteration stores, then loads.
!X = !tile.tensor<[1] x f32, out>
!PX = !tile.partition<[_], [1] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @load_first(%x: !X) grid [1] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %px = tile.partition %x by [_] : !X
  %out = tile.claim %px[%c0] : !PX
  scf.for %k = %c0 to %c2 step %c1 {
    tile.store %v, %out : !P
    %y = tile.load %out : !P
  }
}
