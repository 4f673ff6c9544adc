// Every atomic that integers and floats have, by several blocks and trips, ragged
// tiles and a view.
!X = !tile.tensor<[N] x i64, shared>
!F = !tile.tensor<[N] x f32, shared>
!IA = !tile.tensor<[N] x i64, atomic<add>>
!IB = !tile.tensor<[N] x i32, atomic<add>>
!IC = !tile.tensor<[N] x i64, atomic<min>>
!ID = !tile.tensor<[N] x i32, atomic<max>>
!IE = !tile.tensor<[N] x i64, atomic<and>>
!IF = !tile.tensor<[N] x i32, atomic<or>>
!IG = !tile.tensor<[N] x i32, atomic<xor>>
!FA = !tile.tensor<[N] x f32, atomic<add>>
!FB = !tile.tensor<[2, N] x f64, atomic<add>>
!FBR = !tile.tensor<[N] x f64, atomic<add>>
!FC = !tile.tensor<[N] x f16, atomic<add>>
!PX = !tile.partition<[16], [N] x i64, shared>
!PF = !tile.partition<[16], [N] x f32, shared>
!PA = !tile.partition<[16], [N] x i64, atomic<add>>
!PB = !tile.partition<[16], [N] x i32, atomic<add>>
!PC = !tile.partition<[16], [N] x i64, atomic<min>>
!PD = !tile.partition<[16], [N] x i32, atomic<max>>
!PE = !tile.partition<[16], [N] x i64, atomic<and>>
!PI = !tile.partition<[16], [N] x i32, atomic<or>>
!PG = !tile.partition<[16], [N] x i32, atomic<xor>>
!QA = !tile.partition<[16], [N] x f32, atomic<add>>
!QB = !tile.partition<[16], [N] x f64, atomic<add>>
!QC = !tile.partition<[16], [N] x f16, atomic<add>>
tile.kernel @atomics(%x: !X, %f: !F, %a: !IA, %b: !IB, %c: !IC, %d: !ID, %e: !IE, %g: !IF,
    %h: !IG, %u: !FA, %v: !FB, %w: !FC) grid [ceildiv(N, 16), 3] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [16] : !X
  %pf = tile.partition %f by [16] : !F
  %pa = tile.partition %a by [16] : !IA
  %pb = tile.partition %b by [16] : !IB
  %pc = tile.partition %c by [16] : !IC
  %pd = tile.partition %d by [16] : !ID
  %pe = tile.partition %e by [16] : !IE
  %pg = tile.partition %g by [16] : !IF
  %ph = tile.partition %h by [16] : !IG
  %qa = tile.partition %u by [16] : !FA
  %second = tile.view %v fix 0 at %c1 : !FB
  %qb = tile.partition %second by [16] : !FBR
  %qc = tile.partition %w by [16] : !FC
  %x0 = tile.load %px[%i] pad(zero) : !PX
  %f0 = tile.load %pf[%i] pad(zero) : !PF
  %jw = arith.index_cast %j : index to i64
  %js = vector.broadcast %jw : i64 to vector<16xi64>
  %x1 = arith.addi %x0, %js : vector<16xi64>
  %x2 = arith.trunci %x1 : vector<16xi64> to vector<16xi32>
  %f1 = arith.extf %f0 : vector<16xf32> to vector<16xf64>
  %f2 = arith.truncf %f0 : vector<16xf32> to vector<16xf16>
  scf.for %k = %c0 to %c2 step %c1 {
    tile.atomic add %x1, %pa[%i] : !PA
    tile.atomic add %f0, %qa[%i] : !QA
    tile.atomic add %f1, %qb[%i] : !QB
  }
  tile.atomic add %x2, %pb[%i] : !PB
  tile.atomic min %x1, %pc[%i] : !PC
  tile.atomic max %x2, %pd[%i] : !PD
  tile.atomic and %x1, %pe[%i] : !PE
  tile.atomic or %x2, %pg[%i] : !PI
  tile.atomic xor %x2, %ph[%i] : !PG
  tile.atomic add %f2, %qc[%i] : !QC
}
