// Parts of vectors of the other formats, put together in another order.
!A = !tile.tensor<[M, 16] x f8E4M3FN, shared>
!B = !tile.tensor<[M, 16] x f8E5M2, shared>
!S = !tile.tensor<[M, 16] x f8E8M0FNU, shared>
!C = !tile.tensor<[M, 16] x f8E4M3FN, out>
!D = !tile.tensor<[M, 16] x f8E5M2, out>
!T = !tile.tensor<[M, 16] x f8E8M0FNU, out>
!E = !tile.tensor<[M, 16] x f64, out>
!G = !tile.tensor<[M, 16] x bf16, out>
!H = !tile.tensor<[M, 16] x i16, out>
!PA = !tile.partition<[_, 16], [M, 16] x f8E4M3FN, shared>
!PB = !tile.partition<[_, 16], [M, 16] x f8E5M2, shared>
!PS = !tile.partition<[_, 16], [M, 16] x f8E8M0FNU, shared>
!PC = !tile.partition<[_, 16], [M, 16] x f8E4M3FN, out>
!PD = !tile.partition<[_, 16], [M, 16] x f8E5M2, out>
!PT = !tile.partition<[_, 16], [M, 16] x f8E8M0FNU, out>
!PE = !tile.partition<[_, 16], [M, 16] x f64, out>
!PG = !tile.partition<[_, 16], [M, 16] x bf16, out>
!PH = !tile.partition<[_, 16], [M, 16] x i16, out>
!QC = !tile.piece<[_, 16] x f8E4M3FN, out>
!QD = !tile.piece<[_, 16] x f8E5M2, out>
!QT = !tile.piece<[_, 16] x f8E8M0FNU, out>
!QE = !tile.piece<[_, 16] x f64, out>
!QG = !tile.piece<[_, 16] x bf16, out>
!QH = !tile.piece<[_, 16] x i16, out>
tile.kernel @part_formats(%a: !A, %b: !B, %s: !S, %c: !C, %d: !D, %t: !T, %e: !E, %g: !G, %h: !H)
    grid [M] {
  %c0 = arith.constant 0 : index
  %m = tile.block_id 0
  %pa = tile.partition %a by [_, 16] : !A
  %pb = tile.partition %b by [_, 16] : !B
  %ps = tile.partition %s by [_, 16] : !S
  %pc = tile.partition %c by [_, 16] : !C
  %pd = tile.partition %d by [_, 16] : !D
  %pt = tile.partition %t by [_, 16] : !T
  %pe = tile.partition %e by [_, 16] : !E
  %pg = tile.partition %g by [_, 16] : !G
  %ph = tile.partition %h by [_, 16] : !H
  %oc = tile.claim %pc[%m, %c0] : !PC
  %od = tile.claim %pd[%m, %c0] : !PD
  %ot = tile.claim %pt[%m, %c0] : !PT
  %oe = tile.claim %pe[%m, %c0] : !PE
  %og = tile.claim %pg[%m, %c0] : !PG
  %oh = tile.claim %ph[%m, %c0] : !PH
  %va = tile.load %pa[%m, %c0] : !PA
  %vb = tile.load %pb[%m, %c0] : !PB
  %vs = tile.load %ps[%m, %c0] : !PS

  %a0 = tile.extract %va[0] : vector<16xf8E4M3FN> to vector<8xf8E4M3FN>
  %a1 = tile.extract %va[1] : vector<16xf8E4M3FN> to vector<8xf8E4M3FN>
  %ar = tile.cat %a1, %a0, 0 : vector<8xf8E4M3FN>
  tile.store %ar, %oc : !QC

  %b4 = vector.shape_cast %vb : vector<16xf8E5M2> to vector<4x4xf8E5M2>
  %b0 = tile.extract %b4[0, 0] : vector<4x4xf8E5M2> to vector<4x2xf8E5M2>
  %b1 = tile.extract %b4[0, 1] : vector<4x4xf8E5M2> to vector<4x2xf8E5M2>
  %br = tile.cat %b1, %b0, 0 : vector<4x2xf8E5M2>
  %bw = vector.shape_cast %br : vector<8x2xf8E5M2> to vector<16xf8E5M2>
  tile.store %bw, %od : !QD

  %s3 = tile.extract %vs[3] : vector<16xf8E8M0FNU> to vector<4xf8E8M0FNU>
  %s1 = tile.extract %vs[1] : vector<16xf8E8M0FNU> to vector<4xf8E8M0FNU>
  %sr = tile.cat %s3, %s1, 0 : vector<4xf8E8M0FNU>
  %sw = tile.cat %sr, %sr, 0 : vector<8xf8E8M0FNU>
  tile.store %sw, %ot : !QT

  %w = arith.extf %va : vector<16xf8E4M3FN> to vector<16xf64>
  %w7 = tile.extract %w[7] : vector<16xf64> to vector<2xf64>
  %w2 = tile.extract %w[2] : vector<16xf64> to vector<2xf64>
  %w72 = tile.cat %w7, %w2, 0 : vector<2xf64>
  %w1 = tile.extract %w[1] : vector<16xf64> to vector<4xf64>
  %w172 = tile.cat %w1, %w72, 0 : vector<4xf64>
  %w0 = tile.extract %w[0] : vector<16xf64> to vector<8xf64>
  %wr = tile.cat %w172, %w0, 0 : vector<8xf64>
  tile.store %wr, %oe : !QE

  %k = arith.extf %vb : vector<16xf8E5M2> to vector<16xbf16>
  %k1 = tile.extract %k[1] : vector<16xbf16> to vector<8xbf16>
  %kr = tile.cat %k1, %k1, 0 : vector<8xbf16>
  tile.store %kr, %og : !QG

  %i = tile.iota 0 : vector<16xi16>
  %i1 = tile.extract %i[1] : vector<16xi16> to vector<8xi16>
  %i0 = tile.extract %i[0] : vector<16xi16> to vector<8xi16>
  %ir = tile.cat %i1, %i0, 0 : vector<8xi16>
  tile.store %ir, %oh : !QH
}
