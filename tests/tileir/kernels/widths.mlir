// Arithmetic in every width: i1, i8, i16, i64, bf16, f16, f64; NaN and subnormal
// numbers are among the data.
!A = !tile.tensor<[N] x i16, shared, align = 2>
!L = !tile.tensor<[N] x i64, shared>
!S = !tile.tensor<[N] x bf16, shared>
!H = !tile.tensor<[N] x f16, shared>
!D = !tile.tensor<[N] x f64, shared>
!F = !tile.tensor<[N] x f32, shared>
!Y16 = !tile.tensor<[N] x i16, out>
!Y64 = !tile.tensor<[N] x i64, out>
!YS = !tile.tensor<[N] x bf16, out>
!YH = !tile.tensor<[N] x f16, out>
!YD = !tile.tensor<[N] x f64, out>
!YF = !tile.tensor<[4, N] x f32, out partial>
!PA = !tile.partition<[16], [N] x i16, shared, align = 2>
!PL = !tile.partition<[16], [N] x i64, shared>
!PS = !tile.partition<[16], [N] x bf16, shared>
!PH = !tile.partition<[16], [N] x f16, shared>
!PD = !tile.partition<[16], [N] x f64, shared>
!PF = !tile.partition<[16], [N] x f32, shared>
!Q16 = !tile.partition<[16], [N] x i16, out>
!Q64 = !tile.partition<[16], [N] x i64, out>
!QS = !tile.partition<[16], [N] x bf16, out>
!QH = !tile.partition<[16], [N] x f16, out>
!QD = !tile.partition<[16], [N] x f64, out>
!QF = !tile.partition<[_, 16], [4, N] x f32, out partial>
!R16 = !tile.piece<[16] x i16, out>
!R64 = !tile.piece<[16] x i64, out>
!RS = !tile.piece<[16] x bf16, out>
!RH = !tile.piece<[16] x f16, out>
!RD = !tile.piece<[16] x f64, out>
!RF = !tile.piece<[_, 16] x f32, out>
tile.kernel @widths(%a: !A, %l: !L, %s: !S, %h: !H, %d: !D, %f: !F, %y16: !Y16,
    %y64: !Y64, %ys: !YS, %yh: !YH, %yd: !YD, %yf: !YF, %alpha: f64)
    grid [ceildiv(N, 16)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %pa = tile.partition %a by [16] : !A
  %pl = tile.partition %l by [16] : !L
  %ps = tile.partition %s by [16] : !S
  %ph = tile.partition %h by [16] : !H
  %pd = tile.partition %d by [16] : !D
  %pf = tile.partition %f by [16] : !F
  %q16 = tile.partition %y16 by [16] : !Y16
  %q64 = tile.partition %y64 by [16] : !Y64
  %qs = tile.partition %ys by [16] : !YS
  %qh = tile.partition %yh by [16] : !YH
  %qd = tile.partition %yd by [16] : !YD
  %qf = tile.partition %yf by [_, 16] : !YF
  %o16 = tile.claim %q16[%i] : !Q16
  %o64 = tile.claim %q64[%i] : !Q64
  %os = tile.claim %qs[%i] : !QS
  %oh = tile.claim %qh[%i] : !QH
  %od = tile.claim %qd[%i] : !QD
  %f0 = tile.claim %qf[%c0, %i] : !QF
  %f1 = tile.claim %qf[%c1, %i] : !QF
  %f2 = tile.claim %qf[%c2, %i] : !QF
  %f3 = tile.claim %qf[%c3, %i] : !QF
  %va = tile.load %pa[%i] pad(zero) : !PA
  %vl = tile.load %pl[%i] pad(zero) : !PL
  %vs = tile.load %ps[%i] pad(zero) : !PS
  %vh = tile.load %ph[%i] pad(zero) : !PH
  %vd = tile.load %pd[%i] pad(zero) : !PD
  %vf = tile.load %pf[%i] pad(zero) : !PF

  %n10 = arith.trunci %vl : vector<16xi64> to vector<16xi16>
  %wide = arith.extsi %va : vector<16xi16> to vector<16xi64>
  %plain = arith.extsi %n10 : vector<16xi16> to vector<16xi64>
  %m0 = arith.muli %wide, %vl : vector<16xi64>
  %m1 = arith.subi %m0, %plain : vector<16xi64>
  %m2 = arith.maxsi %m1, %vl : vector<16xi64>
  tile.store %m2, %o64 : !R64
  %n0 = arith.muli %va, %va : vector<16xi16>
  %n1 = arith.minsi %n0, %va : vector<16xi16>
  %n2 = arith.cmpi slt, %va, %n10 : vector<16xi16>
  %n3 = arith.cmpi ne, %n1, %n10 : vector<16xi16>
  %n4 = arith.addi %n2, %n3 : vector<16xi1>
  %n5 = arith.muli %n4, %n3 : vector<16xi1>
  %n6 = arith.maxsi %n4, %n2 : vector<16xi1>
  %n7 = arith.cmpi slt, %n5, %n6 : vector<16xi1>
  %n8 = arith.subi %n7, %n2 : vector<16xi1>
  %n9 = arith.extsi %n6 : vector<16xi1> to vector<16xi16>
  %n11 = arith.select %n4, %n9, %n10 : vector<16xi1>, vector<16xi16>
  tile.store %n11, %o16 : !R16

  %s0 = arith.addf %vs, %vs : vector<16xbf16>
  %s1 = arith.mulf %s0, %vs : vector<16xbf16>
  %s2 = arith.maximumf %s1, %vs : vector<16xbf16>
  tile.store %s2, %os : !RS
  %h1 = arith.mulf %vh, %vh : vector<16xf16>
  %hf = arith.truncf %vf : vector<16xf32> to vector<16xf16>
  %hm = arith.minnumf %hf, %vh : vector<16xf16>
  %hx = arith.maxnumf %h1, %hf : vector<16xf16>
  %h2 = arith.minnumf %hm, %hx : vector<16xf16>
  %h3 = arith.subf %vh, %h2 : vector<16xf16>
  %ord = arith.cmpf ord, %h2, %h3 : vector<16xf16>
  %h4 = arith.select %ord, %h3, %h2 : vector<16xi1>, vector<16xf16>
  tile.store %h4, %oh : !RH
  %al = vector.broadcast %alpha : f64 to vector<16xf64>
  %d0 = arith.mulf %vd, %al : vector<16xf64>
  %d1 = arith.sitofp %vl : vector<16xi64> to vector<16xf64>
  %d3 = math.fma %vd, %d0, %vd : vector<16xf64>
  %d2 = arith.addf %d3, %d1 : vector<16xf64>
  tile.store %d2, %od : !RD
  %e0 = arith.sitofp %vl : vector<16xi64> to vector<16xf32>
  tile.store %e0, %f0 : !RF
  %e1 = arith.truncf %vd : vector<16xf64> to vector<16xf32>
  %e2 = arith.addf %e1, %vf : vector<16xf32>
  tile.store %e2, %f1 : !RF
  %e3 = arith.sitofp %n4 : vector<16xi1> to vector<16xf32>
  %e4 = arith.mulf %vf, %vf : vector<16xf32>
  %e5 = arith.addf %e3, %vf : vector<16xf32>
  tile.store %e5, %f2 : !RF
  %one = arith.cmpf one, %vf, %e2 : vector<16xf32>
  %ule = arith.cmpf ule, %vf, %e4 : vector<16xf32>
  %ogt = arith.cmpf ogt, %e2, %e4 : vector<16xf32>
  %b0 = arith.andi %one, %ule : vector<16xi1>
  %bx = arith.xori %b0, %ogt : vector<16xi1>
  %b1 = arith.xori %bx, %n8 : vector<16xi1>
  %e6 = arith.select %b1, %vf, %e2 : vector<16xi1>, vector<16xf32>
  tile.store %e6, %f3 : !RF
}
