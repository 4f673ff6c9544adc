// z[M, N] = alpha * x[M, K] y[N, K]^T in MXFP8: elements are e4m3, every 32 of a row
// share a scale 2^(e - 127), and both are here by their bits. An element times its
// scale is exact in bf16 wherever that has the range; sums are in f32.
// any M, N and K = 32 * KS, zero and ragged included
!X = !tile.tensor<[M, K] x i8, shared>
!XS = !tile.tensor<[M, KS] x i8, shared>
!Y = !tile.tensor<[N, K] x i8, shared>
!YS = !tile.tensor<[N, KS] x i8, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[128, 128], [M, K] x i8, shared>
!PXS = !tile.partition<[128, 4], [M, KS] x i8, shared>
!PY = !tile.partition<[128, 128], [N, K] x i8, shared>
!PYS = !tile.partition<[128, 4], [N, KS] x i8, shared>
!PZ = !tile.partition<[128, 128], [M, N] x f32, out>
!P = !tile.piece<[128, 128] x f32, out>

// The numbers of a tile of elements, times their scales.
func.func private @scaled(%bits: vector<128x128xi8>, %exponents: vector<128x4xi8>) -> vector<128x128xbf16> {
  // An e4m3 is an f16 with fewer digits and an exponent that is 8 too small.
  %sign_mask = arith.constant dense<128> : vector<128x128xi16>
  %rest_mask = arith.constant dense<127> : vector<128x128xi16>
  %to_sign = arith.constant dense<256> : vector<128x128xi16>
  %to_rest = arith.constant dense<128> : vector<128x128xi16>
  %by_exponent = arith.constant dense<256.0> : vector<128x128xf32>
  %nan = arith.constant dense<0x7FC00000> : vector<128x128xf32>
  %wide = arith.extui %bits : vector<128x128xi8> to vector<128x128xi16>
  %sign = arith.andi %wide, %sign_mask : vector<128x128xi16>
  %rest = arith.andi %wide, %rest_mask : vector<128x128xi16>
  %sign16 = arith.muli %sign, %to_sign : vector<128x128xi16>
  %rest16 = arith.muli %rest, %to_rest : vector<128x128xi16>
  %half_bits = arith.ori %sign16, %rest16 : vector<128x128xi16>
  %half = arith.bitcast %half_bits : vector<128x128xi16> to vector<128x128xf16>
  %small = arith.extf %half : vector<128x128xf16> to vector<128x128xf32>
  %finite = arith.mulf %small, %by_exponent : vector<128x128xf32>
  %is_nan = arith.cmpi eq, %rest, %rest_mask : vector<128x128xi16>
  %x = arith.select %is_nan, %nan, %finite : vector<128x128xi1>, vector<128x128xf32>

  // A scale is the exponent of an f32; 0 is 2^-127, 255 is no number.
  %to_exponent = arith.constant dense<8388608> : vector<128x4xi32>
  %none = arith.constant dense<0> : vector<128x4xi32>
  %all = arith.constant dense<255> : vector<128x4xi32>
  %least = arith.constant dense<4194304> : vector<128x4xi32>
  %nan_bits = arith.constant dense<2143289344> : vector<128x4xi32>
  %e = arith.extui %exponents : vector<128x4xi8> to vector<128x4xi32>
  %moved = arith.muli %e, %to_exponent : vector<128x4xi32>
  %is_none = arith.cmpi eq, %e, %none : vector<128x4xi32>
  %is_all = arith.cmpi eq, %e, %all : vector<128x4xi32>
  %normal = arith.select %is_none, %least, %moved : vector<128x4xi1>, vector<128x4xi32>
  %scale_bits = arith.select %is_all, %nan_bits, %normal : vector<128x4xi1>, vector<128x4xi32>
  %scale = arith.bitcast %scale_bits : vector<128x4xi32> to vector<128x4xf32>
  %column = vector.shape_cast %scale : vector<128x4xf32> to vector<128x4x1xf32>
  %each = vector.broadcast %column : vector<128x4x1xf32> to vector<128x4x32xf32>
  %scales = vector.shape_cast %each : vector<128x4x32xf32> to vector<128x128xf32>
  %product = arith.mulf %x, %scales : vector<128x128xf32>
  %r = arith.truncf %product : vector<128x128xf32> to vector<128x128xbf16>
  func.return %r : vector<128x128xbf16>
}

tile.kernel @mxfp8(%x: !X, %x_scales: !XS, %y: !Y, %y_scales: !YS, %z: !Z, %alpha: f32)
    grid [ceildiv(M, 128), ceildiv(N, 128)] requires [K == 32 * KS]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [128, 128] : !X
  %pxs = tile.partition %x_scales by [128, 4] : !XS
  %py = tile.partition %y by [128, 128] : !Y
  %pys = tile.partition %y_scales by [128, 4] : !YS
  %pz = tile.partition %z by [128, 128] : !Z
  %out = tile.claim %pz[%i, %j] : !PZ
  %n = tile.num_tiles %px, 1 : !PX
  %sum = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %px[%i, %k] pad(zero) : !PX
    %as = tile.load %pxs[%i, %k] pad(zero) : !PXS
    %b = tile.load %py[%j, %k] pad(zero) : !PY
    %bs = tile.load %pys[%j, %k] pad(zero) : !PYS
    %a16 = func.call @scaled(%a, %as) : (vector<128x128xi8>, vector<128x4xi8>) -> vector<128x128xbf16>
    %b16 = func.call @scaled(%b, %bs) : (vector<128x128xi8>, vector<128x4xi8>) -> vector<128x128xbf16>
    %turned = vector.transpose %b16, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %next = tile.mma %a16, %turned, %acc : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %next : vector<128x128xf32>
  }
  %factor = vector.broadcast %alpha : f32 to vector<128x128xf32>
  %product = arith.mulf %sum, %factor : vector<128x128xf32>
  tile.store %product, %out : !P
}
