// expect: VERIFIED
// A byte without its sign is up to 255, and the table has as many.
!T = !tile.tensor<[256] x f32, shared>
!Y = !tile.tensor<[64] x f32, out>
!PY = !tile.partition<[64], [64] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @lane_bytes(%t: !T, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant dense<32> : vector<64xi8>
  %lane = tile.iota 0 : vector<64xi8>
  %b = arith.subi %lane, %c32 : vector<64xi8>
  %wide = arith.extui %b : vector<64xi8> to vector<64xi32>
  %at = arith.index_cast %wide : vector<64xi32> to vector<64xindex>
  %v = tile.gather %t[%at] : !T, vector<64xindex>
  %py = tile.partition %y by [64] : !Y
  %out = tile.claim %py[%c0] : !PY
  tile.store %v, %out : !P
}
