// expect: UNSATISFIABLE contract.satisfiable
// An i16 is below 32768.
!I = !tile.tensor<[N] x i16, shared>
!E = !tile.tensor<[1] x f32, shared>
!PI = !tile.partition<[_], [N] x i16, shared>
!PE = !tile.partition<[_], [1] x f32, shared>
tile.kernel @k(%t: !I, %e: !E) symbols [V : index] grid [1] requires [N >= 1] given [within(%t, 32768, 65536)] {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %pi = tile.partition %t by [_] : !I
  %pe = tile.partition %e by [_] : !E
  %x = tile.load %pi[%c0] : !PI
}
