// expect: UNSATISFIABLE contract.satisfiable
// 10^8 distinct numbers below 5, over two axes.
!I = !tile.tensor<[N, M] x i32, shared>
!E = !tile.tensor<[1] x f32, shared>
!PI = !tile.partition<[_, _], [N, M] x i32, shared>
!PE = !tile.partition<[_], [1] x f32, shared>
tile.kernel @k(%t: !I, %e: !E) symbols [V : index] grid [1] requires [N >= 10000, M >= 10000] given [within(%t, 0, 5), distinct(%t)] {
  %c0 = arith.constant 0 : index
  %c9 = arith.constant 9 : index
  %pi = tile.partition %t by [_, _] : !I
  %pe = tile.partition %e by [_] : !E
  %x = tile.load %pi[%c0, %c0] : !PI
}
