// z[M, N] = alpha * x[M, K] y[N, K]^T in MXFP8: elements are e4m3, every 32 of
// a row share a scale 2^(e - 127), and both are here by their bits. An element
// times its scale is exact in bf16 wherever that has the range; sums are in
// f32. any M, N and K = 32 * KS, zero and ragged included
// generated from scaled.cpp
!X = !tile.tensor<[M, K] x i8, shared>
!X_scales = !tile.tensor<[M, KS] x i8, shared>
!Y = !tile.tensor<[N, K] x i8, shared>
!Y_scales = !tile.tensor<[N, KS] x i8, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!XTiles = !tile.partition<[128, 128], [M, K] x i8, shared>
!ZTiles = !tile.partition<[128, 128], [M, N] x f32, out>
!X_scalesTiles = !tile.partition<[128, 4], [M, KS] x i8, shared>
!YTiles = !tile.partition<[128, 128], [N, K] x i8, shared>
!Y_scalesTiles = !tile.partition<[128, 4], [N, KS] x i8, shared>
!ZPiece = !tile.piece<[128, 128] x f32, out>
tile.kernel @mxfp8(%x: !X, %x_scales: !X_scales, %y: !Y, %y_scales: !Y_scales, %z: !Z, %alpha: f32)
    grid [ceildiv(M, 128), ceildiv(N, 128)] requires [K == 32 * KS]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %c127 = arith.constant dense<127> : vector<128x128xi16>
  %nan = arith.constant dense<0x7FC00000> : vector<128x128xf32>
  %c128 = arith.constant dense<128> : vector<128x128xi16>
  %c256 = arith.constant dense<256> : vector<128x128xi16>
  %c256_1 = arith.constant dense<256.0> : vector<128x128xf32>
  %c255 = arith.constant dense<255> : vector<128x4xi32>
  %c2143289344 = arith.constant dense<2143289344> : vector<128x4xi32>
  %zero_1 = arith.constant dense<0> : vector<128x4xi32>
  %c4194304 = arith.constant dense<4194304> : vector<128x4xi32>
  %c8388608 = arith.constant dense<8388608> : vector<128x4xi32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 128] : !X
  %x_scales_tiles = tile.partition %x_scales by [128, 4] : !X_scales
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %y_scales_tiles = tile.partition %y_scales by [128, 4] : !Y_scales
  %z_tiles = tile.partition %z by [128, 128] : !Z
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %out = tile.claim %z_tiles[%i, %j] : !ZTiles
  %zero_2 = scf.for %k = %c0 to %n step %c1 iter_args(%zero_2 = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %wide = arith.extui %a : vector<128x128xi8> to vector<128x128xi16>
    %both = arith.andi %wide, %c127 : vector<128x128xi16>
    %is = arith.cmpi eq, %both, %c127 : vector<128x128xi16>
    %both_1 = arith.andi %wide, %c128 : vector<128x128xi16>
    %product = arith.muli %both_1, %c256 : vector<128x128xi16>
    %product_1 = arith.muli %both, %c128 : vector<128x128xi16>
    %either = arith.ori %product, %product_1 : vector<128x128xi16>
    %half = arith.bitcast %either : vector<128x128xi16> to vector<128x128xf16>
    %wide_1 = arith.extf %half : vector<128x128xf16> to vector<128x128xf32>
    %product_2 = arith.mulf %wide_1, %c256_1 : vector<128x128xf32>
    %chosen = arith.select %is, %nan, %product_2 : vector<128x128xi1>, vector<128x128xf32>
    %as = tile.load %x_scales_tiles[%i, %k] pad(zero) : !X_scalesTiles
    %e = arith.extui %as : vector<128x4xi8> to vector<128x4xi32>
    %is_1 = arith.cmpi eq, %e, %c255 : vector<128x4xi32>
    %is_2 = arith.cmpi eq, %e, %zero_1 : vector<128x4xi32>
    %product_3 = arith.muli %e, %c8388608 : vector<128x4xi32>
    %normal = arith.select %is_2, %c4194304, %product_3 : vector<128x4xi1>, vector<128x4xi32>
    %chosen_1 = arith.select %is_1, %c2143289344, %normal : vector<128x4xi1>, vector<128x4xi32>
    %scale = arith.bitcast %chosen_1 : vector<128x4xi32> to vector<128x4xf32>
    %shaped = vector.shape_cast %scale : vector<128x4xf32> to vector<128x4x1xf32>
    %each = vector.broadcast %shaped : vector<128x4x1xf32> to vector<128x4x32xf32>
    %shaped_1 = vector.shape_cast %each : vector<128x4x32xf32> to vector<128x128xf32>
    %product_4 = arith.mulf %chosen, %shaped_1 : vector<128x128xf32>
    %narrow = arith.truncf %product_4 : vector<128x128xf32> to vector<128x128xbf16>
    %b = tile.load %y_tiles[%j, %k] pad(zero) : !YTiles
    %wide_2 = arith.extui %b : vector<128x128xi8> to vector<128x128xi16>
    %both_2 = arith.andi %wide_2, %c127 : vector<128x128xi16>
    %is_3 = arith.cmpi eq, %both_2, %c127 : vector<128x128xi16>
    %both_3 = arith.andi %wide_2, %c128 : vector<128x128xi16>
    %product_5 = arith.muli %both_3, %c256 : vector<128x128xi16>
    %product_6 = arith.muli %both_2, %c128 : vector<128x128xi16>
    %either_1 = arith.ori %product_5, %product_6 : vector<128x128xi16>
    %half_1 = arith.bitcast %either_1 : vector<128x128xi16> to vector<128x128xf16>
    %wide_3 = arith.extf %half_1 : vector<128x128xf16> to vector<128x128xf32>
    %product_7 = arith.mulf %wide_3, %c256_1 : vector<128x128xf32>
    %chosen_2 = arith.select %is_3, %nan, %product_7 : vector<128x128xi1>, vector<128x128xf32>
    %bs = tile.load %y_scales_tiles[%j, %k] pad(zero) : !Y_scalesTiles
    %e_1 = arith.extui %bs : vector<128x4xi8> to vector<128x4xi32>
    %is_4 = arith.cmpi eq, %e_1, %c255 : vector<128x4xi32>
    %is_5 = arith.cmpi eq, %e_1, %zero_1 : vector<128x4xi32>
    %product_8 = arith.muli %e_1, %c8388608 : vector<128x4xi32>
    %normal_1 = arith.select %is_5, %c4194304, %product_8 : vector<128x4xi1>, vector<128x4xi32>
    %chosen_3 = arith.select %is_4, %c2143289344, %normal_1 : vector<128x4xi1>, vector<128x4xi32>
    %scale_1 = arith.bitcast %chosen_3 : vector<128x4xi32> to vector<128x4xf32>
    %shaped_2 = vector.shape_cast %scale_1 : vector<128x4xf32> to vector<128x4x1xf32>
    %each_1 = vector.broadcast %shaped_2 : vector<128x4x1xf32> to vector<128x4x32xf32>
    %shaped_3 = vector.shape_cast %each_1 : vector<128x4x32xf32> to vector<128x128xf32>
    %product_9 = arith.mulf %chosen_2, %shaped_3 : vector<128x128xf32>
    %narrow_1 = arith.truncf %product_9 : vector<128x128xf32> to vector<128x128xbf16>
    %turned = vector.transpose %narrow_1, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %product_10 = tile.mma %narrow, %turned, %zero_2 : vector<128x128xbf16>, vector<128x128xbf16>, vector<128x128xf32>
    scf.yield %product_10 : vector<128x128xf32>
  }
  %lanes = vector.broadcast %alpha : f32 to vector<128x128xf32>
  %product = arith.mulf %zero_2, %lanes : vector<128x128xf32>
  tile.store %product, %out : !ZPiece
}
