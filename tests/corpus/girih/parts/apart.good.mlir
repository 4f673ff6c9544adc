// expect: VERIFIED
// Both halves are told apart by the number that is added to one of them.
!Y = !tile.tensor<[M, 16] x i32, out partial>
tile.kernel @apart(%y: !Y) grid [M] {
  %one = arith.constant dense<1> : vector<16xi32>
  %next = arith.constant dense<8> : vector<8xindex>
  %b = tile.block_id 0
  %lane = tile.iota 0 : vector<8xindex>
  %more = arith.addi %lane, %next : vector<8xindex>
  %column = tile.cat %more, %lane, 0 : vector<8xindex>
  %row = vector.broadcast %b : index to vector<16xindex>
  tile.scatter %one, %y[%row, %column] : vector<16xi32>, !Y, vector<16xindex>, vector<16xindex>
}
