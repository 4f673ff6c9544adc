// expect: REFUTED gather.bounds
// twin: lane_given.good.mlir
// The contract lets one token too many in: V is behind the table.
!T = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V, 64] x f32, shared>
!Y = !tile.tensor<[N, 64] x f32, out>
!PT = !tile.partition<[16], [N] x i32, shared>
!PY = !tile.partition<[16, 64], [N, 64] x f32, out>
!P = !tile.piece<[16, 64] x f32, out>
tile.kernel @lane_given(%t: !T, %e: !E, %y: !Y) grid [ceildiv(N, 16)]
    given [within(%t, 0, V + 1)] {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %b = tile.block_id 0
  %n = tile.symbol "N" : index
  %pt = tile.partition %t by [16] : !T
  %py = tile.partition %y by [16, 64] : !Y
  %out = tile.claim %py[%b, %c0] : !PY
  %token = tile.load %pt[%b] pad(zero) : !PT
  %id = arith.index_cast %token : vector<16xi32> to vector<16xindex>
  %column = vector.shape_cast %id : vector<16xindex> to vector<16x1xindex>
  %row = vector.broadcast %column : vector<16x1xindex> to vector<16x64xindex>
  %lane = tile.iota 1 : vector<16x64xindex>
  %first = arith.muli %b, %c16 : index
  %base = vector.broadcast %first : index to vector<16x64xindex>
  %number = tile.iota 0 : vector<16x64xindex>
  %at = arith.addi %base, %number : vector<16x64xindex>
  %end = vector.broadcast %n : index to vector<16x64xindex>
  %inside = arith.cmpi slt, %at, %end : vector<16x64xindex>
  %g = tile.gather %e[%row, %lane], %inside pad(zero) : !E, vector<16x64xindex>, vector<16x64xindex>, vector<16x64xi1>
  tile.store %g, %out : !P
}
