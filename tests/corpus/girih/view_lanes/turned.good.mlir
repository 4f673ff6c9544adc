// expect: VERIFIED
// Columns are written as rows of the turned tensor, one a block; lanes that the
// rows do not have are masked out.
!Y = !tile.tensor<[64, N] x f32, out>
!T = !tile.tensor<[N, 64] x f32, out>
tile.kernel @turned(%y: !Y) grid [N] {
  %b = tile.block_id 0
  %t = tile.view %y permute [1, 0] : !Y
  %row = vector.broadcast %b : index to vector<64xindex>
  %col = tile.iota 0 : vector<64xindex>
  %v = arith.constant dense<1.0> : vector<64xf32>
  tile.scatter %v, %t[%row, %col] : vector<64xf32>, !T, vector<64xindex>, vector<64xindex>
}
