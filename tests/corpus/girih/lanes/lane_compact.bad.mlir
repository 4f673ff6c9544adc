// expect: REFUTED scatter.lanes
// twin: lane_compact.good.mlir
// Positions come from memory: nothing says that they are distinct.
!T = !tile.tensor<[64] x i32, shared>
!Y = !tile.tensor<[64] x f32, out partial>
!PT = !tile.partition<[64], [64] x i32, shared>
tile.kernel @lane_compact(%t: !T, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %pt = tile.partition %t by [64] : !T
  %p = tile.load %pt[%c0] : !PT
  %at = arith.index_cast %p : vector<64xi32> to vector<64xindex>
  %zero = arith.constant dense<0> : vector<64xindex>
  %end = arith.constant dense<64> : vector<64xindex>
  %low = arith.cmpi sge, %at, %zero : vector<64xindex>
  %high = arith.cmpi slt, %at, %end : vector<64xindex>
  %in = arith.andi %low, %high : vector<64xi1>
  tile.scatter %v, %y[%at], %in : vector<64xf32>, !Y, vector<64xindex>, vector<64xi1>
}
