// expect: REFUTED gather.bounds
// twin: lane_padded.good.mlir
// What is given of the contents says nothing of lanes that were masked out.
!X = !tile.tensor<[M] x i32, shared>
!T = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[64] x f32, out>
!PY = !tile.partition<[64], [64] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @lane_padded(%x: !X, %t: !T, %y: !Y) grid [1] given [within(%x, 1, N + 1)] {
  %c0 = arith.constant 0 : index
  %n = tile.symbol "M" : index
  %count = vector.broadcast %n : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %one = arith.constant dense<1> : vector<64xindex>
  %there = arith.cmpi slt, %lane, %count : vector<64xindex>
  %used = arith.cmpi sge, %lane, %count : vector<64xindex>
  %id32 = tile.gather %x[%lane], %there pad(zero) : !X, vector<64xindex>, vector<64xi1>
  %id = arith.index_cast %id32 : vector<64xi32> to vector<64xindex>
  %place = arith.subi %id, %one : vector<64xindex>
  %v = tile.gather %t[%place], %used pad(zero) : !T, vector<64xindex>, vector<64xi1>
  %py = tile.partition %y by [64] : !Y
  %out = tile.claim %py[%c0] : !PY
  tile.store %v, %out : !P
}
