// Parts of vectors and vectors put together, of several ranks, axes and
// elements: a lane that comes from elsewhere is another number.
!X = !tile.tensor<[M, 8, 4] x f32, shared>
!F = !tile.tensor<[M, 4, 8] x f32, out>
!I = !tile.tensor<[M, 16] x i32, shared>
!J = !tile.tensor<[M, 16] x i8, out>
!H = !tile.tensor<[M, 4, 2, 2, 4] x f16, out>
!L = !tile.tensor<[M, 32] x i64, out>
!S = !tile.tensor<[M, 2, 8] x i32, out>
!PX = !tile.partition<[_, 8, 4], [M, 8, 4] x f32, shared>
!PF = !tile.partition<[_, 4, 8], [M, 4, 8] x f32, out>
!PI = !tile.partition<[_, 16], [M, 16] x i32, shared>
!PJ = !tile.partition<[_, 16], [M, 16] x i8, out>
!PH = !tile.partition<[_, 4, 2, 2, 4], [M, 4, 2, 2, 4] x f16, out>
!PL = !tile.partition<[_, 32], [M, 32] x i64, out>
!PS = !tile.partition<[_, 2, 8], [M, 2, 8] x i32, out>
!QF = !tile.piece<[_, 4, 8] x f32, out>
!QJ = !tile.piece<[_, 16] x i8, out>
!QH = !tile.piece<[_, 4, 2, 2, 4] x f16, out>
!QL = !tile.piece<[_, 32] x i64, out>
!QS = !tile.piece<[_, 2, 8] x i32, out>
tile.kernel @parts(%x: !X, %n: !I, %f: !F, %j: !J, %h: !H, %l: !L, %s: !S)
    grid [M] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %px = tile.partition %x by [_, 8, 4] : !X
  %pn = tile.partition %n by [_, 16] : !I
  %pf = tile.partition %f by [_, 4, 8] : !F
  %pj = tile.partition %j by [_, 16] : !J
  %ph = tile.partition %h by [_, 4, 2, 2, 4] : !H
  %pl = tile.partition %l by [_, 32] : !L
  %ps = tile.partition %s by [_, 2, 8] : !S
  %of = tile.claim %pf[%m, %c0, %c0] : !PF
  %oj = tile.claim %pj[%m, %c0] : !PJ
  %oh = tile.claim %ph[%m, %c0, %c0, %c0, %c0] : !PH
  %ol = tile.claim %pl[%m, %c0] : !PL
  %os = tile.claim %ps[%m, %c0, %c0] : !PS
  %v = tile.load %px[%m, %c0, %c0] : !PX
  %w = tile.load %pn[%m, %c0] : !PI

  // Floats of 32 bits, along both axes: the second half of the rows beside the
  // first, columns 2 and 3 behind each other's.
  %v0 = tile.extract %v[0, 0] : vector<8x4xf32> to vector<4x4xf32>
  %v1 = tile.extract %v[1, 0] : vector<8x4xf32> to vector<4x4xf32>
  %v10 = tile.cat %v1, %v0, 1 : vector<4x4xf32>
  tile.store %v10, %of : !QF

  // Halves of four axes: of one lane, of one part, doubled twice.
  %small = arith.truncf %v : vector<8x4xf32> to vector<8x4xf16>
  %deep = vector.shape_cast %small : vector<8x4xf16> to vector<2x4x1x4xf16>
  %d1 = tile.extract %deep[1, 1, 0, 3] : vector<2x4x1x4xf16> to vector<1x2x1x1xf16>
  %d2 = tile.extract %deep[0, 1, 0, 1] : vector<2x4x1x4xf16> to vector<1x2x1x1xf16>
  %d3 = tile.cat %d1, %d2, 2 : vector<1x2x1x1xf16>
  %d4 = tile.cat %d3, %d3, 0 : vector<1x2x2x1xf16>
  %d5 = tile.extract %deep[0, 0, 0, 0] : vector<2x4x1x4xf16> to vector<2x2x1x1xf16>
  %d6 = tile.cat %d5, %d5, 2 : vector<2x2x1x1xf16>
  %d7 = tile.cat %d4, %d6, 3 : vector<2x2x2x1xf16>
  %d8 = tile.cat %d7, %d7, 3 : vector<2x2x2x2xf16>
  %d9 = tile.cat %d8, %d8, 0 : vector<2x2x2x4xf16>
  tile.store %d9, %oh : !QH

  // Integers of 32 bits and of 8, and truths.
  %narrow = arith.trunci %w : vector<16xi32> to vector<16xi8>
  %n3 = tile.extract %narrow[3] : vector<16xi8> to vector<4xi8>
  %n0 = tile.extract %narrow[0] : vector<16xi8> to vector<4xi8>
  %n30 = tile.cat %n3, %n0, 0 : vector<4xi8>
  %n1 = tile.extract %narrow[1] : vector<16xi8> to vector<8xi8>
  %n301 = tile.cat %n30, %n1, 0 : vector<8xi8>
  %zero = arith.constant dense<0> : vector<16xi8>
  %below = arith.cmpi slt, %narrow, %zero : vector<16xi8>
  %b1 = tile.extract %below[1] : vector<16xi1> to vector<8xi1>
  %b0 = tile.extract %below[0] : vector<16xi1> to vector<8xi1>
  %b10 = tile.cat %b1, %b0, 0 : vector<8xi1>
  %chosen = arith.select %b10, %n301, %narrow : vector<16xi1>, vector<16xi8>
  tile.store %chosen, %oj : !QJ

  // Numbers of lanes of type index, and what a reduction gives.
  %lane = tile.iota 0 : vector<32xindex>
  %back = tile.extract %lane[1] : vector<32xindex> to vector<16xindex>
  %front = tile.extract %lane[0] : vector<32xindex> to vector<16xindex>
  %turned = tile.cat %back, %front, 0 : vector<16xindex>
  %long = arith.index_cast %turned : vector<32xindex> to vector<32xi64>
  tile.store %long, %ol : !QL

  %square = vector.shape_cast %w : vector<16xi32> to vector<2x8xi32>
  %most = tile.reduce max %square, 0 : vector<2x8xi32>
  %most1 = tile.extract %most[1] : vector<8xi32> to vector<4xi32>
  %most0 = tile.extract %most[0] : vector<8xi32> to vector<4xi32>
  %mosts = tile.cat %most1, %most0, 0 : vector<4xi32>
  %row = vector.shape_cast %mosts : vector<8xi32> to vector<1x8xi32>
  %first = tile.extract %square[1, 0] : vector<2x8xi32> to vector<1x8xi32>
  %rows = tile.cat %first, %row, 0 : vector<1x8xi32>
  tile.store %rows, %os : !QS
}
