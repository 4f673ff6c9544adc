// expect: REFUTED scatter.bounds
// twin: other_tile.good.mlir
// What is written has the mask of the tile before.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, own>
!PX = !tile.partition<[32], [N] x i32, shared>
tile.kernel @other_tile(%x: !X, %y: !Y) grid [ceildiv(N, 32)] {
  %c32 = arith.constant 32 : index
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %px = tile.partition %x by [32] : !X
  %in = tile.inside %px[%b] : !PX
  %before = arith.subi %b, %c1 : index
  %was = tile.inside %px[%before] : !PX
  %first = arith.muli %b, %c32 : index
  %firsts = vector.broadcast %first : index to vector<32xindex>
  %lane = tile.iota 0 : vector<32xindex>
  %at = arith.addi %firsts, %lane : vector<32xindex>
  %v = tile.gather %x[%at], %in pad(-7) : !X, vector<32xindex>, vector<32xi1>
  tile.scatter %v, %y[%at], %was : vector<32xi32>, !Y, vector<32xindex>, vector<32xi1>
}
