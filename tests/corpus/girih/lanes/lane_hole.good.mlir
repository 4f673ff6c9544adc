// expect: VERIFIED
// Each block writes its row from the end.
!Y = !tile.tensor<[N, 64] x i32, out>
tile.kernel @lane_hole(%y: !Y) grid [N] {
  %b = tile.block_id 0
  %row = vector.broadcast %b : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %v = tile.iota 0 : vector<64xi32>
  %c63 = arith.constant dense<63> : vector<64xindex>
  %at = arith.subi %c63, %lane : vector<64xindex>
  tile.scatter %v, %y[%row, %at] : vector<64xi32>, !Y, vector<64xindex>, vector<64xindex>
}
