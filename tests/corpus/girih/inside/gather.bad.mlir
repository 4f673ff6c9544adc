// expect: REFUTED gather.bounds
// twin: gather.good.mlir
// The mask of another tensor, which has more columns.
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!Z = !tile.tensor<[M, L] x f32, shared>
!PZ = !tile.partition<[16, 32], [M, L] x f32, shared>
!PY = !tile.partition<[16, 32], [M, N] x f32, out>
!P = !tile.piece<[16, 32] x f32, out>
tile.kernel @gather(%x: !X, %y: !Y, %z: !Z) grid [ceildiv(M, 16), ceildiv(N, 32)] {
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pz = tile.partition %z by [16, 32] : !Z
  %py = tile.partition %y by [16, 32] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  %in = tile.inside %pz[%i, %j] : !PZ
  %first_row = arith.muli %i, %c16 : index
  %first_col = arith.muli %j, %c32 : index
  %first_rows = vector.broadcast %first_row : index to vector<16x32xindex>
  %first_cols = vector.broadcast %first_col : index to vector<16x32xindex>
  %row = tile.iota 0 : vector<16x32xindex>
  %col = tile.iota 1 : vector<16x32xindex>
  %rows = arith.addi %first_rows, %row : vector<16x32xindex>
  %cols = arith.addi %first_cols, %col : vector<16x32xindex>
  %v = tile.gather %x[%rows, %cols], %in pad(1.5) : !X, vector<16x32xindex>, vector<16x32xindex>, vector<16x32xi1>
  tile.store %v, %out : !P
}
