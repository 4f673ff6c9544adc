// expect: REFUTED claim.bounds
// twin: reduced.good.mlir
// A sum of integers picks one of eight elements, or the one after them.
!T = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[8] x i32, own>
!PT = !tile.partition<[4], [N] x i32, shared>
!PY = !tile.partition<[_], [8] x i32, own>
!P = !tile.piece<[_] x i32, own>
tile.kernel @reduced(%t: !T, %y: !Y) grid [1] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %pt = tile.partition %t by [4] : !T
  %py = tile.partition %y by [_] : !Y
  %x = tile.load %pt[%c0] pad(zero) : !PT
  %sum = tile.reduce add %x, 0 : vector<4xi32>
  %number = arith.index_cast %sum : i32 to index
  %positive = arith.maxsi %number, %c0 : index
  %at = arith.minsi %positive, %c8 : index
  %out = tile.claim %py[%at] : !PY
  tile.store %sum, %out : !P
}
