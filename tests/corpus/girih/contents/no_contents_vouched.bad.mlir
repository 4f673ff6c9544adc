// expect: UNSATISFIABLE contract.satisfiable
// The load of element 9 of 1 is excused by ranges without a common number.
!I = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[1] x f32, shared>
!PI = !tile.partition<[_], [N] x i32, shared>
!PE = !tile.partition<[_], [1] x f32, shared>
tile.kernel @k(%t: !I, %e: !E) grid [1] requires [N >= 100000000]
    given [within(%t, 3, 5), within(%t, 0, 2)] {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %pi = tile.partition %t by [_] : !I
  %pe = tile.partition %e by [_] : !E
  %x = tile.load %pi[%c0] : !PI
  %y = tile.load %pe[%c9] : !PE
}
