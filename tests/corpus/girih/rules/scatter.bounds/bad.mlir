// expect: REFUTED scatter.bounds
// twin: good.mlir
// The last block writes beyond the end when 64 does not divide N.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[64], [N] x f32, shared>
tile.kernel @scatter_bounds(%x: !X, %y: !Y) grid [ceildiv(N, 64)] {
  %b = tile.block_id 0
  %c64 = arith.constant 64 : index
  %px = tile.partition %x by [64] : !X
  %v = tile.load %px[%b] pad(zero) : !PX
  %first = arith.muli %b, %c64 : index
  %base = vector.broadcast %first : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %at = arith.addi %base, %lane : vector<64xindex>
  tile.scatter %v, %y[%at] : vector<64xf32>, !Y, vector<64xindex>
}
