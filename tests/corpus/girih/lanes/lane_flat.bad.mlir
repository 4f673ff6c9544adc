// expect: REFUTED gather.bounds
// twin: lane_flat.good.mlir
// Nothing bounds the tensor: beyond 2^31 elements an address is negative.
!A = !tile.tensor<[S] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PY = !tile.partition<[16, 16], [M, N] x f32, out>
!P = !tile.piece<[16, 16] x f32, out>
tile.kernel @lane_flat(%a: !A, %y: !Y) symbols [ld : index]
    grid [ceildiv(M, 16), ceildiv(N, 16)]
    requires [ld >= N, S >= M * ld] {
  %bm = tile.block_id 0
  %bn = tile.block_id 1
  %m = tile.symbol "M" : index
  %n = tile.symbol "N" : index
  %ldi = tile.symbol "ld" : index
  %py = tile.partition %y by [16, 16] : !Y
  %out = tile.claim %py[%bm, %bn] : !PY
  %pm = arith.index_cast %bm : index to i32
  %pn = arith.index_cast %bn : index to i32
  %m32 = arith.index_cast %m : index to i32
  %n32 = arith.index_cast %n : index to i32
  %ld = arith.index_cast %ldi : index to i32
  %c16 = arith.constant 16 : i32
  %m0 = arith.muli %pm, %c16 : i32
  %n0 = arith.muli %pn, %c16 : i32
  %i = tile.iota 0 : vector<16x16xi32>
  %j = tile.iota 1 : vector<16x16xi32>
  %mb = vector.broadcast %m0 : i32 to vector<16x16xi32>
  %nb = vector.broadcast %n0 : i32 to vector<16x16xi32>
  %row = arith.addi %mb, %i : vector<16x16xi32>
  %col = arith.addi %nb, %j : vector<16x16xi32>
  %ms = vector.broadcast %m32 : i32 to vector<16x16xi32>
  %ns = vector.broadcast %n32 : i32 to vector<16x16xi32>
  %inm = arith.cmpi slt, %row, %ms : vector<16x16xi32>
  %inn = arith.cmpi slt, %col, %ns : vector<16x16xi32>
  %in = arith.andi %inm, %inn : vector<16x16xi1>
  %lds = vector.broadcast %ld : i32 to vector<16x16xi32>
  %start = arith.muli %row, %lds : vector<16x16xi32>
  %offset = arith.addi %start, %col : vector<16x16xi32>
  %at = arith.index_cast %offset : vector<16x16xi32> to vector<16x16xindex>
  %v = tile.gather %a[%at], %in pad(zero) : !A, vector<16x16xindex>, vector<16x16xi1>
  tile.store %v, %out : !P
}
