// expect: VERIFIED
// What lies beyond the end is masked out.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @gather_bounds(%x: !X, %y: !Y) grid [ceildiv(N, 64)] {
  %b = tile.block_id 0
  %c64 = arith.constant 64 : index
  %n = tile.symbol "N" : index
  %py = tile.partition %y by [64] : !Y
  %out = tile.claim %py[%b] : !PY
  %first = arith.muli %b, %c64 : index
  %base = vector.broadcast %first : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %at = arith.addi %base, %lane : vector<64xindex>
  %end = vector.broadcast %n : index to vector<64xindex>
  %inside = arith.cmpi slt, %at, %end : vector<64xindex>
  %v = tile.gather %x[%at], %inside pad(zero) : !X, vector<64xindex>, vector<64xi1>
  tile.store %v, %out : !P
}
