// expect: VERIFIED
// The flat address of a two-dimensional tile, as an index.
!A = !tile.tensor<[S] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 16], [M, N] x f32, out>
!P = !tile.piece<[16, 16] x f32, out>
tile.kernel @lane_offsets(%a: !A, %y: !Y) symbols [ld : index]
    grid [ceildiv(M, 16), ceildiv(N, 16)]
    requires [ld >= N, S >= M * ld, S <= 1099511627776] {
  %bm = tile.block_id 0
  %bn = tile.block_id 1
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %ld = tile.symbol "ld" : index
  %py = tile.partition %y by [16, 16] : !Y
  %out = tile.claim %py[%bm, %bn] : !PY
  %c16 = arith.constant 16 : index
  %m0 = arith.muli %bm, %c16 : index
  %n0 = arith.muli %bn, %c16 : index
  %i = tile.iota 0 : vector<16x16xindex>
  %j = tile.iota 1 : vector<16x16xindex>
  %mb = vector.broadcast %m0 : index to vector<16x16xindex>
  %nb = vector.broadcast %n0 : index to vector<16x16xindex>
  %row = arith.addi %mb, %i : vector<16x16xindex>
  %col = arith.addi %nb, %j : vector<16x16xindex>
  %ms = vector.broadcast %m : index to vector<16x16xindex>
  %ns = vector.broadcast %n : index to vector<16x16xindex>
  %inm = arith.cmpi slt, %row, %ms : vector<16x16xindex>
  %inn = arith.cmpi slt, %col, %ns : vector<16x16xindex>
  %in = arith.andi %inm, %inn : vector<16x16xi1>
  %lds = vector.broadcast %ld : index to vector<16x16xindex>
  %start = arith.muli %row, %lds : vector<16x16xindex>
  %at = arith.addi %start, %col : vector<16x16xindex>
  %v = tile.gather %a[%at], %in pad(zero) : !A, vector<16x16xindex>, vector<16x16xi1>
  tile.store %v, %out : !P
}
