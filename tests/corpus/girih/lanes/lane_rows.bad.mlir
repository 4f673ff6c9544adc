// expect: REFUTED gather.bounds
// twin: lane_rows.good.mlir
// A token may lie behind the table: only its lower bound is asked for.
!T = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V, 64] x f32, shared>
!Y = !tile.tensor<[N, 64] x f32, out>
!PT = !tile.partition<[16], [N] x i32, shared>
!PY = !tile.partition<[16, 64], [N, 64] x f32, out>
!P = !tile.piece<[16, 64] x f32, out>
tile.kernel @lane_rows(%t: !T, %e: !E, %y: !Y) grid [ceildiv(N, 16)] {
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %v = tile.symbol "V" : index
  %pt = tile.partition %t by [16] : !T
  %py = tile.partition %y by [16, 64] : !Y
  %out = tile.claim %py[%b, %c0] : !PY
  %token = tile.load %pt[%b] pad(zero) : !PT
  %id = arith.index_cast %token : vector<16xi32> to vector<16xindex>
  %column = vector.shape_cast %id : vector<16xindex> to vector<16x1xindex>
  %row = vector.broadcast %column : vector<16x1xindex> to vector<16x64xindex>
  %lane = tile.iota 1 : vector<16x64xindex>
  %zero = arith.constant dense<0> : vector<16x64xindex>
  %size = vector.broadcast %v : index to vector<16x64xindex>
  %low = arith.cmpi sge, %row, %zero : vector<16x64xindex>
  %high = arith.cmpi slt, %row, %size : vector<16x64xindex>
  %known = arith.andi %low, %high : vector<16x64xi1>
  %g = tile.gather %e[%row, %lane], %low pad(zero) : !E, vector<16x64xindex>, vector<16x64xindex>, vector<16x64xi1>
  tile.store %g, %out : !P
}
