// Shifts and bitcasts in every width.
!A = !tile.tensor<[N] x i8, shared>
!B = !tile.tensor<[N] x i16, shared>
!C = !tile.tensor<[N] x i32, shared>
!D = !tile.tensor<[N] x i64, shared>
!YA = !tile.tensor<[N] x i8, out>
!YB = !tile.tensor<[N] x f16, out>
!YC = !tile.tensor<[N] x f32, out>
!YD = !tile.tensor<[N] x i64, out>
!PA = !tile.partition<[16], [N] x i8, shared>
!PB = !tile.partition<[16], [N] x i16, shared>
!PC = !tile.partition<[16], [N] x i32, shared>
!PD = !tile.partition<[16], [N] x i64, shared>
!QA = !tile.partition<[16], [N] x i8, out>
!QB = !tile.partition<[16], [N] x f16, out>
!QC = !tile.partition<[16], [N] x f32, out>
!QD = !tile.partition<[16], [N] x i64, out>
!RA = !tile.piece<[16] x i8, out>
!RB = !tile.piece<[16] x f16, out>
!RC = !tile.piece<[16] x f32, out>
!RD = !tile.piece<[16] x i64, out>
tile.kernel @moved_bits(%a: !A, %b: !B, %c: !C, %d: !D, %ya: !YA, %yb: !YB, %yc: !YC, %yd: !YD)
    grid [ceildiv(N, 16)] {
  %three = arith.constant dense<3> : vector<16xi8>
  %fifteen = arith.constant dense<15> : vector<16xi16>
  %ten = arith.constant dense<10> : vector<16xi16>
  %mask = arith.constant dense<126> : vector<16xi32>
  %to_exponent = arith.constant dense<23> : vector<16xi32>
  %most = arith.constant dense<63> : vector<16xi64>
  %one = arith.constant dense<1> : vector<16xi64>
  %i = tile.block_id 0
  %pa = tile.partition %a by [16] : !A
  %pb = tile.partition %b by [16] : !B
  %pc = tile.partition %c by [16] : !C
  %pd = tile.partition %d by [16] : !D
  %qa = tile.partition %ya by [16] : !YA
  %qb = tile.partition %yb by [16] : !YB
  %qc = tile.partition %yc by [16] : !YC
  %qd = tile.partition %yd by [16] : !YD
  %ra = tile.claim %qa[%i] : !QA
  %rb = tile.claim %qb[%i] : !QB
  %rc = tile.claim %qc[%i] : !QC
  %rd = tile.claim %qd[%i] : !QD
  %va = tile.load %pa[%i] pad(zero) : !PA
  %vb = tile.load %pb[%i] pad(zero) : !PB
  %vc = tile.load %pc[%i] pad(zero) : !PC
  %vd = tile.load %pd[%i] pad(zero) : !PD
  %a1 = arith.shli %va, %three : vector<16xi8>
  %a2 = arith.shrsi %a1, %three : vector<16xi8>
  // The sign and ten digits of a half, with the exponent of 1.
  %b1 = arith.shrui %vb, %fifteen : vector<16xi16>
  %b2 = arith.shli %b1, %ten : vector<16xi16>
  %b3 = arith.bitcast %b2 : vector<16xi16> to vector<16xf16>
  %c1 = arith.andi %vc, %mask : vector<16xi32>
  %c2 = arith.shli %c1, %to_exponent : vector<16xi32>
  %c3 = arith.bitcast %c2 : vector<16xi32> to vector<16xf32>
  %d1 = arith.shrsi %vd, %most : vector<16xi64>
  %d2 = arith.shrui %vd, %one : vector<16xi64>
  %d3 = arith.xori %d1, %d2 : vector<16xi64>
  tile.store %a2, %ra : !RA
  tile.store %b3, %rb : !RB
  tile.store %c3, %rc : !RC
  tile.store %d3, %rd : !RD
}
