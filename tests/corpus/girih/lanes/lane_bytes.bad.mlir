// expect: REFUTED gather.bounds
// twin: lane_bytes.good.mlir
// A byte without its sign is up to 255, and never negative.
!T = !tile.tensor<[128] x f32, shared>
!Y = !tile.tensor<[64] x f32, out>
!PY = !tile.partition<[64], [64] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @lane_bytes(%t: !T, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %none = arith.constant dense<0> : vector<64xindex>
  %c32 = arith.constant dense<32> : vector<64xi8>
  %lane = tile.iota 0 : vector<64xi8>
  %b = arith.subi %lane, %c32 : vector<64xi8>
  %wide = arith.extui %b : vector<64xi8> to vector<64xi32>
  %at = arith.index_cast %wide : vector<64xi32> to vector<64xindex>
  %there = arith.cmpi sge, %at, %none : vector<64xindex>
  %v = tile.gather %t[%at], %there pad(zero) : !T, vector<64xindex>, vector<64xi1>
  %py = tile.partition %y by [64] : !Y
  %out = tile.claim %py[%c0] : !PY
  tile.store %v, %out : !P
}
