// expect: VERIFIED
// Lanes are masked out by what memory holds, and nobody is told that all are written.
!X = !tile.tensor<[N, 64] x f32, shared>
!Y = !tile.tensor<[N, 64] x f32, out partial>
!PX = !tile.partition<[_, 64], [N, 64] x f32, shared>
tile.kernel @lane_kept(%x: !X, %y: !Y) grid [N] {
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %row = vector.broadcast %b : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %px = tile.partition %x by [_, 64] : !X
  %v = tile.load %px[%b, %c0] : !PX
  %zero = arith.constant dense<0.0> : vector<64xf32>
  %keep = arith.cmpf ogt, %v, %zero : vector<64xf32>
  tile.scatter %v, %y[%row, %lane], %keep : vector<64xf32>, !Y, vector<64xindex>, vector<64xindex>, vector<64xi1>
}
