// expect: REFUTED claim.disjoint
// twin: plane.good.mlir
// All blocks write the first plane.
!Y = !tile.tensor<[B, 4, 32] x i32, out partial>
!M = !tile.tensor<[4, 32] x i32, out partial>
tile.kernel @plane(%y: !Y) grid [B] {
  %mine = tile.view %y fix 0 at 0 : !Y
  %row = tile.iota 0 : vector<4x32xindex>
  %lane = tile.iota 1 : vector<4x32xindex>
  %last = arith.constant dense<31> : vector<4x32xindex>
  %col = arith.subi %last, %lane : vector<4x32xindex>
  %v = tile.iota 1 : vector<4x32xi32>
  tile.scatter %v, %mine[%row, %col] : vector<4x32xi32>, !M, vector<4x32xindex>, vector<4x32xindex>
}
