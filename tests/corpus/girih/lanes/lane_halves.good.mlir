// expect: VERIFIED
// One of two lanes writes each element.
!Y = !tile.tensor<[N, 64] x i32, own>
tile.kernel @lane_halves(%y: !Y) grid [N] {
  %b = tile.block_id 0
  %row = vector.broadcast %b : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %v = tile.iota 0 : vector<64xi32>
  %c0 = arith.constant dense<0> : vector<64xindex>
  %c2 = arith.constant dense<2> : vector<64xindex>
  %half = arith.divsi %lane, %c2 : vector<64xindex>
  %rest = arith.remsi %lane, %c2 : vector<64xindex>
  %even = arith.cmpi eq, %rest, %c0 : vector<64xindex>
  tile.scatter %v, %y[%row, %half], %even : vector<64xi32>, !Y, vector<64xindex>, vector<64xindex>, vector<64xi1>
}
