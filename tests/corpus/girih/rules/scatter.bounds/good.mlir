// expect: VERIFIED
// What lies beyond the end is masked out, and all else is written.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[64], [N] x f32, shared>
tile.kernel @scatter_bounds(%x: !X, %y: !Y) grid [ceildiv(N, 64)] {
  %b = tile.block_id 0
  %c64 = arith.constant 64 : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [64] : !X
  %v = tile.load %px[%b] pad(zero) : !PX
  %first = arith.muli %b, %c64 : index
  %base = vector.broadcast %first : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %at = arith.addi %base, %lane : vector<64xindex>
  %end = vector.broadcast %n : index to vector<64xindex>
  %inside = arith.cmpi slt, %at, %end : vector<64xindex>
  tile.scatter %v, %y[%at], %inside : vector<64xf32>, !Y, vector<64xindex>, vector<64xi1>
}
