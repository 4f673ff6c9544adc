// expect: REFUTED gather.bounds
// twin: good.mlir
// The last block reads beyond the end when 64 does not divide N.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @gather_bounds(%x: !X, %y: !Y) grid [ceildiv(N, 64)] {
  %b = tile.block_id 0
  %c64 = arith.constant 64 : index
  %py = tile.partition %y by [64] : !Y
  %out = tile.claim %py[%b] : !PY
  %first = arith.muli %b, %c64 : index
  %base = vector.broadcast %first : index to vector<64xindex>
  %lane = tile.iota 0 : vector<64xindex>
  %at = arith.addi %base, %lane : vector<64xindex>
  %v = tile.gather %x[%at] : !X, vector<64xindex>
  tile.store %v, %out : !P
}
