// expect: VERIFIED
// The places are gathered from the end of a permutation.
!I = !tile.tensor<[N] x i32, shared>
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
tile.kernel @permute(%perm: !I, %x: !X, %y: !Y) grid [ceildiv(N, 64)]
    given [within(%perm, 0, N), distinct(%perm)] {
  %c64 = arith.constant 64 : index
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %lane = tile.iota 0 : vector<64xindex>
  %first = arith.muli %i, %c64 : index
  %firsts = vector.broadcast %first : index to vector<64xindex>
  %row = arith.addi %firsts, %lane : vector<64xindex>
  %ns = vector.broadcast %n : index to vector<64xindex>
  %ones = arith.constant dense<1> : vector<64xindex>
  %in = arith.cmpi slt, %row, %ns : vector<64xindex>
  %last = arith.subi %ns, %ones : vector<64xindex>
  %from = arith.subi %last, %row : vector<64xindex>
  %to32 = tile.gather %perm[%from], %in pad(zero) : !I, vector<64xindex>, vector<64xi1>
  %to = arith.index_cast %to32 : vector<64xi32> to vector<64xindex>
  %v = tile.gather %x[%row], %in pad(zero) : !X, vector<64xindex>, vector<64xi1>
  tile.scatter %v, %y[%to], %in : vector<64xf32>, !Y, vector<64xindex>, vector<64xi1>
}
