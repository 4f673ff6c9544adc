// expect: VERIFIED
// Lanes are written in the opposite order, each to an element of its own.
!Y = !tile.tensor<[N, 8] x i32, out>
tile.kernel @scatter_lanes(%y: !Y) grid [N] {
  %b = tile.block_id 0
  %row = vector.broadcast %b : index to vector<8xindex>
  %lane = tile.iota 0 : vector<8xindex>
  %v = tile.iota 0 : vector<8xi32>
  %seven = arith.constant dense<7> : vector<8xindex>
  %turned = arith.subi %seven, %lane : vector<8xindex>
  tile.scatter %v, %y[%row, %turned] : vector<8xi32>, !Y, vector<8xindex>, vector<8xindex>
}
