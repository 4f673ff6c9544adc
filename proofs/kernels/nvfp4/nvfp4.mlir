// z[M, N] = alpha * x[M, K] y[N, K]^T in NVFP4: elements are e2m1, two a byte with the
// even one in the low half, every 16 of a row share an e4m3 scale, and all are here
// by their bits. An element times its scale is exact in bf16; sums are in f32. Even
// and odd elements are summed apart, so that halves need not be put side by side.
// any M, N and K = 2 * KB = 16 * KS, zero and ragged included
!X = !tile.tensor<[M, KB] x i8, shared>
!XS = !tile.tensor<[M, KS] x i8, shared>
!Y = !tile.tensor<[N, KB] x i8, shared>
!YS = !tile.tensor<[N, KS] x i8, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[128, 64], [M, KB] x i8, shared>
!PXS = !tile.partition<[128, 8], [M, KS] x i8, shared>
!PY = !tile.partition<[128, 64], [N, KB] x i8, shared>
!PYS = !tile.partition<[128, 8], [N, KS] x i8, shared>
!PZ = !tile.partition<[128, 128], [M, N] x f32, out>
!P = !tile.piece<[128, 128] x f32, out>

// The scale of each byte of a tile: e4m3 is an f16 with fewer digits and an
// exponent that is 8 too small; the factor 256 * 2^14 makes up for both formats.
func.func private @scales(%bits: vector<128x8xi8>) -> vector<128x64xf32> {
  %sign_mask = arith.constant dense<128> : vector<128x8xi16>
  %rest_mask = arith.constant dense<127> : vector<128x8xi16>
  %to_sign = arith.constant dense<256> : vector<128x8xi16>
  %to_rest = arith.constant dense<128> : vector<128x8xi16>
  %by_exponents = arith.constant dense<4194304.0> : vector<128x8xf32>
  %nan = arith.constant dense<0x7FC00000> : vector<128x8xf32>
  %wide = arith.extui %bits : vector<128x8xi8> to vector<128x8xi16>
  %sign = arith.andi %wide, %sign_mask : vector<128x8xi16>
  %rest = arith.andi %wide, %rest_mask : vector<128x8xi16>
  %sign16 = arith.muli %sign, %to_sign : vector<128x8xi16>
  %rest16 = arith.muli %rest, %to_rest : vector<128x8xi16>
  %half_bits = arith.ori %sign16, %rest16 : vector<128x8xi16>
  %half = arith.bitcast %half_bits : vector<128x8xi16> to vector<128x8xf16>
  %small = arith.extf %half : vector<128x8xf16> to vector<128x8xf32>
  %finite = arith.mulf %small, %by_exponents : vector<128x8xf32>
  %is_nan = arith.cmpi eq, %rest, %rest_mask : vector<128x8xi16>
  %scale = arith.select %is_nan, %nan, %finite : vector<128x8xi1>, vector<128x8xf32>
  %column = vector.shape_cast %scale : vector<128x8xf32> to vector<128x8x1xf32>
  %each = vector.broadcast %column : vector<128x8x1xf32> to vector<128x8x8xf32>
  %r = vector.shape_cast %each : vector<128x8x8xf32> to vector<128x64xf32>
  func.return %r : vector<128x64xf32>
}

// Numbers times their scales, by their signs and by what else they are, each where
// an f16 has it: an e2m1 is one with fewer digits and an exponent that is 14 too
// small.
func.func private @scaled(%sign: vector<128x64xi16>, %rest: vector<128x64xi16>, %scales: vector<128x64xf32>) -> vector<128x64xbf16> {
  %half_bits = arith.ori %sign, %rest : vector<128x64xi16>
  %half = arith.bitcast %half_bits : vector<128x64xi16> to vector<128x64xf16>
  %small = arith.extf %half : vector<128x64xf16> to vector<128x64xf32>
  %product = arith.mulf %small, %scales : vector<128x64xf32>
  %r = arith.truncf %product : vector<128x64xf32> to vector<128x64xbf16>
  func.return %r : vector<128x64xbf16>
}

// The numbers in the low halves of bytes.
func.func private @even(%bits: vector<128x64xi16>, %scales: vector<128x64xf32>) -> vector<128x64xbf16> {
  %sign_mask = arith.constant dense<8> : vector<128x64xi16>
  %rest_mask = arith.constant dense<7> : vector<128x64xi16>
  %to_sign = arith.constant dense<4096> : vector<128x64xi16>
  %to_rest = arith.constant dense<512> : vector<128x64xi16>
  %sign = arith.andi %bits, %sign_mask : vector<128x64xi16>
  %rest = arith.andi %bits, %rest_mask : vector<128x64xi16>
  %sign16 = arith.muli %sign, %to_sign : vector<128x64xi16>
  %rest16 = arith.muli %rest, %to_rest : vector<128x64xi16>
  %r = func.call @scaled(%sign16, %rest16, %scales) : (vector<128x64xi16>, vector<128x64xi16>, vector<128x64xf32>) -> vector<128x64xbf16>
  func.return %r : vector<128x64xbf16>
}

// The numbers in the high halves.
func.func private @odd(%bits: vector<128x64xi16>, %scales: vector<128x64xf32>) -> vector<128x64xbf16> {
  %sign_mask = arith.constant dense<128> : vector<128x64xi16>
  %rest_mask = arith.constant dense<112> : vector<128x64xi16>
  %to_sign = arith.constant dense<256> : vector<128x64xi16>
  %to_rest = arith.constant dense<32> : vector<128x64xi16>
  %sign = arith.andi %bits, %sign_mask : vector<128x64xi16>
  %rest = arith.andi %bits, %rest_mask : vector<128x64xi16>
  %sign16 = arith.muli %sign, %to_sign : vector<128x64xi16>
  %rest16 = arith.muli %rest, %to_rest : vector<128x64xi16>
  %r = func.call @scaled(%sign16, %rest16, %scales) : (vector<128x64xi16>, vector<128x64xi16>, vector<128x64xf32>) -> vector<128x64xbf16>
  func.return %r : vector<128x64xbf16>
}

tile.kernel @nvfp4(%x: !X, %x_scales: !XS, %y: !Y, %y_scales: !YS, %z: !Z, %alpha: f32)
    grid [ceildiv(M, 128), ceildiv(N, 128)] requires [KB == 8 * KS]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [128, 64] : !X
  %pxs = tile.partition %x_scales by [128, 8] : !XS
  %py = tile.partition %y by [128, 64] : !Y
  %pys = tile.partition %y_scales by [128, 8] : !YS
  %pz = tile.partition %z by [128, 128] : !Z
  %out = tile.claim %pz[%i, %j] : !PZ
  %n = tile.num_tiles %px, 1 : !PX
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %px[%i, %k] pad(zero) : !PX
    %as = tile.load %pxs[%i, %k] pad(zero) : !PXS
    %b = tile.load %py[%j, %k] pad(zero) : !PY
    %bs = tile.load %pys[%j, %k] pad(zero) : !PYS
    %a_scales = func.call @scales(%as) : (vector<128x8xi8>) -> vector<128x64xf32>
    %b_scales = func.call @scales(%bs) : (vector<128x8xi8>) -> vector<128x64xf32>
    %a_bits = arith.extui %a : vector<128x64xi8> to vector<128x64xi16>
    %b_bits = arith.extui %b : vector<128x64xi8> to vector<128x64xi16>
    %a0 = func.call @even(%a_bits, %a_scales) : (vector<128x64xi16>, vector<128x64xf32>) -> vector<128x64xbf16>
    %b0 = func.call @even(%b_bits, %b_scales) : (vector<128x64xi16>, vector<128x64xf32>) -> vector<128x64xbf16>
    %a1 = func.call @odd(%a_bits, %a_scales) : (vector<128x64xi16>, vector<128x64xf32>) -> vector<128x64xbf16>
    %b1 = func.call @odd(%b_bits, %b_scales) : (vector<128x64xi16>, vector<128x64xf32>) -> vector<128x64xbf16>
    %t0 = vector.transpose %b0, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %t1 = vector.transpose %b1, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %both = tile.mma %a0, %t0, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %next = tile.mma %a1, %t1, %both : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %next : vector<128x128xf32>
  }
  %factor = vector.broadcast %alpha : f32 to vector<128x128xf32>
  %product = arith.mulf %sum, %factor : vector<128x128xf32>
  tile.store %product, %out : !P
}
