// expect: UNSATISFIABLE contract.satisfiable
// 10^8 distinct numbers of 8 bits.
!I = !tile.tensor<[N] x i8, shared>
!E = !tile.tensor<[1] x f32, shared>
!PI = !tile.partition<[_], [N] x i8, shared>
!PE = !tile.partition<[_], [1] x f32, shared>
tile.kernel @k(%t: !I, %e: !E) symbols [V : index] grid [1] requires [N >= 100000000] given [distinct(%t)] {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %pi = tile.partition %t by [_] : !I
  %pe = tile.partition %e by [_] : !E
  %x = tile.load %pi[%c0] : !PI
}
