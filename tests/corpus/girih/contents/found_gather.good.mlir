// expect: VERIFIED
// Rows that are gathered are asked about at both ends.
!I = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V] x f32, shared>
tile.kernel @found(%ids: !I, %e: !E) grid [ceildiv(N, 8)] {
  %c8 = arith.constant 8 : index
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %v = tile.symbol "V" : index
  %first = arith.muli %b, %c8 : index
  %firsts = vector.broadcast %first : index to vector<8xindex>
  %lanes = tile.iota 0 : vector<8xindex>
  %at = arith.addi %firsts, %lanes : vector<8xindex>
  %ends = vector.broadcast %n : index to vector<8xindex>
  %real = arith.cmpi slt, %at, %ends : vector<8xindex>
  %word = tile.gather %ids[%at], %real pad(zero) : !I, vector<8xindex>, vector<8xi1>
  %row = arith.index_cast %word : vector<8xi32> to vector<8xindex>
  %rows = vector.broadcast %v : index to vector<8xindex>
  %below = arith.cmpi slt, %row, %rows : vector<8xindex>
  %zeros = arith.constant dense<0> : vector<8xindex>
  %above = arith.cmpi sge, %row, %zeros : vector<8xindex>
  %in = arith.andi %below, %above : vector<8xi1>
  %x = tile.gather %e[%row], %in pad(zero) : !E, vector<8xindex>, vector<8xi1>
}
