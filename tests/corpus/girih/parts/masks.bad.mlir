// expect: REFUTED scatter.bounds
// twin: masks.good.mlir
// The halves of the mask are put together in the other order.
!X = !tile.tensor<[N] x i32, own>
tile.kernel @masks(%x: !X) grid [ceildiv(N, 16)] {
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0> : vector<16xi32>
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %lane = tile.iota 0 : vector<16xindex>
  %start = arith.muli %b, %c16 : index
  %starts = vector.broadcast %start : index to vector<16xindex>
  %at = arith.addi %starts, %lane : vector<16xindex>
  %ends = vector.broadcast %n : index to vector<16xindex>
  %there = arith.cmpi slt, %at, %ends : vector<16xindex>
  %low = tile.extract %there[0] : vector<16xi1> to vector<8xi1>
  %high = tile.extract %there[1] : vector<16xi1> to vector<8xi1>
  %is = tile.cat %high, %low, 0 : vector<8xi1>
  tile.scatter %zero, %x[%at], %is : vector<16xi32>, !X, vector<16xindex>, vector<16xi1>
}
