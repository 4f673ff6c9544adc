// expect: REFUTED scatter.bounds
// twin: found_lanes.good.mlir
// The lanes of a tile say where a row is written; one number stands for none and
// is let through.
!I = !tile.tensor<[N] x i16, shared>
!C = !tile.tensor<[N, V] x f32, own>
!PI = !tile.partition<[4], [N] x i16, shared>
tile.kernel @found(%ids: !I, %c: !C) grid [ceildiv(N, 4)] {
  %c4 = arith.constant 4 : index
  %zeros = arith.constant dense<0> : vector<4xindex>
  %none = arith.constant dense<-7> : vector<4xindex>
  %ones = arith.constant dense<1.0> : vector<4xf32>
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %v = tile.symbol "V" : index
  %pi = tile.partition %ids by [4] : !I
  %first = arith.muli %b, %c4 : index
  %firsts = vector.broadcast %first : index to vector<4xindex>
  %lanes = tile.iota 0 : vector<4xindex>
  %row = arith.addi %firsts, %lanes : vector<4xindex>
  %ends = vector.broadcast %n : index to vector<4xindex>
  %real = arith.cmpi slt, %row, %ends : vector<4xindex>
  %word = tile.load %pi[%b] pad(zero) : !PI
  %at = arith.index_cast %word : vector<4xi16> to vector<4xindex>
  %columns = vector.broadcast %v : index to vector<4xindex>
  %below = arith.cmpi slt, %at, %columns : vector<4xindex>
  %above = arith.cmpi sge, %at, %zeros : vector<4xindex>
  %isNone = arith.cmpi eq, %at, %none : vector<4xindex>
  %low = arith.ori %above, %isNone : vector<4xi1>
  %in = arith.andi %below, %low : vector<4xi1>
  %mask = arith.andi %real, %in : vector<4xi1>
  tile.scatter %ones, %c[%row, %at], %mask : vector<4xf32>, !C, vector<4xindex>, vector<4xindex>, vector<4xi1>
}
