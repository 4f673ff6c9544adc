// expect: REFUTED claim.bounds
// twin: summed_index.good.mlir
// The sum of a tile of integers as an index: any number, guarded by nothing.
!I = !tile.tensor<[4] x i32, shared>
!PI = !tile.partition<[4], [4] x i32, shared>
!C = !tile.tensor<[N] x f32, own>
!PC = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @summed_index(%i: !I, %c: !C) grid [1] {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %pi = tile.partition %i by [4] : !I
  %pc = tile.partition %c by [_] : !C
  %v = tile.load %pi[%c0] : !PI
  %sum = tile.reduce add %v, 0 : vector<4xi32>
  %at = arith.index_cast %sum : i32 to index
  %out = tile.claim %pc[%at] : !PC
  tile.store %one, %out : !P
}
