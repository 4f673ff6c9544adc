// expect: VERIFIED
// Lanes 8 to 15 of each 32, with the mask of the same lanes of another row.
!X = !tile.tensor<[N] x i32, own>
tile.kernel @second_half(%x: !X) grid [ceildiv(N, 32)] {
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0> : vector<8xi32>
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %lane = tile.iota 1 : vector<2x16xindex>
  %start = arith.muli %b, %c32 : index
  %starts = vector.broadcast %start : index to vector<2x16xindex>
  %at = arith.addi %starts, %lane : vector<2x16xindex>
  %ends = vector.broadcast %n : index to vector<2x16xindex>
  %there = arith.cmpi slt, %at, %ends : vector<2x16xindex>
  %half = tile.extract %at[1, 1] : vector<2x16xindex> to vector<1x8xindex>
  %line = vector.shape_cast %half : vector<1x8xindex> to vector<8xindex>
  %mask = tile.extract %there[0, 1] : vector<2x16xi1> to vector<1x8xi1>
  %is = vector.shape_cast %mask : vector<1x8xi1> to vector<8xi1>
  tile.scatter %zero, %x[%line], %is : vector<8xi32>, !X, vector<8xindex>, vector<8xi1>
}
