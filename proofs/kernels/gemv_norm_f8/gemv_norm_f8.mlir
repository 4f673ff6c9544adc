// y[N] = scale[N] (w[N, K] norm(x)[K]) in bf16, as gemv_norm, of weights in
// f8E4M3FN with a scale a row.
// any N and K up to 10240, multiples of 16, zero and ragged included; P at
// least 1
// generated from gemv.cpp
!W = !tile.tensor<[N, K] x f8E4M3FN, shared>
!Scale = !tile.tensor<[N] x f32, shared>
!X = !tile.tensor<[K] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!WTiles = !tile.partition<[8, 512], [N, K] x f8E4M3FN, shared>
!YTiles = !tile.partition<[8], [N] x bf16, out>
!XTiles = !tile.partition<[512], [K] x bf16, shared>
!ScaleTiles = !tile.partition<[8], [N] x f32, shared>
!YPiece = !tile.piece<[8] x bf16, out>
!WTiles_1 = !tile.partition<[4, 512], [N, K] x f8E4M3FN, shared>
!YTiles_1 = !tile.partition<[4], [N] x bf16, out>
!ScaleTiles_1 = !tile.partition<[4], [N] x f32, shared>
!YPiece_1 = !tile.piece<[4] x bf16, out>
!WTiles_2 = !tile.partition<[2, 512], [N, K] x f8E4M3FN, shared>
!YTiles_2 = !tile.partition<[2], [N] x bf16, out>
!ScaleTiles_2 = !tile.partition<[2], [N] x f32, shared>
!YPiece_2 = !tile.piece<[2] x bf16, out>
tile.variants @gemv_norm_f8 [@gemv_norm_f8_rows_8_2560_3_2560 when (K <= 2560), @gemv_norm_f8_rows_4_5120_3_2560 when (K <= 5120), @gemv_norm_f8_rows_2_10240_4_2560]
tile.kernel @gemv_norm_f8_rows_8_2560_3_2560(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 16) == 0, K <= 2560]
    hints {sm_90 = {slots = 3, slot_bytes = 2560}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %zero_1 = arith.constant dense<0.0> : vector<512xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %K = tile.symbol "K" : index
  %w_tiles = tile.partition %w by [8, 512] : !W
  %scale_tiles = tile.partition %scale by [8] : !Scale
  %x_tiles = tile.partition %x by [512] : !X
  %gain_tiles = tile.partition %gain by [512] : !X
  %y_tiles = tile.partition %y by [8] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %acc, %squares = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %squares = %zero_1) -> (vector<8xf32>, vector<512xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %wide = arith.extf %a : vector<8x512xf8E4M3FN> to vector<8x512xf32>
      %tile = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %b = arith.extf %tile : vector<512xbf16> to vector<512xf32>
      %tile_1 = tile.load %gain_tiles[%k] pad(zero) : !XTiles
      %g = arith.extf %tile_1 : vector<512xbf16> to vector<512xf32>
      %product = arith.mulf %b, %g : vector<512xf32>
      %narrow = arith.truncf %product : vector<512xf32> to vector<512xbf16>
      %wide_1 = arith.extf %narrow : vector<512xbf16> to vector<512xf32>
      %lanes_1 = vector.broadcast %wide_1 : vector<512xf32> to vector<8x512xf32>
      %product_1 = arith.mulf %wide, %lanes_1 : vector<8x512xf32>
      %sum = tile.reduce add %product_1, 1 : vector<8x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<8xf32>
      %product_2 = arith.mulf %b, %b : vector<512xf32>
      %squares_1 = arith.addf %squares, %product_2 : vector<512xf32>
      scf.yield %acc_1, %squares_1 : vector<8xf32>, vector<512xf32>
    }
    %ofRow = tile.load %scale_tiles[%t] pad(zero) : !ScaleTiles
    %product = arith.mulf %acc, %ofRow : vector<8xf32>
    %sum = tile.reduce add %squares, 0 keep : vector<512xf32>
    %index = arith.index_cast %K : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes_1 = vector.broadcast %real : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1xf32> to vector<8xf32>
    %product_1 = arith.mulf %product, %lanes_2 : vector<8xf32>
    %narrow = arith.truncf %product_1 : vector<8xf32> to vector<8xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_norm_f8_rows_4_5120_3_2560(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 16) == 0, K <= 5120]
    hints {sm_90 = {slots = 3, slot_bytes = 2560}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %zero_1 = arith.constant dense<0.0> : vector<512xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %K = tile.symbol "K" : index
  %w_tiles = tile.partition %w by [4, 512] : !W
  %scale_tiles = tile.partition %scale by [4] : !Scale
  %x_tiles = tile.partition %x by [512] : !X
  %gain_tiles = tile.partition %gain by [512] : !X
  %y_tiles = tile.partition %y by [4] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_1
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %acc, %squares = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %squares = %zero_1) -> (vector<4xf32>, vector<512xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_1
      %wide = arith.extf %a : vector<4x512xf8E4M3FN> to vector<4x512xf32>
      %tile = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %b = arith.extf %tile : vector<512xbf16> to vector<512xf32>
      %tile_1 = tile.load %gain_tiles[%k] pad(zero) : !XTiles
      %g = arith.extf %tile_1 : vector<512xbf16> to vector<512xf32>
      %product = arith.mulf %b, %g : vector<512xf32>
      %narrow = arith.truncf %product : vector<512xf32> to vector<512xbf16>
      %wide_1 = arith.extf %narrow : vector<512xbf16> to vector<512xf32>
      %lanes_1 = vector.broadcast %wide_1 : vector<512xf32> to vector<4x512xf32>
      %product_1 = arith.mulf %wide, %lanes_1 : vector<4x512xf32>
      %sum = tile.reduce add %product_1, 1 : vector<4x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<4xf32>
      %product_2 = arith.mulf %b, %b : vector<512xf32>
      %squares_1 = arith.addf %squares, %product_2 : vector<512xf32>
      scf.yield %acc_1, %squares_1 : vector<4xf32>, vector<512xf32>
    }
    %ofRow = tile.load %scale_tiles[%t] pad(zero) : !ScaleTiles_1
    %product = arith.mulf %acc, %ofRow : vector<4xf32>
    %sum = tile.reduce add %squares, 0 keep : vector<512xf32>
    %index = arith.index_cast %K : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes_1 = vector.broadcast %real : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1xf32> to vector<4xf32>
    %product_1 = arith.mulf %product, %lanes_2 : vector<4xf32>
    %narrow = arith.truncf %product_1 : vector<4xf32> to vector<4xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_norm_f8_rows_2_10240_4_2560(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 16) == 0, K <= 10240]
    hints {sm_90 = {slots = 4, slot_bytes = 2560}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %zero_1 = arith.constant dense<0.0> : vector<512xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %K = tile.symbol "K" : index
  %w_tiles = tile.partition %w by [2, 512] : !W
  %scale_tiles = tile.partition %scale by [2] : !Scale
  %x_tiles = tile.partition %x by [512] : !X
  %gain_tiles = tile.partition %gain by [512] : !X
  %y_tiles = tile.partition %y by [2] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_2
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %acc, %squares = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %squares = %zero_1) -> (vector<2xf32>, vector<512xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_2
      %wide = arith.extf %a : vector<2x512xf8E4M3FN> to vector<2x512xf32>
      %tile = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %b = arith.extf %tile : vector<512xbf16> to vector<512xf32>
      %tile_1 = tile.load %gain_tiles[%k] pad(zero) : !XTiles
      %g = arith.extf %tile_1 : vector<512xbf16> to vector<512xf32>
      %product = arith.mulf %b, %g : vector<512xf32>
      %narrow = arith.truncf %product : vector<512xf32> to vector<512xbf16>
      %wide_1 = arith.extf %narrow : vector<512xbf16> to vector<512xf32>
      %lanes_1 = vector.broadcast %wide_1 : vector<512xf32> to vector<2x512xf32>
      %product_1 = arith.mulf %wide, %lanes_1 : vector<2x512xf32>
      %sum = tile.reduce add %product_1, 1 : vector<2x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<2xf32>
      %product_2 = arith.mulf %b, %b : vector<512xf32>
      %squares_1 = arith.addf %squares, %product_2 : vector<512xf32>
      scf.yield %acc_1, %squares_1 : vector<2xf32>, vector<512xf32>
    }
    %ofRow = tile.load %scale_tiles[%t] pad(zero) : !ScaleTiles_2
    %product = arith.mulf %acc, %ofRow : vector<2xf32>
    %sum = tile.reduce add %squares, 0 keep : vector<512xf32>
    %index = arith.index_cast %K : index to i64
    %real = arith.sitofp %index : i64 to f32
    %lanes_1 = vector.broadcast %real : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1xf32> to vector<2xf32>
    %product_1 = arith.mulf %product, %lanes_2 : vector<2xf32>
    %narrow = arith.truncf %product_1 : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
