// expect: REFUTED claim.disjoint
// twin: beside.good.mlir
// Rows of the second halves are counted as if they were 32 wide.
!Y = !tile.tensor<[L] x f32, own>
!T = !tile.tensor<[?] x f32, own>
!PY = !tile.partition<[32], [L] x f32, own>
!P = !tile.piece<[32] x f32, own>
tile.kernel @beside(%y: !Y) symbols [R : index] grid [R] requires [L == 64 * R] {
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %b = tile.block_id 0
  %l = tile.symbol "L" : index
  %v = arith.constant dense<1.0> : vector<32xf32>
  %py = tile.partition %y by [32] : !Y
  %i = arith.muli %b, %c2 : index
  %low = tile.claim %py[%i] : !PY
  tile.store %v, %low : !P
  %row = arith.muli %b, %c32 : index
  %from = arith.addi %row, %c32 : index
  %rest = arith.subi %l, %from : index
  %high = tile.view %y slice [%from] size [%rest] : !Y
  %lane = tile.iota 0 : vector<32xindex>
  tile.scatter %v, %high[%lane] : vector<32xf32>, !T, vector<32xindex>
}
