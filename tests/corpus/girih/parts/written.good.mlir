// expect: VERIFIED
// Taken apart and put together in the other order, all lanes are there.
!X = !tile.tensor<[N] x i32, out>
tile.kernel @written(%x: !X) grid [ceildiv(N, 16)] {
  %c16 = arith.constant 16 : index
  %one = arith.constant dense<1> : vector<16xi32>
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %lane = tile.iota 0 : vector<16xindex>
  %low = tile.extract %lane[0] : vector<16xindex> to vector<8xindex>
  %high = tile.extract %lane[1] : vector<16xindex> to vector<8xindex>
  %all = tile.cat %high, %low, 0 : vector<8xindex>
  %start = arith.muli %b, %c16 : index
  %starts = vector.broadcast %start : index to vector<16xindex>
  %at = arith.addi %starts, %all : vector<16xindex>
  %ends = vector.broadcast %n : index to vector<16xindex>
  %there = arith.cmpi slt, %at, %ends : vector<16xindex>
  tile.scatter %one, %x[%at], %there : vector<16xi32>, !X, vector<16xindex>, vector<16xi1>
}
