// Numbers of 4 bits: from and to wider ones, chosen, turned, in slices and from
// tensors whose rows lie apart.
!X = !tile.tensor<[M, N] x f32, shared>
!T = !tile.tensor<[M, N] x f4E2M1FN, shared>
!TT = !tile.tensor<[N, M] x f4E2M1FN, shared>
!C = !tile.tensor<[M, N] x f4E2M1FN, out>
!W = !tile.tensor<[M, N] x f16, out>
!H = !tile.tensor<[M, N2] x f4E2M1FN, own, strides [ld, 1]>
!HS = !tile.tensor<[M, ?] x f4E2M1FN, own>
!PX = !tile.partition<[16, 32], [M, N] x f32, shared>
!PT = !tile.partition<[32, 16], [N, M] x f4E2M1FN, shared>
!PC = !tile.partition<[16, 32], [M, N] x f4E2M1FN, out>
!PW = !tile.partition<[16, 32], [M, N] x f16, out>
!PH = !tile.partition<[16, 32], [M, ?] x f4E2M1FN, own>
!P = !tile.piece<[16, 32] x f4E2M1FN, out>
!Q = !tile.piece<[16, 32] x f16, out>
!R = !tile.piece<[16, 32] x f4E2M1FN, own>
tile.kernel @tiny_floats(%x: !X, %t: !T, %c: !C, %w: !W, %h: !H)
    symbols [ld : index] grid [ceildiv(M, 16), ceildiv(N, 32)]
    requires [mod(N, 2) == 0, mod(ld, 2) == 0, N2 == 2 * N] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [16, 32] : !X
  %turned = tile.view %t permute [1, 0] : !T
  %pt = tile.partition %turned by [32, 16] : !TT
  %pc = tile.partition %c by [16, 32] : !C
  %pw = tile.partition %w by [16, 32] : !W
  %right = tile.view %h slice [0, %n] size [M, %n] : !H
  %ph = tile.partition %right by [16, 32] : !HS
  %a = tile.load %px[%i, %j] pad(zero) : !PX
  %bt = tile.load %pt[%j, %i] pad(neg_zero) : !PT
  %b = vector.transpose %bt, [1, 0] : vector<32x16xf4E2M1FN> to vector<16x32xf4E2M1FN>
  %tiny = tile.convert %a : vector<16x32xf32> to vector<16x32xf4E2M1FN>
  %two = arith.constant dense<2.0> : vector<16x32xf4E2M1FN>
  %zero = arith.constant dense<0.0> : vector<16x32xf32>
  %more = arith.cmpf olt, %zero, %a : vector<16x32xf32>
  %some = arith.select %more, %b, %two : vector<16x32xi1>, vector<16x32xf4E2M1FN>
  %wide = arith.extf %some : vector<16x32xf4E2M1FN> to vector<16x32xf16>
  %o = tile.claim %pc[%i, %j] : !PC
  tile.store %tiny, %o : !P
  %v = tile.claim %pw[%i, %j] : !PW
  tile.store %wide, %v : !Q
  %r = tile.claim %ph[%i, %j] : !PH
  tile.store %some, %r : !R
}
