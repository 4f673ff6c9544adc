// y[M, N] = x[M, K] * weight[N, K]^T * diag(scale[N]) in bf16, as linear:
// weights are f8E4M3FN with a scale a row. They are multiplied in bf16, which
// has each of them, and sums in f32 are scaled before they are rounded.
// any M, N and K from 1 to 2147483647, N a multiple of 8, K of 16
// generated from gemm.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!Weight = !tile.tensor<[N, K] x f8E4M3FN, shared>
!Scale = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!XTiles = !tile.partition<[16, 128], [M, K] x bf16, shared>
!WeightTiles = !tile.partition<[64, 128], [N, K] x f8E4M3FN, shared>
!YTiles = !tile.partition<[16, 64], [M, N] x bf16, out>
!ScaleTiles = !tile.partition<[64], [N] x f32, shared>
!YPiece = !tile.piece<[16, 64] x bf16, out>
!XTiles_1 = !tile.partition<[16, 256], [M, K] x bf16, shared>
!WeightTiles_1 = !tile.partition<[64, 256], [N, K] x f8E4M3FN, shared>
!XTiles_2 = !tile.partition<[32, 128], [M, K] x bf16, shared>
!YTiles_1 = !tile.partition<[32, 64], [M, N] x bf16, out>
!YPiece_1 = !tile.piece<[32, 64] x bf16, out>
!XTiles_3 = !tile.partition<[32, 256], [M, K] x bf16, shared>
!XTiles_4 = !tile.partition<[64, 128], [M, K] x bf16, shared>
!YTiles_2 = !tile.partition<[64, 64], [M, N] x bf16, out>
!YPiece_2 = !tile.piece<[64, 64] x bf16, out>
!XTiles_5 = !tile.partition<[128, 128], [M, K] x bf16, shared>
!YTiles_3 = !tile.partition<[128, 64], [M, N] x bf16, out>
!YPiece_3 = !tile.piece<[128, 64] x bf16, out>
!XTiles_6 = !tile.partition<[128, 64], [M, K] x bf16, shared>
!YTiles_4 = !tile.partition<[128, 128], [M, N] x bf16, out>
!WeightTiles_2 = !tile.partition<[128, 64], [N, K] x f8E4M3FN, shared>
!ScaleTiles_1 = !tile.partition<[128], [N] x f32, shared>
!YPiece_4 = !tile.piece<[128, 128] x bf16, out>
!XTiles_7 = !tile.partition<[256, 64], [M, K] x bf16, shared>
!YTiles_5 = !tile.partition<[256, 128], [M, N] x bf16, out>
!YPiece_5 = !tile.piece<[256, 128] x bf16, out>
tile.variants @linear_f8 [@linear_f8_few_rows_16_64_128_3_6 when (M <= 16, N > 8448, N <= 25344), @linear_f8_few_rows_16_64_256_1_6 when (M <= 16), @linear_f8_few_rows_32_64_128_3_4 when (M <= 32, N > 8448, N <= 25344), @linear_f8_few_rows_32_64_256_1_4 when (M <= 32), @linear_f8_few_rows_64_64_128_2_6 when (M <= 64), @linear_f8_few_rows_128_64_128_1_6 when (ceildiv(M, 128) * ceildiv(N, 64) <= 132), @linear_f8_many_rows_128_128_64_4 when (ceildiv(M, 256) * ceildiv(N, 128) <= 264), @linear_f8_many_rows_256_128_64_8]
tile.kernel @linear_f8_few_rows_16_64_128_3_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [16, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %scale_tiles = tile.partition %scale by [64] : !Scale
  %y_tiles = tile.partition %y by [16, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x16xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %wide = arith.extf %b : vector<64x128xf8E4M3FN> to vector<64x128xbf16>
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %turned = vector.transpose %a, [1, 0] : vector<16x128xbf16> to vector<128x16xbf16>
    %acc_1 = tile.mma %wide, %turned, %acc : vector<64x128xbf16>, vector<128x16xbf16>, vector<64x16xf32>
    scf.yield %acc_1 : vector<64x16xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles
  %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles
  %ofRow = vector.shape_cast %tile : vector<64xf32> to vector<64x1xf32>
  %lanes = vector.broadcast %ofRow : vector<64x1xf32> to vector<64x16xf32>
  %product = arith.mulf %acc, %lanes : vector<64x16xf32>
  %turned = vector.transpose %product, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
  %narrow = arith.truncf %turned : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
}
tile.kernel @linear_f8_few_rows_16_64_256_1_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [16, 256] : !X
  %weight_tiles = tile.partition %weight by [64, 256] : !Weight
  %scale_tiles = tile.partition %scale by [64] : !Scale
  %y_tiles = tile.partition %y by [16, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x16xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_1
    %wide = arith.extf %b : vector<64x256xf8E4M3FN> to vector<64x256xbf16>
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_1
    %turned = vector.transpose %a, [1, 0] : vector<16x256xbf16> to vector<256x16xbf16>
    %acc_1 = tile.mma %wide, %turned, %acc : vector<64x256xbf16>, vector<256x16xbf16>, vector<64x16xf32>
    scf.yield %acc_1 : vector<64x16xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles
  %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles
  %ofRow = vector.shape_cast %tile : vector<64xf32> to vector<64x1xf32>
  %lanes = vector.broadcast %ofRow : vector<64x1xf32> to vector<64x16xf32>
  %product = arith.mulf %acc, %lanes : vector<64x16xf32>
  %turned = vector.transpose %product, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
  %narrow = arith.truncf %turned : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
}
tile.kernel @linear_f8_few_rows_32_64_128_3_4(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %scale_tiles = tile.partition %scale by [64] : !Scale
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %wide = arith.extf %b : vector<64x128xf8E4M3FN> to vector<64x128xbf16>
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_2
    %turned = vector.transpose %a, [1, 0] : vector<32x128xbf16> to vector<128x32xbf16>
    %acc_1 = tile.mma %wide, %turned, %acc : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles
  %ofRow = vector.shape_cast %tile : vector<64xf32> to vector<64x1xf32>
  %lanes = vector.broadcast %ofRow : vector<64x1xf32> to vector<64x32xf32>
  %product = arith.mulf %acc, %lanes : vector<64x32xf32>
  %turned = vector.transpose %product, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %narrow = arith.truncf %turned : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_1
}
tile.kernel @linear_f8_few_rows_32_64_256_1_4(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 256] : !X
  %weight_tiles = tile.partition %weight by [64, 256] : !Weight
  %scale_tiles = tile.partition %scale by [64] : !Scale
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_1
    %wide = arith.extf %b : vector<64x256xf8E4M3FN> to vector<64x256xbf16>
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_3
    %turned = vector.transpose %a, [1, 0] : vector<32x256xbf16> to vector<256x32xbf16>
    %acc_1 = tile.mma %wide, %turned, %acc : vector<64x256xbf16>, vector<256x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles
  %ofRow = vector.shape_cast %tile : vector<64xf32> to vector<64x1xf32>
  %lanes = vector.broadcast %ofRow : vector<64x1xf32> to vector<64x32xf32>
  %product = arith.mulf %acc, %lanes : vector<64x32xf32>
  %turned = vector.transpose %product, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %narrow = arith.truncf %turned : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_1
}
tile.kernel @linear_f8_few_rows_64_64_128_2_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %scale_tiles = tile.partition %scale by [64] : !Scale
  %y_tiles = tile.partition %y by [64, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %wide = arith.extf %b : vector<64x128xf8E4M3FN> to vector<64x128xbf16>
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_4
    %turned = vector.transpose %a, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %acc_1 = tile.mma %wide, %turned, %acc : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_2
  %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles
  %ofRow = vector.shape_cast %tile : vector<64xf32> to vector<64x1xf32>
  %lanes = vector.broadcast %ofRow : vector<64x1xf32> to vector<64x64xf32>
  %product = arith.mulf %acc, %lanes : vector<64x64xf32>
  %turned = vector.transpose %product, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
  %narrow = arith.truncf %turned : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
}
tile.kernel @linear_f8_few_rows_128_64_128_1_6(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 128), ceildiv(N, 64)]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %scale_tiles = tile.partition %scale by [64] : !Scale
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %wide = arith.extf %b : vector<64x128xf8E4M3FN> to vector<64x128xbf16>
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %turned = vector.transpose %a, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %acc_1 = tile.mma %wide, %turned, %acc : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_3
  %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles
  %ofRow = vector.shape_cast %tile : vector<64xf32> to vector<64x1xf32>
  %lanes = vector.broadcast %ofRow : vector<64x1xf32> to vector<64x128xf32>
  %product = arith.mulf %acc, %lanes : vector<64x128xf32>
  %turned = vector.transpose %product, [1, 0] : vector<64x128xf32> to vector<128x64xf32>
  %narrow = arith.truncf %turned : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
}
tile.kernel @linear_f8_many_rows_128_128_64_4(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 128))]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %t = tile.block_id 0
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %scale_tiles = tile.partition %scale by [128] : !Scale
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_6
  %gm = tile.num_tiles %y_tiles, 0 : !YTiles_4
  %gn = tile.num_tiles %y_tiles, 1 : !YTiles_4
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_4
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
      %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_2
      %wide = arith.extf %b : vector<128x64xf8E4M3FN> to vector<128x64xbf16>
      %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_6
      %turned = vector.transpose %a, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %acc_1 = tile.mma %wide, %turned, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    }
    %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles_1
    %ofRow = vector.shape_cast %tile : vector<128xf32> to vector<128x1xf32>
    %lanes = vector.broadcast %ofRow : vector<128x1xf32> to vector<128x128xf32>
    %product_1 = arith.mulf %acc, %lanes : vector<128x128xf32>
    %turned = vector.transpose %product_1, [1, 0] : vector<128x128xf32> to vector<128x128xf32>
    %narrow = arith.truncf %turned : vector<128x128xf32> to vector<128x128xbf16>
    tile.store %narrow, %out : !YPiece_4
  }
}
tile.kernel @linear_f8_many_rows_256_128_64_8(%x: !X, %weight: !Weight, %scale: !Scale, %y: !Y)
    grid [ceildiv(M, 2048) * (8 * ceildiv(N, 128))]
    requires [M >= 1, N >= 1, K >= 1, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(N, 8) == 0, mod(K, 16) == 0]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %t = tile.block_id 0
  %x_tiles = tile.partition %x by [256, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %scale_tiles = tile.partition %scale by [128] : !Scale
  %y_tiles = tile.partition %y by [256, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_7
  %gm = tile.num_tiles %y_tiles, 0 : !YTiles_5
  %gn = tile.num_tiles %y_tiles, 1 : !YTiles_5
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_5
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
      %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_2
      %wide = arith.extf %b : vector<128x64xf8E4M3FN> to vector<128x64xbf16>
      %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_7
      %turned = vector.transpose %a, [1, 0] : vector<256x64xbf16> to vector<64x256xbf16>
      %acc_1 = tile.mma %wide, %turned, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
      scf.yield %acc_1 : vector<128x256xf32>
    }
    %tile = tile.load %scale_tiles[%j] pad(zero) : !ScaleTiles_1
    %ofRow = vector.shape_cast %tile : vector<128xf32> to vector<128x1xf32>
    %lanes = vector.broadcast %ofRow : vector<128x1xf32> to vector<128x256xf32>
    %product_1 = arith.mulf %acc, %lanes : vector<128x256xf32>
    %turned = vector.transpose %product_1, [1, 0] : vector<128x256xf32> to vector<256x128xf32>
    %narrow = arith.truncf %turned : vector<256x128xf32> to vector<256x128xbf16>
    tile.store %narrow, %out : !YPiece_5
  }
}
