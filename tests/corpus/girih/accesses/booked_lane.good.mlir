// expect: VERIFIED
// As its twin, where the tensor has four elements along both axes.
!Y = !tile.tensor<[N, N] x f32, out partial>
tile.kernel @booked_lane(%y: !Y) grid [2]
    requires [N >= 4] {
  %b = tile.block_id 0
  %zeros = arith.constant dense<0.0> : vector<4xf32>
  %first = vector.broadcast %b : index to vector<4xindex>
  %lane = tile.iota 0 : vector<4xindex>
  %row = arith.addi %first, %lane : vector<4xindex>
  %one = arith.constant dense<1> : vector<4xindex>
  %mask = arith.cmpi slt, %first, %one : vector<4xindex>
  tile.scatter %zeros, %y[%row, %first], %mask : vector<4xf32>, !Y, vector<4xindex>, vector<4xindex>, vector<4xi1>
}
