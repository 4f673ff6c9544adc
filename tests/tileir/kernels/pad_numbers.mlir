// Paddings that are numbers: of tiles that are ragged along both axes, of the
// same tensor with another padding, of a view, of an axis with stride 0, of
// scales and of lanes. Each block writes whole tiles, so that every lane shows.
!X = !tile.tensor<[M, N] x f32, shared>
!B = !tile.tensor<[M, N] x i32, shared, strides [0, 1]>
!H = !tile.tensor<[M, N] x bf16, shared>
!HV = !tile.tensor<[M, N] x bf16, shared>
!E = !tile.tensor<[N] x f8E8M0FNU, shared>
!L = !tile.tensor<[N] x i64, shared>
!Y = !tile.tensor<[M, 4, 16] x f32, out>
!C = !tile.tensor<[M, 4, 16] x i32, out>
!K = !tile.tensor<[M, 4, 16] x bf16, out>
!F = !tile.tensor<[M, 16] x bf16, out>
!G = !tile.tensor<[M, 16] x i64, out>
!PX = !tile.partition<[4, 16], [M, N] x f32, shared>
!PB = !tile.partition<[4, 16], [M, N] x i32, shared, strides [0, 1]>
!PH = !tile.partition<[4, 16], [M, N] x bf16, shared>
!PE = !tile.partition<[16], [N] x f8E8M0FNU, shared>
!PL = !tile.partition<[16], [N] x i64, shared>
!PY = !tile.partition<[_, 4, 16], [M, 4, 16] x f32, out>
!PC = !tile.partition<[_, 4, 16], [M, 4, 16] x i32, out>
!PK = !tile.partition<[_, 4, 16], [M, 4, 16] x bf16, out>
!PF = !tile.partition<[_, 16], [M, 16] x bf16, out>
!PG = !tile.partition<[_, 16], [M, 16] x i64, out>
!QY = !tile.piece<[_, 4, 16] x f32, out>
!QC = !tile.piece<[_, 4, 16] x i32, out>
!QK = !tile.piece<[_, 4, 16] x bf16, out>
!QF = !tile.piece<[_, 16] x bf16, out>
!QG = !tile.piece<[_, 16] x i64, out>
tile.kernel @pad_numbers(%x: !X, %b: !B, %h: !H, %e: !E, %l: !L, %y: !Y, %c: !C, %k: !K, %f: !F, %g: !G)
    grid [M] requires [N >= 1, N <= 1000, M <= 50] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c16 = arith.constant 16 : index
  %r = tile.block_id 0
  %i = arith.divsi %r, %c4 : index
  %px = tile.partition %x by [4, 16] : !X
  %pb = tile.partition %b by [4, 16] : !B
  %hv = tile.view %h slice [0, 0] size [M, N] : !H
  %ph = tile.partition %hv by [4, 16] : !HV
  %pe = tile.partition %e by [16] : !E
  %pl = tile.partition %l by [16] : !L
  %n = tile.num_tiles %px, 1 : !PX
  %j = arith.subi %n, %c1 : index
  %py = tile.partition %y by [_, 4, 16] : !Y
  %pc = tile.partition %c by [_, 4, 16] : !C
  %pk = tile.partition %k by [_, 4, 16] : !K
  %pf = tile.partition %f by [_, 16] : !F
  %pg = tile.partition %g by [_, 16] : !G
  %oy = tile.claim %py[%r, %c0, %c0] : !PY
  %oc = tile.claim %pc[%r, %c0, %c0] : !PC
  %ok = tile.claim %pk[%r, %c0, %c0] : !PK
  %of = tile.claim %pf[%r, %c0] : !PF
  %og = tile.claim %pg[%r, %c0] : !PG
  %x1 = tile.load %px[%i, %j] pad(1.5) : !PX
  %x2 = tile.load %px[%i, %j] pad(-0.0) : !PX
  %x3 = tile.load %px[%i, %j] pad(-1024.0) : !PX
  %odd = tile.inside %px[%c0, %i] : !PX
  %x4 = arith.select %odd, %x2, %x3 : vector<4x16xi1>, vector<4x16xf32>
  %xs = arith.subf %x1, %x4 : vector<4x16xf32>
  tile.store %xs, %oy : !QY
  %b1 = tile.load %pb[%i, %j] pad(-3) : !PB
  tile.store %b1, %oc : !QC
  %h1 = tile.load %ph[%i, %j] pad(-0.25) : !PH
  tile.store %h1, %ok : !QK
  %e1 = tile.load %pe[%j] pad(4.0) : !PE
  %e2 = arith.extf %e1 : vector<16xf8E8M0FNU> to vector<16xbf16>
  tile.store %e2, %of : !QF
  %first = arith.muli %j, %c16 : index
  %firsts = vector.broadcast %first : index to vector<16xindex>
  %lane = tile.iota 0 : vector<16xindex>
  %at = arith.addi %firsts, %lane : vector<16xindex>
  %in = tile.inside %pl[%j] : !PL
  %l1 = tile.gather %l[%at], %in pad(-9000000000) : !L, vector<16xindex>, vector<16xi1>
  %l2 = tile.load %pl[%j] pad(5) : !PL
  %l3 = arith.addi %l1, %l2 : vector<16xi64>
  tile.store %l3, %og : !QG
}
