// expect: VERIFIED
// No i8 is above 127, so that o is 0.
!I = !tile.tensor<[1] x i8, shared>
!E = !tile.tensor<[1] x f32, shared>
!PI = !tile.partition<[_], [1] x i8, shared>
!PE = !tile.partition<[_], [1] x f32, shared>
tile.kernel @k(%t: !I, %e: !E) symbols [o : index] grid [1] given [within(%t, o + 127, o + 128)] {
  %c0 = arith.constant 0 : index
  %o = tile.symbol "o" : index
  %pi = tile.partition %t by [_] : !I
  %pe = tile.partition %e by [_] : !E
  %x = tile.load %pi[%c0] : !PI
  %y = tile.load %pe[%o] : !PE
}
