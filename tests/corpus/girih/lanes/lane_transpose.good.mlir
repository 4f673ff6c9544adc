// expect: VERIFIED
// A tile is loaded by rows and stored by columns: lane (i, j) goes to (j, i).
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[N, M] x f32, out>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
tile.kernel @lane_transpose(%x: !X, %y: !Y) grid [ceildiv(M, 16), ceildiv(N, 32)] {
  %bm = tile.block_id 0
  %bn = tile.block_id 1
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [16, 32] : !X
  %v = tile.load %px[%bm, %bn] pad(zero) : !PX
  %m0 = arith.muli %bm, %c16 : index
  %n0 = arith.muli %bn, %c32 : index
  %i = tile.iota 0 : vector<16xindex>
  %j = tile.iota 0 : vector<32xindex>
  %mb = vector.broadcast %m0 : index to vector<16xindex>
  %nb = vector.broadcast %n0 : index to vector<32xindex>
  %mi = arith.addi %mb, %i : vector<16xindex>
  %nj = arith.addi %nb, %j : vector<32xindex>
  %rows = vector.shape_cast %mi : vector<16xindex> to vector<16x1xindex>
  %row = vector.broadcast %rows : vector<16x1xindex> to vector<16x32xindex>
  %col = vector.broadcast %nj : vector<32xindex> to vector<16x32xindex>
  %ms = vector.broadcast %m : index to vector<16x32xindex>
  %ns = vector.broadcast %n : index to vector<16x32xindex>
  %inm = arith.cmpi slt, %row, %ms : vector<16x32xindex>
  %inn = arith.cmpi slt, %col, %ns : vector<16x32xindex>
  %in = arith.andi %inm, %inn : vector<16x32xi1>
  tile.scatter %v, %y[%col, %row], %in : vector<16x32xf32>, !Y, vector<16x32xindex>, vector<16x32xindex>, vector<16x32xi1>
}
