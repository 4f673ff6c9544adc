// expect: REFUTED claim.disjoint
// twin: found_symmetric.good.mlir
// Blocks (i, j) and (j, i) look up one element: that no two elements are equal
// does not tell them apart.
!I = !tile.tensor<[N, N] x i32, shared>
!C = !tile.tensor<[V] x f32, out partial>
!PI = !tile.partition<[_, _], [N, N] x i32, shared>
!PC = !tile.partition<[_], [V] x f32, out partial>
!P = !tile.piece<[_] x f32, out>
tile.kernel @k(%t: !I, %c: !C) grid [N, N] given [within(%t, 0, V), distinct(%t)] {
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %j = tile.block_id 1
  %a = arith.minsi %i, %j : index
  %b = arith.maxsi %i, %j : index
  %pi = tile.partition %t by [_, _] : !I
  %pc = tile.partition %c by [_] : !C
  %x = tile.load %pi[%a, %b] : !PI
  %at = arith.index_cast %x : i32 to index
  %out = tile.claim %pc[%at] : !PC
  tile.store %v, %out : !P
}
