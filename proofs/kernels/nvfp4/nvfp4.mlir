// z[M, N] = alpha * x[M, K] y[N, K]^T in NVFP4: elements are e2m1, two a byte
// with the even one in the low half, every 16 of a row share an e4m3 scale, and
// all are here by their bits. An element times its scale is exact in bf16; sums
// are in f32. Even and odd elements are summed apart, so that halves need not
// be put side by side. any M, N and K = 2 * KB = 16 * KS, zero and ragged
// included
// generated from scaled.cpp
!X = !tile.tensor<[M, KB] x i8, shared>
!X_scales = !tile.tensor<[M, KS] x i8, shared>
!Y = !tile.tensor<[N, KB] x i8, shared>
!Y_scales = !tile.tensor<[N, KS] x i8, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!XTiles = !tile.partition<[128, 64], [M, KB] x i8, shared>
!ZTiles = !tile.partition<[128, 128], [M, N] x f32, out>
!X_scalesTiles = !tile.partition<[128, 8], [M, KS] x i8, shared>
!YTiles = !tile.partition<[128, 64], [N, KB] x i8, shared>
!Y_scalesTiles = !tile.partition<[128, 8], [N, KS] x i8, shared>
!ZPiece = !tile.piece<[128, 128] x f32, out>
tile.kernel @nvfp4(%x: !X, %x_scales: !X_scales, %y: !Y, %y_scales: !Y_scales, %z: !Z, %alpha: f32)
    grid [ceildiv(M, 128), ceildiv(N, 128)] requires [KB == 8 * KS]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %c128 = arith.constant dense<128> : vector<128x64xi16>
  %c256 = arith.constant dense<256> : vector<128x64xi16>
  %c112 = arith.constant dense<112> : vector<128x64xi16>
  %c32 = arith.constant dense<32> : vector<128x64xi16>
  %c127 = arith.constant dense<127> : vector<128x8xi16>
  %nan = arith.constant dense<0x7FC00000> : vector<128x8xf32>
  %c128_1 = arith.constant dense<128> : vector<128x8xi16>
  %c256_1 = arith.constant dense<256> : vector<128x8xi16>
  %c4194304 = arith.constant dense<4194304.0> : vector<128x8xf32>
  %c8 = arith.constant dense<8> : vector<128x64xi16>
  %c4096 = arith.constant dense<4096> : vector<128x64xi16>
  %c7 = arith.constant dense<7> : vector<128x64xi16>
  %c512 = arith.constant dense<512> : vector<128x64xi16>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %x_scales_tiles = tile.partition %x_scales by [128, 8] : !X_scales
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %y_scales_tiles = tile.partition %y_scales by [128, 8] : !Y_scales
  %z_tiles = tile.partition %z by [128, 128] : !Z
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %out = tile.claim %z_tiles[%i, %j] : !ZTiles
  %zero_1 = scf.for %k = %c0 to %n step %c1 iter_args(%zero_1 = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %bits = arith.extui %a : vector<128x64xi8> to vector<128x64xi16>
    %both = arith.andi %bits, %c128 : vector<128x64xi16>
    %product = arith.muli %both, %c256 : vector<128x64xi16>
    %both_1 = arith.andi %bits, %c112 : vector<128x64xi16>
    %product_1 = arith.muli %both_1, %c32 : vector<128x64xi16>
    %either = arith.ori %product, %product_1 : vector<128x64xi16>
    %bitcast = arith.bitcast %either : vector<128x64xi16> to vector<128x64xf16>
    %wide = arith.extf %bitcast : vector<128x64xf16> to vector<128x64xf32>
    %tile = tile.load %x_scales_tiles[%i, %k] pad(zero) : !X_scalesTiles
    %wide_1 = arith.extui %tile : vector<128x8xi8> to vector<128x8xi16>
    %both_2 = arith.andi %wide_1, %c127 : vector<128x8xi16>
    %is = arith.cmpi eq, %both_2, %c127 : vector<128x8xi16>
    %both_3 = arith.andi %wide_1, %c128_1 : vector<128x8xi16>
    %product_2 = arith.muli %both_3, %c256_1 : vector<128x8xi16>
    %product_3 = arith.muli %both_2, %c128_1 : vector<128x8xi16>
    %either_1 = arith.ori %product_2, %product_3 : vector<128x8xi16>
    %half = arith.bitcast %either_1 : vector<128x8xi16> to vector<128x8xf16>
    %wide_2 = arith.extf %half : vector<128x8xf16> to vector<128x8xf32>
    %product_4 = arith.mulf %wide_2, %c4194304 : vector<128x8xf32>
    %chosen = arith.select %is, %nan, %product_4 : vector<128x8xi1>, vector<128x8xf32>
    %shaped = vector.shape_cast %chosen : vector<128x8xf32> to vector<128x8x1xf32>
    %lanes = vector.broadcast %shaped : vector<128x8x1xf32> to vector<128x8x8xf32>
    %shaped_1 = vector.shape_cast %lanes : vector<128x8x8xf32> to vector<128x64xf32>
    %product_5 = arith.mulf %wide, %shaped_1 : vector<128x64xf32>
    %narrow = arith.truncf %product_5 : vector<128x64xf32> to vector<128x64xbf16>
    %b = tile.load %y_tiles[%j, %k] pad(zero) : !YTiles
    %bits_1 = arith.extui %b : vector<128x64xi8> to vector<128x64xi16>
    %both_4 = arith.andi %bits_1, %c128 : vector<128x64xi16>
    %product_6 = arith.muli %both_4, %c256 : vector<128x64xi16>
    %both_5 = arith.andi %bits_1, %c112 : vector<128x64xi16>
    %product_7 = arith.muli %both_5, %c32 : vector<128x64xi16>
    %either_2 = arith.ori %product_6, %product_7 : vector<128x64xi16>
    %bitcast_1 = arith.bitcast %either_2 : vector<128x64xi16> to vector<128x64xf16>
    %wide_3 = arith.extf %bitcast_1 : vector<128x64xf16> to vector<128x64xf32>
    %tile_1 = tile.load %y_scales_tiles[%j, %k] pad(zero) : !Y_scalesTiles
    %wide_4 = arith.extui %tile_1 : vector<128x8xi8> to vector<128x8xi16>
    %both_6 = arith.andi %wide_4, %c127 : vector<128x8xi16>
    %is_1 = arith.cmpi eq, %both_6, %c127 : vector<128x8xi16>
    %both_7 = arith.andi %wide_4, %c128_1 : vector<128x8xi16>
    %product_8 = arith.muli %both_7, %c256_1 : vector<128x8xi16>
    %product_9 = arith.muli %both_6, %c128_1 : vector<128x8xi16>
    %either_3 = arith.ori %product_8, %product_9 : vector<128x8xi16>
    %half_1 = arith.bitcast %either_3 : vector<128x8xi16> to vector<128x8xf16>
    %wide_5 = arith.extf %half_1 : vector<128x8xf16> to vector<128x8xf32>
    %product_10 = arith.mulf %wide_5, %c4194304 : vector<128x8xf32>
    %chosen_1 = arith.select %is_1, %nan, %product_10 : vector<128x8xi1>, vector<128x8xf32>
    %shaped_2 = vector.shape_cast %chosen_1 : vector<128x8xf32> to vector<128x8x1xf32>
    %lanes_1 = vector.broadcast %shaped_2 : vector<128x8x1xf32> to vector<128x8x8xf32>
    %shaped_3 = vector.shape_cast %lanes_1 : vector<128x8x8xf32> to vector<128x64xf32>
    %product_11 = arith.mulf %wide_3, %shaped_3 : vector<128x64xf32>
    %narrow_1 = arith.truncf %product_11 : vector<128x64xf32> to vector<128x64xbf16>
    %turned = vector.transpose %narrow_1, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %bits_2 = arith.extui %a : vector<128x64xi8> to vector<128x64xi16>
    %both_8 = arith.andi %bits_2, %c8 : vector<128x64xi16>
    %product_12 = arith.muli %both_8, %c4096 : vector<128x64xi16>
    %both_9 = arith.andi %bits_2, %c7 : vector<128x64xi16>
    %product_13 = arith.muli %both_9, %c512 : vector<128x64xi16>
    %either_4 = arith.ori %product_12, %product_13 : vector<128x64xi16>
    %bitcast_2 = arith.bitcast %either_4 : vector<128x64xi16> to vector<128x64xf16>
    %wide_6 = arith.extf %bitcast_2 : vector<128x64xf16> to vector<128x64xf32>
    %product_14 = arith.mulf %wide_6, %shaped_1 : vector<128x64xf32>
    %narrow_2 = arith.truncf %product_14 : vector<128x64xf32> to vector<128x64xbf16>
    %bits_3 = arith.extui %b : vector<128x64xi8> to vector<128x64xi16>
    %both_10 = arith.andi %bits_3, %c8 : vector<128x64xi16>
    %product_15 = arith.muli %both_10, %c4096 : vector<128x64xi16>
    %both_11 = arith.andi %bits_3, %c7 : vector<128x64xi16>
    %product_16 = arith.muli %both_11, %c512 : vector<128x64xi16>
    %either_5 = arith.ori %product_15, %product_16 : vector<128x64xi16>
    %bitcast_3 = arith.bitcast %either_5 : vector<128x64xi16> to vector<128x64xf16>
    %wide_7 = arith.extf %bitcast_3 : vector<128x64xf16> to vector<128x64xf32>
    %product_17 = arith.mulf %wide_7, %shaped_3 : vector<128x64xf32>
    %narrow_3 = arith.truncf %product_17 : vector<128x64xf32> to vector<128x64xbf16>
    %turned_1 = vector.transpose %narrow_3, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %product_18 = tile.mma %narrow_2, %turned_1, %zero_1 : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %product_19 = tile.mma %narrow, %turned, %product_18 : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %product_19 : vector<128x128xf32>
  }
  %lanes = vector.broadcast %alpha : f32 to vector<128x128xf32>
  %product = arith.mulf %zero_1, %lanes : vector<128x128xf32>
  tile.store %product, %out : !ZPiece
}
