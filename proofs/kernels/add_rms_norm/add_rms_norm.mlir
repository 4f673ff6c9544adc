// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of
// sum[m, n]^2 + eps), in bf16; the sum is rounded once, and the norm is of what
// was rounded, so that y is the norm of the residual that the next layer reads.
// Variants as measured by tile-tune.
// any M and N, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x bf16, shared, strides [ldx, 1]>
!Residual = !tile.tensor<[M, N] x bf16, shared, strides [ldr, 1]>
!Weight = !tile.tensor<[N] x bf16, shared>
!Sum = !tile.tensor<[M, N] x bf16, out, strides [lds, 1]>
!Y = !tile.tensor<[M, N] x bf16, out, strides [ldy, 1]>
!XTiles = !tile.partition<[_, 1024], [M, N] x bf16, shared, strides [ldx, 1]>
!SumTiles = !tile.partition<[_, 1024], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles = !tile.partition<[_, 1024], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece = !tile.piece<[_, 1024] x bf16, out>
!YTiles = !tile.partition<[_, 1024], [M, N] x bf16, out, strides [ldy, 1]>
!WeightTiles = !tile.partition<[1024], [N] x bf16, shared>
!XTiles_1 = !tile.partition<[16, 128], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_1 = !tile.partition<[16, 128], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_1 = !tile.partition<[16, 128], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_1 = !tile.partition<[16, 128], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_1 = !tile.piece<[16, 128] x bf16, out>
!WeightTiles_1 = !tile.partition<[128], [N] x bf16, shared>
!XTiles_2 = !tile.partition<[8, 512], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_2 = !tile.partition<[8, 512], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_2 = !tile.partition<[8, 512], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_2 = !tile.partition<[8, 512], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_2 = !tile.piece<[8, 512] x bf16, out>
!WeightTiles_2 = !tile.partition<[512], [N] x bf16, shared>
!XTiles_3 = !tile.partition<[4, 1024], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_3 = !tile.partition<[4, 1024], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_3 = !tile.partition<[4, 1024], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_3 = !tile.partition<[4, 1024], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_3 = !tile.piece<[4, 1024] x bf16, out>
!XTiles_4 = !tile.partition<[4, 2048], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_4 = !tile.partition<[4, 2048], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_4 = !tile.partition<[4, 2048], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_4 = !tile.partition<[4, 2048], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_4 = !tile.piece<[4, 2048] x bf16, out>
!WeightTiles_3 = !tile.partition<[2048], [N] x bf16, shared>
!YTiles_5 = !tile.partition<[_, 4096], [M, N] x bf16, out, strides [ldy, 1]>
!WeightTiles_4 = !tile.partition<[4096], [N] x bf16, shared>
!SumTiles_5 = !tile.partition<[_, 4096], [M, N] x bf16, out, strides [lds, 1]>
!XTiles_5 = !tile.partition<[_, 4096], [M, N] x bf16, shared, strides [ldx, 1]>
!ResidualTiles_5 = !tile.partition<[_, 4096], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_5 = !tile.piece<[_, 4096] x bf16, out>
!XTiles_6 = !tile.partition<[2, 8192], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles_6 = !tile.partition<[2, 8192], [M, N] x bf16, out, strides [ldy, 1]>
!SumTiles_6 = !tile.partition<[2, 8192], [M, N] x bf16, out, strides [lds, 1]>
!ResidualTiles_6 = !tile.partition<[2, 8192], [M, N] x bf16, shared, strides [ldr, 1]>
!SumPiece_6 = !tile.piece<[2, 8192] x bf16, out>
!WeightTiles_5 = !tile.partition<[8192], [N] x bf16, shared>
tile.variants @add_rms_norm [@add_rms_norm_long_1024_8_8 when (M <= 320, N <= 960), @add_rms_norm_long_1024_8_2 when (M <= 320), @add_rms_norm_rows_16_128_8_8 when (N <= 128, M <= 8192), @add_rms_norm_rows_16_128_4_8 when (N <= 128), @add_rms_norm_rows_8_512_8_8 when (N <= 512, mod(N, 8) == 0), @add_rms_norm_rows_8_512_4_4 when (N <= 512, mod(N, 2) == 1), @add_rms_norm_rows_8_512_4_6 when (N <= 256), @add_rms_norm_rows_4_1024_8_8 when (N <= 1024, mod(N, 2) == 0), @add_rms_norm_rows_4_2048_4_4 when (N <= 2048, mod(N, 8) == 0), @add_rms_norm_long_1024_4_4 when (N <= 2560, mod(N, 8) >= 1), @add_rms_norm_long_1024_8_4 when (mod(N, 8) >= 1), @add_rms_norm_row_4096_8_4 when (M <= 1024, N >= 1, N <= 4096, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0), @add_rms_norm_rows_2_8192_8_2 when (M >= 3072, N >= 4608, N <= 8192), @add_rms_norm_long_1024_4_16]
tile.kernel @add_rms_norm_long_1024_8_8(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [M]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %residual_tiles = tile.partition %residual by [_, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [_, 1024] : !Sum
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<1024xf32>) {
    %out = tile.claim %sum_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_1 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow, %out : !SumPiece
    %t = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %t, %t : vector<1024xf32>
    %squares_1 = arith.addf %squares, %product : vector<1024xf32>
    scf.yield %squares_1 : vector<1024xf32>
  }
  %sum_1 = tile.reduce add %squares, 0 : vector<1024xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_1, %real : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<1024xf32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_3 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_3 : vector<1024xf32> to vector<1024xbf16>
    %wide = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %wide, %scale : vector<1024xf32>
    %tile_2 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %product_1 = arith.mulf %product, %w : vector<1024xf32>
    %narrow_1 = arith.truncf %product_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow_1, %out : !SumPiece
  }
}
tile.kernel @add_rms_norm_long_1024_8_2(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [M]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 2, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %residual_tiles = tile.partition %residual by [_, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [_, 1024] : !Sum
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<1024xf32>) {
    %out = tile.claim %sum_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_1 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow, %out : !SumPiece
    %t = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %t, %t : vector<1024xf32>
    %squares_1 = arith.addf %squares, %product : vector<1024xf32>
    scf.yield %squares_1 : vector<1024xf32>
  }
  %sum_1 = tile.reduce add %squares, 0 : vector<1024xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_1, %real : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<1024xf32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_3 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_3 : vector<1024xf32> to vector<1024xbf16>
    %wide = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %wide, %scale : vector<1024xf32>
    %tile_2 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %product_1 = arith.mulf %product, %w : vector<1024xf32>
    %narrow_1 = arith.truncf %product_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow_1, %out : !SumPiece
  }
}
tile.kernel @add_rms_norm_rows_16_128_8_8(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 16)]
    requires [N <= 128] hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [16, 128] : !X
  %residual_tiles = tile.partition %residual by [16, 128] : !Residual
  %weight_tiles = tile.partition %weight by [128] : !Weight
  %sum_tiles = tile.partition %sum by [16, 128] : !Sum
  %y_tiles = tile.partition %y by [16, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_1
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_1
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_1
    %a = arith.extf %tile : vector<16x128xbf16> to vector<16x128xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_1
    %b = arith.extf %tile_1 : vector<16x128xbf16> to vector<16x128xf32>
    %sum_1 = arith.addf %a, %b : vector<16x128xf32>
    %rounded = arith.truncf %sum_1 : vector<16x128xf32> to vector<16x128xbf16>
    tile.store %rounded, %outSum : !SumPiece_1
    %t = arith.extf %rounded : vector<16x128xbf16> to vector<16x128xf32>
    %product = arith.mulf %t, %t : vector<16x128xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<16x128xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<16x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<16x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<16x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<16x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<16x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<16x1xf32> to vector<16x128xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<16x128xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_1
    %w = arith.extf %tile_2 : vector<128xbf16> to vector<128xf32>
    %lanes_3 = vector.broadcast %w : vector<128xf32> to vector<16x128xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<16x128xf32>
    %narrow = arith.truncf %product_2 : vector<16x128xf32> to vector<16x128xbf16>
    tile.store %narrow, %outY : !SumPiece_1
  }
}
tile.kernel @add_rms_norm_rows_16_128_4_8(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 16)]
    requires [N <= 128] hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [16, 128] : !X
  %residual_tiles = tile.partition %residual by [16, 128] : !Residual
  %weight_tiles = tile.partition %weight by [128] : !Weight
  %sum_tiles = tile.partition %sum by [16, 128] : !Sum
  %y_tiles = tile.partition %y by [16, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_1
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_1
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_1
    %a = arith.extf %tile : vector<16x128xbf16> to vector<16x128xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_1
    %b = arith.extf %tile_1 : vector<16x128xbf16> to vector<16x128xf32>
    %sum_1 = arith.addf %a, %b : vector<16x128xf32>
    %rounded = arith.truncf %sum_1 : vector<16x128xf32> to vector<16x128xbf16>
    tile.store %rounded, %outSum : !SumPiece_1
    %t = arith.extf %rounded : vector<16x128xbf16> to vector<16x128xf32>
    %product = arith.mulf %t, %t : vector<16x128xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<16x128xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<16x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<16x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<16x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<16x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<16x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<16x1xf32> to vector<16x128xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<16x128xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_1
    %w = arith.extf %tile_2 : vector<128xbf16> to vector<128xf32>
    %lanes_3 = vector.broadcast %w : vector<128xf32> to vector<16x128xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<16x128xf32>
    %narrow = arith.truncf %product_2 : vector<16x128xf32> to vector<16x128xbf16>
    tile.store %narrow, %outY : !SumPiece_1
  }
}
tile.kernel @add_rms_norm_rows_8_512_8_8(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 8)]
    requires [N <= 512] hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [8, 512] : !X
  %residual_tiles = tile.partition %residual by [8, 512] : !Residual
  %weight_tiles = tile.partition %weight by [512] : !Weight
  %sum_tiles = tile.partition %sum by [8, 512] : !Sum
  %y_tiles = tile.partition %y by [8, 512] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_2
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_2
    %a = arith.extf %tile : vector<8x512xbf16> to vector<8x512xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_2
    %b = arith.extf %tile_1 : vector<8x512xbf16> to vector<8x512xf32>
    %sum_1 = arith.addf %a, %b : vector<8x512xf32>
    %rounded = arith.truncf %sum_1 : vector<8x512xf32> to vector<8x512xbf16>
    tile.store %rounded, %outSum : !SumPiece_2
    %t = arith.extf %rounded : vector<8x512xbf16> to vector<8x512xf32>
    %product = arith.mulf %t, %t : vector<8x512xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<8x512xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<8x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<8x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<8x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<8x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<8x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<8x1xf32> to vector<8x512xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<8x512xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_2
    %w = arith.extf %tile_2 : vector<512xbf16> to vector<512xf32>
    %lanes_3 = vector.broadcast %w : vector<512xf32> to vector<8x512xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<8x512xf32>
    %narrow = arith.truncf %product_2 : vector<8x512xf32> to vector<8x512xbf16>
    tile.store %narrow, %outY : !SumPiece_2
  }
}
tile.kernel @add_rms_norm_rows_8_512_4_4(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 8)]
    requires [N <= 512] hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [8, 512] : !X
  %residual_tiles = tile.partition %residual by [8, 512] : !Residual
  %weight_tiles = tile.partition %weight by [512] : !Weight
  %sum_tiles = tile.partition %sum by [8, 512] : !Sum
  %y_tiles = tile.partition %y by [8, 512] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_2
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_2
    %a = arith.extf %tile : vector<8x512xbf16> to vector<8x512xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_2
    %b = arith.extf %tile_1 : vector<8x512xbf16> to vector<8x512xf32>
    %sum_1 = arith.addf %a, %b : vector<8x512xf32>
    %rounded = arith.truncf %sum_1 : vector<8x512xf32> to vector<8x512xbf16>
    tile.store %rounded, %outSum : !SumPiece_2
    %t = arith.extf %rounded : vector<8x512xbf16> to vector<8x512xf32>
    %product = arith.mulf %t, %t : vector<8x512xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<8x512xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<8x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<8x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<8x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<8x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<8x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<8x1xf32> to vector<8x512xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<8x512xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_2
    %w = arith.extf %tile_2 : vector<512xbf16> to vector<512xf32>
    %lanes_3 = vector.broadcast %w : vector<512xf32> to vector<8x512xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<8x512xf32>
    %narrow = arith.truncf %product_2 : vector<8x512xf32> to vector<8x512xbf16>
    tile.store %narrow, %outY : !SumPiece_2
  }
}
tile.kernel @add_rms_norm_rows_8_512_4_6(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 8)]
    requires [N <= 512] hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 6}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [8, 512] : !X
  %residual_tiles = tile.partition %residual by [8, 512] : !Residual
  %weight_tiles = tile.partition %weight by [512] : !Weight
  %sum_tiles = tile.partition %sum by [8, 512] : !Sum
  %y_tiles = tile.partition %y by [8, 512] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_2
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_2
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_2
    %a = arith.extf %tile : vector<8x512xbf16> to vector<8x512xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_2
    %b = arith.extf %tile_1 : vector<8x512xbf16> to vector<8x512xf32>
    %sum_1 = arith.addf %a, %b : vector<8x512xf32>
    %rounded = arith.truncf %sum_1 : vector<8x512xf32> to vector<8x512xbf16>
    tile.store %rounded, %outSum : !SumPiece_2
    %t = arith.extf %rounded : vector<8x512xbf16> to vector<8x512xf32>
    %product = arith.mulf %t, %t : vector<8x512xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<8x512xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<8x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<8x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<8x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<8x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<8x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<8x1xf32> to vector<8x512xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<8x512xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_2
    %w = arith.extf %tile_2 : vector<512xbf16> to vector<512xf32>
    %lanes_3 = vector.broadcast %w : vector<512xf32> to vector<8x512xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<8x512xf32>
    %narrow = arith.truncf %product_2 : vector<8x512xf32> to vector<8x512xbf16>
    tile.store %narrow, %outY : !SumPiece_2
  }
}
tile.kernel @add_rms_norm_rows_4_1024_8_8(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 4)]
    requires [N <= 1024] hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [4, 1024] : !X
  %residual_tiles = tile.partition %residual by [4, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [4, 1024] : !Sum
  %y_tiles = tile.partition %y by [4, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_3
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_3
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_3
    %a = arith.extf %tile : vector<4x1024xbf16> to vector<4x1024xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_3
    %b = arith.extf %tile_1 : vector<4x1024xbf16> to vector<4x1024xf32>
    %sum_1 = arith.addf %a, %b : vector<4x1024xf32>
    %rounded = arith.truncf %sum_1 : vector<4x1024xf32> to vector<4x1024xbf16>
    tile.store %rounded, %outSum : !SumPiece_3
    %t = arith.extf %rounded : vector<4x1024xbf16> to vector<4x1024xf32>
    %product = arith.mulf %t, %t : vector<4x1024xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<4x1024xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<4x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<4x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<4x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<4x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<4x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<4x1xf32> to vector<4x1024xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<4x1024xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %lanes_3 = vector.broadcast %w : vector<1024xf32> to vector<4x1024xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<4x1024xf32>
    %narrow = arith.truncf %product_2 : vector<4x1024xf32> to vector<4x1024xbf16>
    tile.store %narrow, %outY : !SumPiece_3
  }
}
tile.kernel @add_rms_norm_rows_4_2048_4_4(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 4)]
    requires [N <= 2048] hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [4, 2048] : !X
  %residual_tiles = tile.partition %residual by [4, 2048] : !Residual
  %weight_tiles = tile.partition %weight by [2048] : !Weight
  %sum_tiles = tile.partition %sum by [4, 2048] : !Sum
  %y_tiles = tile.partition %y by [4, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_4
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_4
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_4
    %a = arith.extf %tile : vector<4x2048xbf16> to vector<4x2048xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_4
    %b = arith.extf %tile_1 : vector<4x2048xbf16> to vector<4x2048xf32>
    %sum_1 = arith.addf %a, %b : vector<4x2048xf32>
    %rounded = arith.truncf %sum_1 : vector<4x2048xf32> to vector<4x2048xbf16>
    tile.store %rounded, %outSum : !SumPiece_4
    %t = arith.extf %rounded : vector<4x2048xbf16> to vector<4x2048xf32>
    %product = arith.mulf %t, %t : vector<4x2048xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<4x2048xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<4x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<4x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<4x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<4x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<4x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<4x1xf32> to vector<4x2048xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<4x2048xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_3
    %w = arith.extf %tile_2 : vector<2048xbf16> to vector<2048xf32>
    %lanes_3 = vector.broadcast %w : vector<2048xf32> to vector<4x2048xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<4x2048xf32>
    %narrow = arith.truncf %product_2 : vector<4x2048xf32> to vector<4x2048xbf16>
    tile.store %narrow, %outY : !SumPiece_4
  }
}
tile.kernel @add_rms_norm_long_1024_4_4(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [M]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %residual_tiles = tile.partition %residual by [_, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [_, 1024] : !Sum
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<1024xf32>) {
    %out = tile.claim %sum_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_1 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow, %out : !SumPiece
    %t = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %t, %t : vector<1024xf32>
    %squares_1 = arith.addf %squares, %product : vector<1024xf32>
    scf.yield %squares_1 : vector<1024xf32>
  }
  %sum_1 = tile.reduce add %squares, 0 : vector<1024xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_1, %real : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<1024xf32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_3 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_3 : vector<1024xf32> to vector<1024xbf16>
    %wide = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %wide, %scale : vector<1024xf32>
    %tile_2 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %product_1 = arith.mulf %product, %w : vector<1024xf32>
    %narrow_1 = arith.truncf %product_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow_1, %out : !SumPiece
  }
}
tile.kernel @add_rms_norm_long_1024_8_4(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [M]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %residual_tiles = tile.partition %residual by [_, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [_, 1024] : !Sum
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<1024xf32>) {
    %out = tile.claim %sum_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_1 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow, %out : !SumPiece
    %t = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %t, %t : vector<1024xf32>
    %squares_1 = arith.addf %squares, %product : vector<1024xf32>
    scf.yield %squares_1 : vector<1024xf32>
  }
  %sum_1 = tile.reduce add %squares, 0 : vector<1024xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_1, %real : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<1024xf32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_3 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_3 : vector<1024xf32> to vector<1024xbf16>
    %wide = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %wide, %scale : vector<1024xf32>
    %tile_2 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %product_1 = arith.mulf %product, %w : vector<1024xf32>
    %narrow_1 = arith.truncf %product_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow_1, %out : !SumPiece
  }
}
tile.kernel @add_rms_norm_row_4096_8_4(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [M]
    requires [N >= 1, N <= 4096, mod(N, 8) == 0, mod(ldx, 8) == 0, mod(ldr, 8) == 0, mod(lds, 8) == 0, mod(ldy, 8) == 0]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %b0 = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 4096] : !X
  %residual_tiles = tile.partition %residual by [_, 4096] : !Residual
  %weight_tiles = tile.partition %weight by [4096] : !Weight
  %sum_tiles = tile.partition %sum by [_, 4096] : !Sum
  %y_tiles = tile.partition %y by [_, 4096] : !Y
  %y_piece = tile.claim %y_tiles[%b0, %c0] : !YTiles_5
  %tile = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_4
  %sum_piece = tile.claim %sum_tiles[%b0, %c0] : !SumTiles_5
  %tile_1 = tile.load %x_tiles[%b0, %c0] pad(zero) : !XTiles_5
  %wide = arith.extf %tile_1 : vector<4096xbf16> to vector<4096xf32>
  %tile_2 = tile.load %residual_tiles[%b0, %c0] pad(zero) : !ResidualTiles_5
  %wide_1 = arith.extf %tile_2 : vector<4096xbf16> to vector<4096xf32>
  %sum_1 = arith.addf %wide, %wide_1 : vector<4096xf32>
  %narrow = arith.truncf %sum_1 : vector<4096xf32> to vector<4096xbf16>
  tile.store %narrow, %sum_piece : !SumPiece_5
  %wide_2 = arith.extf %narrow : vector<4096xbf16> to vector<4096xf32>
  %product = arith.mulf %wide_2, %wide_2 : vector<4096xf32>
  %sum_2 = tile.reduce add %product, 0 : vector<4096xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_2, %real : f32
  %sum_3 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_3 : f32
  %lanes = vector.broadcast %rsqrt : f32 to vector<4096xf32>
  %product_1 = arith.mulf %wide_2, %lanes : vector<4096xf32>
  %wide_3 = arith.extf %tile : vector<4096xbf16> to vector<4096xf32>
  %product_2 = arith.mulf %product_1, %wide_3 : vector<4096xf32>
  %narrow_1 = arith.truncf %product_2 : vector<4096xf32> to vector<4096xbf16>
  tile.store %narrow_1, %y_piece : !SumPiece_5
}
tile.kernel @add_rms_norm_rows_2_8192_8_2(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [ceildiv(M, 2)]
    requires [N <= 8192] hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 2}} {
  %c0 = arith.constant 0 : index
  %rows = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [2, 8192] : !X
  %residual_tiles = tile.partition %residual by [2, 8192] : !Residual
  %weight_tiles = tile.partition %weight by [8192] : !Weight
  %sum_tiles = tile.partition %sum by [2, 8192] : !Sum
  %y_tiles = tile.partition %y by [2, 8192] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_6
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outY = tile.claim %y_tiles[%rows, %c0] : !YTiles_6
    %outSum = tile.claim %sum_tiles[%rows, %c0] : !SumTiles_6
    %tile = tile.load %x_tiles[%rows, %c0] pad(zero) : !XTiles_6
    %a = arith.extf %tile : vector<2x8192xbf16> to vector<2x8192xf32>
    %tile_1 = tile.load %residual_tiles[%rows, %c0] pad(zero) : !ResidualTiles_6
    %b = arith.extf %tile_1 : vector<2x8192xbf16> to vector<2x8192xf32>
    %sum_1 = arith.addf %a, %b : vector<2x8192xf32>
    %rounded = arith.truncf %sum_1 : vector<2x8192xf32> to vector<2x8192xbf16>
    tile.store %rounded, %outSum : !SumPiece_6
    %t = arith.extf %rounded : vector<2x8192xbf16> to vector<2x8192xf32>
    %product = arith.mulf %t, %t : vector<2x8192xf32>
    %sum_2 = tile.reduce add %product, 1 keep : vector<2x8192xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes = vector.broadcast %real : f32 to vector<2x1xf32>
    %quotient = arith.divf %sum_2, %lanes : vector<2x1xf32>
    %lanes_1 = vector.broadcast %eps : f32 to vector<2x1xf32>
    %sum_3 = arith.addf %quotient, %lanes_1 : vector<2x1xf32>
    %rsqrt = math.rsqrt %sum_3 : vector<2x1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<2x1xf32> to vector<2x8192xf32>
    %product_1 = arith.mulf %t, %lanes_2 : vector<2x8192xf32>
    %tile_2 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_5
    %w = arith.extf %tile_2 : vector<8192xbf16> to vector<8192xf32>
    %lanes_3 = vector.broadcast %w : vector<8192xf32> to vector<2x8192xf32>
    %product_2 = arith.mulf %product_1, %lanes_3 : vector<2x8192xf32>
    %narrow = arith.truncf %product_2 : vector<2x8192xf32> to vector<2x8192xbf16>
    tile.store %narrow, %outY : !SumPiece_6
  }
}
tile.kernel @add_rms_norm_long_1024_4_16(%x: !X, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Y, %eps: f32)
    symbols [ldx : index, ldr : index, lds : index, ldy : index] grid [M]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 16, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %residual_tiles = tile.partition %residual by [_, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [_, 1024] : !Sum
  %y_tiles = tile.partition %y by [_, 1024] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<1024xf32>) {
    %out = tile.claim %sum_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_1 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow, %out : !SumPiece
    %t = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %t, %t : vector<1024xf32>
    %squares_1 = arith.addf %squares, %product : vector<1024xf32>
    scf.yield %squares_1 : vector<1024xf32>
  }
  %sum_1 = tile.reduce add %squares, 0 : vector<1024xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_1, %real : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<1024xf32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !ResidualTiles
    %b = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_3 = arith.addf %a, %b : vector<1024xf32>
    %narrow = arith.truncf %sum_3 : vector<1024xf32> to vector<1024xbf16>
    %wide = arith.extf %narrow : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %wide, %scale : vector<1024xf32>
    %tile_2 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<1024xbf16> to vector<1024xf32>
    %product_1 = arith.mulf %product, %w : vector<1024xf32>
    %narrow_1 = arith.truncf %product_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow_1, %out : !SumPiece
  }
}
