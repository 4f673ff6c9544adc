// expect: REFUTED gather.bounds
// twin: argmin_lanes.good.mlir
// The table is one short.
!X = !tile.tensor<[M, N] x i32, shared>
!T = !tile.tensor<[3] x f32, shared>
!Y = !tile.tensor<[M] x f32, out>
!PX = !tile.partition<[4, 4], [M, N] x i32, shared>
!PY = !tile.partition<[4], [M] x f32, out>
!P = !tile.piece<[4] x f32, out>
tile.kernel @choose(%x: !X, %t: !T, %y: !Y) grid [ceildiv(M, 4)] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [4, 4] : !X
  %py = tile.partition %y by [4] : !Y
  %rows = tile.load %px[%i, %c0] pad(zero) : !PX
  %least32 = tile.argmin %rows, 1 : vector<4x4xi32>
  %least = arith.index_cast %least32 : vector<4xi32> to vector<4xindex>
  %w = tile.gather %t[%least] : !T, vector<4xindex>
  %out = tile.claim %py[%i] : !PY
  tile.store %w, %out : !P
}
