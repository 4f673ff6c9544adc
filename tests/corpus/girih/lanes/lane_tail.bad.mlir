// expect: REFUTED claim.disjoint
// twin: lane_tail.good.mlir
// Blocks advance by 127: each writes the first element of the next.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
tile.kernel @lane_tail(%x: !X, %y: !Y) grid [ceildiv(N, 128)] {
  %b = tile.block_id 0
  %c128 = arith.constant 127 : index
  %n = tile.symbol "N" : index
  %first = arith.muli %b, %c128 : index
  %base = vector.broadcast %first : index to vector<128xindex>
  %lane = tile.iota 0 : vector<128xindex>
  %at = arith.addi %base, %lane : vector<128xindex>
  %end = vector.broadcast %n : index to vector<128xindex>
  %inside = arith.cmpi slt, %at, %end : vector<128xindex>
  %v = tile.gather %x[%at], %inside pad(zero) : !X, vector<128xindex>, vector<128xi1>
  %w = arith.addf %v, %v : vector<128xf32>
  tile.scatter %w, %y[%at], %inside : vector<128xf32>, !Y, vector<128xindex>, vector<128xi1>
}
