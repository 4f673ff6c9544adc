// expect: REFUTED scatter.bounds
// twin: turned.good.mlir
// Coordinates of the turned tensor in the order of the tensor.
!Y = !tile.tensor<[64, N] x f32, out>
!T = !tile.tensor<[N, 64] x f32, out>
tile.kernel @turned(%y: !Y) grid [N] {
  %b = tile.block_id 0
  %t = tile.view %y permute [1, 0] : !Y
  %row = vector.broadcast %b : index to vector<64xindex>
  %col = tile.iota 0 : vector<64xindex>
  %v = arith.constant dense<1.0> : vector<64xf32>
  tile.scatter %v, %t[%col, %row] : vector<64xf32>, !T, vector<64xindex>, vector<64xindex>
}
