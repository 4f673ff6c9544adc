// expect: REFUTED scatter.lanes
// twin: good.mlir
// Two neighbours at a time write one element.
!Y = !tile.tensor<[N, 8] x i32, out>
tile.kernel @scatter_lanes(%y: !Y) grid [N] {
  %b = tile.block_id 0
  %row = vector.broadcast %b : index to vector<8xindex>
  %lane = tile.iota 0 : vector<8xindex>
  %v = tile.iota 0 : vector<8xi32>
  %two = arith.constant dense<2> : vector<8xindex>
  %half = arith.divsi %lane, %two : vector<8xindex>
  tile.scatter %v, %y[%row, %half] : vector<8xi32>, !Y, vector<8xindex>, vector<8xindex>
}
