// expect: VERIFIED
// Positions come from memory, and a lane writes only if its position is its own.
!T = !tile.tensor<[64] x i32, shared>
!Y = !tile.tensor<[64] x f32, out partial>
!PT = !tile.partition<[64], [64] x i32, shared>
tile.kernel @lane_compact(%t: !T, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %pt = tile.partition %t by [64] : !T
  %p = tile.load %pt[%c0] : !PT
  %at = arith.index_cast %p : vector<64xi32> to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %own = arith.cmpi eq, %at, %lane : vector<64xindex>
  tile.scatter %v, %y[%at], %own : vector<64xf32>, !Y, vector<64xindex>, vector<64xi1>
}
