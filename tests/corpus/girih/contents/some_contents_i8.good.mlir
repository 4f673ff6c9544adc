// expect: VERIFIED
// An i8 is at most 127, so that no launch with o >= 128 is admitted.
!I = !tile.tensor<[1] x i8, shared>
!E = !tile.tensor<[128] x f32, shared>
!PI = !tile.partition<[_], [1] x i8, shared>
!PE = !tile.partition<[_], [128] x f32, shared>
tile.kernel @k(%t: !I, %e: !E) symbols [o : index] grid [1] given [within(%t, o, o + 1)] {
  %c0 = arith.constant 0 : index
  %o = tile.symbol "o" : index
  %pi = tile.partition %t by [_] : !I
  %pe = tile.partition %e by [_] : !E
  %x = tile.load %pi[%c0] : !PI
  %y = tile.load %pe[%o] : !PE
}
