// expect: VERIFIED
// A tensor that has an element.
!T = !tile.tensor<[T] x i32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PT = !tile.partition<[_], [T] x i32, shared>
!PY = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @one(%t: !T, %y: !Y) grid [1] requires [N <= 1, T >= 1] given [within(%t, 0, 1)] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "T" : index
  %m = tile.symbol "N" : index
  %pt = tile.partition %t by [_] : !T
  %py = tile.partition %y by [_] : !Y
  %some = arith.cmpi sge, %n, %c1 : index
  %any = arith.cmpi sge, %m, %c1 : index
  %both = arith.andi %some, %any : i1
  scf.if %both {
    %x32 = tile.load %pt[%c0] : !PT
    %x = arith.index_cast %x32 : i32 to index
    %out = tile.claim %py[%x] : !PY
    tile.store %v, %out : !P
  }
}
