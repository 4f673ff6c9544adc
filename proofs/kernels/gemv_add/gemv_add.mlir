// y[N] = residual[N] + w[N, K] x[K] in bf16, sums in f32, rounded once, by P
// programs, as gemv_by_depth.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
// generated from gemv.cpp
!W = !tile.tensor<[N, K] x bf16, shared>
!X = !tile.tensor<[K] x bf16, shared>
!Residual = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!WTiles = !tile.partition<[4, 512], [N, K] x bf16, shared>
!YTiles = !tile.partition<[4], [N] x bf16, out>
!XTiles = !tile.partition<[512], [K] x bf16, shared>
!ResidualTiles = !tile.partition<[4], [N] x bf16, shared>
!YPiece = !tile.piece<[4] x bf16, out>
!WTiles_1 = !tile.partition<[2, 512], [N, K] x bf16, shared>
!YTiles_1 = !tile.partition<[2], [N] x bf16, out>
!ResidualTiles_1 = !tile.partition<[2], [N] x bf16, shared>
!YPiece_1 = !tile.piece<[2] x bf16, out>
!WTiles_2 = !tile.partition<[1, 512], [N, K] x bf16, shared>
!YTiles_2 = !tile.partition<[1], [N] x bf16, out>
!ResidualTiles_2 = !tile.partition<[1], [N] x bf16, shared>
!YPiece_2 = !tile.piece<[1] x bf16, out>
tile.variants @gemv_add [@gemv_add_rows_4_2560_4 when (K <= 2560), @gemv_add_rows_2_4096_3 when (K <= 4096), @gemv_add_rows_2_5120_4 when (K <= 5120), @gemv_add_rows_1_8192_4 when (K <= 8192), @gemv_add_rows_1_10240_4 when (K <= 10240), @gemv_add_rows_1_32768_4]
tile.kernel @gemv_add_rows_4_2560_4(%w: !W, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 2560]
    hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [4, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %residual_tiles = tile.partition %residual by [4] : !Residual
  %y_tiles = tile.partition %y by [4] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %wide = arith.extf %a : vector<4x512xbf16> to vector<4x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<4x512xf32>
      %product = arith.mulf %wide, %lanes : vector<4x512xf32>
      %sum = tile.reduce add %product, 1 : vector<4x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<4xf32>
      scf.yield %acc_1 : vector<4xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles
    %added = arith.extf %tile : vector<4xbf16> to vector<4xf32>
    %sum = arith.addf %added, %acc : vector<4xf32>
    %narrow = arith.truncf %sum : vector<4xf32> to vector<4xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_add_rows_2_4096_3(%w: !W, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 4096]
    hints {sm_90 = {slots = 3, slot_bytes = 2048}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [2, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %residual_tiles = tile.partition %residual by [2] : !Residual
  %y_tiles = tile.partition %y by [2] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_1
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<2xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_1
      %wide = arith.extf %a : vector<2x512xbf16> to vector<2x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<2x512xf32>
      %product = arith.mulf %wide, %lanes : vector<2x512xf32>
      %sum = tile.reduce add %product, 1 : vector<2x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<2xf32>
      scf.yield %acc_1 : vector<2xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_1
    %added = arith.extf %tile : vector<2xbf16> to vector<2xf32>
    %sum = arith.addf %added, %acc : vector<2xf32>
    %narrow = arith.truncf %sum : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_add_rows_2_5120_4(%w: !W, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 5120]
    hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [2, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %residual_tiles = tile.partition %residual by [2] : !Residual
  %y_tiles = tile.partition %y by [2] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_1
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<2xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_1
      %wide = arith.extf %a : vector<2x512xbf16> to vector<2x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<2x512xf32>
      %product = arith.mulf %wide, %lanes : vector<2x512xf32>
      %sum = tile.reduce add %product, 1 : vector<2x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<2xf32>
      scf.yield %acc_1 : vector<2xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_1
    %added = arith.extf %tile : vector<2xbf16> to vector<2xf32>
    %sum = arith.addf %added, %acc : vector<2xf32>
    %narrow = arith.truncf %sum : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_add_rows_1_8192_4(%w: !W, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 8192]
    hints {sm_90 = {slots = 4, slot_bytes = 2048}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [1, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %residual_tiles = tile.partition %residual by [1] : !Residual
  %y_tiles = tile.partition %y by [1] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_2
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_2
      %wide = arith.extf %a : vector<1x512xbf16> to vector<1x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<1x512xf32>
      %product = arith.mulf %wide, %lanes : vector<1x512xf32>
      %sum = tile.reduce add %product, 1 : vector<1x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<1xf32>
      scf.yield %acc_1 : vector<1xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_2
    %added = arith.extf %tile : vector<1xbf16> to vector<1xf32>
    %sum = arith.addf %added, %acc : vector<1xf32>
    %narrow = arith.truncf %sum : vector<1xf32> to vector<1xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
tile.kernel @gemv_add_rows_1_10240_4(%w: !W, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 10240]
    hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [1, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %residual_tiles = tile.partition %residual by [1] : !Residual
  %y_tiles = tile.partition %y by [1] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_2
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_2
      %wide = arith.extf %a : vector<1x512xbf16> to vector<1x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<1x512xf32>
      %product = arith.mulf %wide, %lanes : vector<1x512xf32>
      %sum = tile.reduce add %product, 1 : vector<1x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<1xf32>
      scf.yield %acc_1 : vector<1xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_2
    %added = arith.extf %tile : vector<1xbf16> to vector<1xf32>
    %sum = arith.addf %added, %acc : vector<1xf32>
    %narrow = arith.truncf %sum : vector<1xf32> to vector<1xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
tile.kernel @gemv_add_rows_1_32768_4(%w: !W, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 32768]
    hints {sm_90 = {slots = 4, slot_bytes = 3584}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [1, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %residual_tiles = tile.partition %residual by [1] : !Residual
  %y_tiles = tile.partition %y by [1] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_2
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_2
      %wide = arith.extf %a : vector<1x512xbf16> to vector<1x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xbf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<1x512xf32>
      %product = arith.mulf %wide, %lanes : vector<1x512xf32>
      %sum = tile.reduce add %product, 1 : vector<1x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<1xf32>
      scf.yield %acc_1 : vector<1xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_2
    %added = arith.extf %tile : vector<1xbf16> to vector<1xf32>
    %sum = arith.addf %added, %acc : vector<1xf32>
    %narrow = arith.truncf %sum : vector<1xf32> to vector<1xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
