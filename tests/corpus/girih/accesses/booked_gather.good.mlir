// expect: VERIFIED
// As its twin, where the tensor has four elements along both axes.
!X = !tile.tensor<[N, N] x f32, shared>
tile.kernel @booked_gather(%x: !X) grid [2]
    requires [N >= 4] {
  %b = tile.block_id 0
  %first = vector.broadcast %b : index to vector<4xindex>
  %lane = tile.iota 0 : vector<4xindex>
  %row = arith.addi %first, %lane : vector<4xindex>
  %one = arith.constant dense<1> : vector<4xindex>
  %mask = arith.cmpi slt, %first, %one : vector<4xindex>
  %v = tile.gather %x[%row, %first], %mask pad(zero) : !X, vector<4xindex>, vector<4xindex>, vector<4xi1>
}
