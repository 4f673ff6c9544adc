// Floats of 8 bits: rounded from every wider type, moved, selected, gathered,
// scattered, multiplied, and their bits.
!A = !tile.tensor<[M, 32] x f32, shared>
!B = !tile.tensor<[M, 32] x f8E4M3FN, shared>
!C = !tile.tensor<[32, 16] x f8E5M2, shared>
!D = !tile.tensor<[M, 32] x f8E4M3FN, out>
!E = !tile.tensor<[M, 32] x f8E5M2, own>
!H = !tile.tensor<[M, 16] x f32, out>
!I = !tile.tensor<[M, 32] x i8, out>
!PA = !tile.partition<[16, 32], [M, 32] x f32, shared>
!PB = !tile.partition<[16, 32], [M, 32] x f8E4M3FN, shared>
!PC = !tile.partition<[32, 16], [32, 16] x f8E5M2, shared>
!PD = !tile.partition<[16, 32], [M, 32] x f8E4M3FN, out>
!PE = !tile.partition<[16, 32], [M, 32] x f8E5M2, own>
!PH = !tile.partition<[16, 16], [M, 16] x f32, out>
!PI = !tile.partition<[16, 32], [M, 32] x i8, out>
!QD = !tile.piece<[16, 32] x f8E4M3FN, out>
!QE = !tile.piece<[16, 32] x f8E5M2, own>
!QH = !tile.piece<[16, 16] x f32, out>
!QI = !tile.piece<[16, 32] x i8, out>
tile.kernel @small_floats(%a: !A, %b: !B, %c: !C, %d: !D, %e: !E, %h: !H, %i: !I)
    grid [ceildiv(M, 16)] {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %n = tile.block_id 0
  %m = tile.symbol "M" : index
  %pa = tile.partition %a by [16, 32] : !A
  %pb = tile.partition %b by [16, 32] : !B
  %pc = tile.partition %c by [32, 16] : !C
  %pd = tile.partition %d by [16, 32] : !D
  %pe = tile.partition %e by [16, 32] : !E
  %ph = tile.partition %h by [16, 16] : !H
  %pi = tile.partition %i by [16, 32] : !I
  %od = tile.claim %pd[%n, %c0] : !PD
  %oe = tile.claim %pe[%n, %c0] : !PE
  %oh = tile.claim %ph[%n, %c0] : !PH
  %oi = tile.claim %pi[%n, %c0] : !PI
  %va = tile.load %pa[%n, %c0] pad(zero) : !PA
  %vb = tile.load %pb[%n, %c0] pad(nan) : !PB
  %vc = tile.load %pc[%c0, %c0] : !PC
  %ve = tile.load %oe pad(neg_inf) : !QE
  %fa = tile.convert %va : vector<16x32xf32> to vector<16x32xf8E4M3FN>
  %ga = tile.convert %va : vector<16x32xf32> to vector<16x32xf8E5M2>
  %half = arith.truncf %va : vector<16x32xf32> to vector<16x32xf16>
  %brain = arith.truncf %va : vector<16x32xf32> to vector<16x32xbf16>
  %fh = tile.convert %half : vector<16x32xf16> to vector<16x32xf8E4M3FN>
  %gb = tile.convert %brain : vector<16x32xbf16> to vector<16x32xf8E5M2>
  %wide = arith.extf %vb : vector<16x32xf8E4M3FN> to vector<16x32xf32>
  %wider = arith.extf %ve : vector<16x32xf8E5M2> to vector<16x32xf16>
  %more = arith.extf %wider : vector<16x32xf16> to vector<16x32xf32>
  %less = arith.cmpf olt, %wide, %more : vector<16x32xf32>
  %one = arith.constant dense<1.5> : vector<16x32xf8E4M3FN>
  %fs = arith.select %less, %fa, %fh : vector<16x32xi1>, vector<16x32xf8E4M3FN>
  %gs = arith.select %less, %ga, %gb : vector<16x32xi1>, vector<16x32xf8E5M2>
  %turned = vector.transpose %fs, [1, 0] : vector<16x32xf8E4M3FN> to vector<32x16xf8E4M3FN>
  %flat = vector.shape_cast %turned : vector<32x16xf8E4M3FN> to vector<512xf8E4M3FN>
  %lined = vector.shape_cast %flat : vector<512xf8E4M3FN> to vector<32x16xf8E4M3FN>
  %back = vector.transpose %lined, [1, 0] : vector<32x16xf8E4M3FN> to vector<16x32xf8E4M3FN>
  // The bits of numbers, not of NaN.
  %ordered = arith.cmpf ord, %va, %va : vector<16x32xf32>
  %known = arith.select %ordered, %back, %one : vector<16x32xi1>, vector<16x32xf8E4M3FN>
  %bits = arith.bitcast %known : vector<16x32xf8E4M3FN> to vector<16x32xi8>
  tile.store %bits, %oi : !QI
  tile.store %back, %od : !QD
  tile.store %gs, %oe : !QE
  // The products of what is in the next rows, if there are any, and of c.
  %lane = tile.iota 0 : vector<16x32xindex>
  %col = tile.iota 1 : vector<16x32xindex>
  %first = arith.muli %n, %c16 : index
  %start = vector.broadcast %first : index to vector<16x32xindex>
  %row = arith.addi %start, %lane : vector<16x32xindex>
  %rows = vector.broadcast %m : index to vector<16x32xindex>
  %in = arith.cmpi slt, %row, %rows : vector<16x32xindex>
  %g = tile.gather %b[%row, %col], %in pad(zero) : !B, vector<16x32xindex>, vector<16x32xindex>, vector<16x32xi1>
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %small = arith.extf %g : vector<16x32xf8E4M3FN> to vector<16x32xf32>
  %again = tile.convert %small : vector<16x32xf32> to vector<16x32xf8E5M2>
  %p = tile.mma %again, %vc, %zero : vector<16x32xf8E5M2>, vector<32x16xf8E5M2>, vector<16x16xf32>
  %ct = vector.transpose %g, [1, 0] : vector<16x32xf8E4M3FN> to vector<32x16xf8E4M3FN>
  %q = tile.mma %g, %ct, %p : vector<16x32xf8E4M3FN>, vector<32x16xf8E4M3FN>, vector<16x16xf32>
  tile.store %q, %oh : !QH
  tile.scatter %gb, %e[%row, %col], %in : vector<16x32xf8E5M2>, !E, vector<16x32xindex>, vector<16x32xindex>, vector<16x32xi1>
}
