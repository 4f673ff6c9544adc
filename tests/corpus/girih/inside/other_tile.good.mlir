// expect: VERIFIED
// Each block copies its tile: mask and places are of one tile.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, own>
!PX = !tile.partition<[32], [N] x i32, shared>
tile.kernel @other_tile(%x: !X, %y: !Y) grid [ceildiv(N, 32)] {
  %c32 = arith.constant 32 : index
  %b = tile.block_id 0
  %px = tile.partition %x by [32] : !X
  %in = tile.inside %px[%b] : !PX
  %first = arith.muli %b, %c32 : index
  %firsts = vector.broadcast %first : index to vector<32xindex>
  %lane = tile.iota 0 : vector<32xindex>
  %at = arith.addi %firsts, %lane : vector<32xindex>
  %v = tile.gather %x[%at], %in pad(-7) : !X, vector<32xindex>, vector<32xi1>
  tile.scatter %v, %y[%at], %in : vector<32xi32>, !Y, vector<32xindex>, vector<32xi1>
}
