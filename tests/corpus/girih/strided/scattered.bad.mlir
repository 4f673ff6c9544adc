// expect: REFUTED scatter.bounds
// twin: scattered.good.mlir
// The columns themselves.
!Y = !tile.tensor<[M, 64] x f32, out partial>
!O = !tile.tensor<[M, 32] x f32, out partial>
tile.kernel @scattered(%y: !Y) grid [M] {
  %b = tile.block_id 0
  %odd = tile.view %y slice [0, 1] size [M, 32] step [1, 2] : !Y
  %row = vector.broadcast %b : index to vector<32xindex>
  %lane = tile.iota 0 : vector<32xindex>
  %twice = arith.addi %lane, %lane : vector<32xindex>
  %v = arith.constant dense<1.0> : vector<32xf32>
  tile.scatter %v, %odd[%row, %twice] : vector<32xf32>, !O, vector<32xindex>, vector<32xindex>
}
