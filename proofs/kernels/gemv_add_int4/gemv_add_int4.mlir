// y[N] = residual[N] + w[N, 128 G] x[128 G] in bf16: weights are of 4 bits,
// from -8 to 7, with a scale in bf16 for each row and group of 128 columns.
// Byte j of a group has column j in its low half and column j + 64 in its high
// one; sums in f32, rounded once, by P programs, as gemv_by_depth. any N and G
// up to 256, zero and ragged included; P at least 1
// generated from gemv.cpp
!W = !tile.tensor<[N, G, 64] x i8, shared>
!Scale = !tile.tensor<[N, G] x bf16, shared>
!X = !tile.tensor<[G, 2, 64] x bf16, shared>
!Residual = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!YTiles = !tile.partition<[4], [N] x bf16, out>
!WTiles = !tile.partition<[4, _, 64], [N, G, 64] x i8, shared>
!XTiles = !tile.partition<[_, _, 64], [G, 2, 64] x bf16, shared>
!ScaleTiles = !tile.partition<[4, _], [N, G] x bf16, shared>
!ResidualTiles = !tile.partition<[4], [N] x bf16, shared>
!YPiece = !tile.piece<[4] x bf16, out>
!YTiles_1 = !tile.partition<[2], [N] x bf16, out>
!WTiles_1 = !tile.partition<[2, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles_1 = !tile.partition<[2, _], [N, G] x bf16, shared>
!ResidualTiles_1 = !tile.partition<[2], [N] x bf16, shared>
!YPiece_1 = !tile.piece<[2] x bf16, out>
!YTiles_2 = !tile.partition<[1], [N] x bf16, out>
!WTiles_2 = !tile.partition<[1, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles_2 = !tile.partition<[1, _], [N, G] x bf16, shared>
!ResidualTiles_2 = !tile.partition<[1], [N] x bf16, shared>
!YPiece_2 = !tile.piece<[1] x bf16, out>
tile.variants @gemv_add_int4 [@gemv_add_int4_rows_4_16_8_512 when (G <= 16), @gemv_add_int4_rows_4_20_8_1024 when (G <= 20), @gemv_add_int4_rows_2_32_12_512 when (G <= 32), @gemv_add_int4_rows_4_40_6_1536 when (G <= 40), @gemv_add_int4_rows_2_64_8_1024 when (G <= 64), @gemv_add_int4_rows_2_80_6_1536 when (G <= 80), @gemv_add_int4_rows_1_128_8_1024 when (G <= 128), @gemv_add_int4_rows_1_208_5_2048]
tile.kernel @gemv_add_int4_rows_4_16_8_512(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 16]
    hints {sm_90 = {slots = 8, slot_bytes = 512}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c15 = arith.constant dense<15> : vector<4x64xi8>
  %c8 = arith.constant dense<8.0> : vector<4x64xf32>
  %c4 = arith.constant dense<4> : vector<4x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [4, _, 64] : !W
  %scale_tiles = tile.partition %scale by [4, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [4] : !Residual
  %y_tiles = tile.partition %y by [4] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<4xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %both = arith.andi %a, %c15 : vector<4x64xi8>
      %real = arith.sitofp %both : vector<4x64xi8> to vector<4x64xf32>
      %less = arith.subf %real, %c8 : vector<4x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<4x64xf32>
      %product = arith.mulf %less, %lanes : vector<4x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<4x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<4x64xi8>
      %real_1 = arith.sitofp %shrui : vector<4x64xi8> to vector<4x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<4x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<4x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<4x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<4x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<4xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %wide = arith.extf %s : vector<4xbf16> to vector<4xf32>
      %product_2 = arith.mulf %sum, %wide : vector<4xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<4xf32>
      scf.yield %sum_1 : vector<4xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles
    %added = arith.extf %tile : vector<4xbf16> to vector<4xf32>
    %sum = arith.addf %added, %zero_1 : vector<4xf32>
    %narrow = arith.truncf %sum : vector<4xf32> to vector<4xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_add_int4_rows_4_20_8_1024(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 20]
    hints {sm_90 = {slots = 8, slot_bytes = 1024}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c15 = arith.constant dense<15> : vector<4x64xi8>
  %c8 = arith.constant dense<8.0> : vector<4x64xf32>
  %c4 = arith.constant dense<4> : vector<4x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [4, _, 64] : !W
  %scale_tiles = tile.partition %scale by [4, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [4] : !Residual
  %y_tiles = tile.partition %y by [4] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<4xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %both = arith.andi %a, %c15 : vector<4x64xi8>
      %real = arith.sitofp %both : vector<4x64xi8> to vector<4x64xf32>
      %less = arith.subf %real, %c8 : vector<4x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<4x64xf32>
      %product = arith.mulf %less, %lanes : vector<4x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<4x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<4x64xi8>
      %real_1 = arith.sitofp %shrui : vector<4x64xi8> to vector<4x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<4x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<4x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<4x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<4x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<4xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %wide = arith.extf %s : vector<4xbf16> to vector<4xf32>
      %product_2 = arith.mulf %sum, %wide : vector<4xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<4xf32>
      scf.yield %sum_1 : vector<4xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles
    %added = arith.extf %tile : vector<4xbf16> to vector<4xf32>
    %sum = arith.addf %added, %zero_1 : vector<4xf32>
    %narrow = arith.truncf %sum : vector<4xf32> to vector<4xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_add_int4_rows_2_32_12_512(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 32]
    hints {sm_90 = {slots = 12, slot_bytes = 512}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %c15 = arith.constant dense<15> : vector<2x64xi8>
  %c8 = arith.constant dense<8.0> : vector<2x64xf32>
  %c4 = arith.constant dense<4> : vector<2x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [2, _, 64] : !W
  %scale_tiles = tile.partition %scale by [2, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [2] : !Residual
  %y_tiles = tile.partition %y by [2] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<2xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_1
      %both = arith.andi %a, %c15 : vector<2x64xi8>
      %real = arith.sitofp %both : vector<2x64xi8> to vector<2x64xf32>
      %less = arith.subf %real, %c8 : vector<2x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<2x64xf32>
      %product = arith.mulf %less, %lanes : vector<2x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<2x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<2x64xi8>
      %real_1 = arith.sitofp %shrui : vector<2x64xi8> to vector<2x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<2x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<2x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<2x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<2x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<2xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_1
      %wide = arith.extf %s : vector<2xbf16> to vector<2xf32>
      %product_2 = arith.mulf %sum, %wide : vector<2xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<2xf32>
      scf.yield %sum_1 : vector<2xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_1
    %added = arith.extf %tile : vector<2xbf16> to vector<2xf32>
    %sum = arith.addf %added, %zero_1 : vector<2xf32>
    %narrow = arith.truncf %sum : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_add_int4_rows_4_40_6_1536(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 40]
    hints {sm_90 = {slots = 6, slot_bytes = 1536}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %c15 = arith.constant dense<15> : vector<4x64xi8>
  %c8 = arith.constant dense<8.0> : vector<4x64xf32>
  %c4 = arith.constant dense<4> : vector<4x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [4, _, 64] : !W
  %scale_tiles = tile.partition %scale by [4, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [4] : !Residual
  %y_tiles = tile.partition %y by [4] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<4xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %both = arith.andi %a, %c15 : vector<4x64xi8>
      %real = arith.sitofp %both : vector<4x64xi8> to vector<4x64xf32>
      %less = arith.subf %real, %c8 : vector<4x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<4x64xf32>
      %product = arith.mulf %less, %lanes : vector<4x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<4x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<4x64xi8>
      %real_1 = arith.sitofp %shrui : vector<4x64xi8> to vector<4x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<4x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<4x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<4x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<4x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<4xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %wide = arith.extf %s : vector<4xbf16> to vector<4xf32>
      %product_2 = arith.mulf %sum, %wide : vector<4xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<4xf32>
      scf.yield %sum_1 : vector<4xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles
    %added = arith.extf %tile : vector<4xbf16> to vector<4xf32>
    %sum = arith.addf %added, %zero_1 : vector<4xf32>
    %narrow = arith.truncf %sum : vector<4xf32> to vector<4xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_add_int4_rows_2_64_8_1024(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 64]
    hints {sm_90 = {slots = 8, slot_bytes = 1024}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %c15 = arith.constant dense<15> : vector<2x64xi8>
  %c8 = arith.constant dense<8.0> : vector<2x64xf32>
  %c4 = arith.constant dense<4> : vector<2x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [2, _, 64] : !W
  %scale_tiles = tile.partition %scale by [2, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [2] : !Residual
  %y_tiles = tile.partition %y by [2] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<2xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_1
      %both = arith.andi %a, %c15 : vector<2x64xi8>
      %real = arith.sitofp %both : vector<2x64xi8> to vector<2x64xf32>
      %less = arith.subf %real, %c8 : vector<2x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<2x64xf32>
      %product = arith.mulf %less, %lanes : vector<2x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<2x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<2x64xi8>
      %real_1 = arith.sitofp %shrui : vector<2x64xi8> to vector<2x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<2x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<2x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<2x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<2x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<2xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_1
      %wide = arith.extf %s : vector<2xbf16> to vector<2xf32>
      %product_2 = arith.mulf %sum, %wide : vector<2xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<2xf32>
      scf.yield %sum_1 : vector<2xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_1
    %added = arith.extf %tile : vector<2xbf16> to vector<2xf32>
    %sum = arith.addf %added, %zero_1 : vector<2xf32>
    %narrow = arith.truncf %sum : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_add_int4_rows_2_80_6_1536(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 80]
    hints {sm_90 = {slots = 6, slot_bytes = 1536}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %c15 = arith.constant dense<15> : vector<2x64xi8>
  %c8 = arith.constant dense<8.0> : vector<2x64xf32>
  %c4 = arith.constant dense<4> : vector<2x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [2, _, 64] : !W
  %scale_tiles = tile.partition %scale by [2, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [2] : !Residual
  %y_tiles = tile.partition %y by [2] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<2xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_1
      %both = arith.andi %a, %c15 : vector<2x64xi8>
      %real = arith.sitofp %both : vector<2x64xi8> to vector<2x64xf32>
      %less = arith.subf %real, %c8 : vector<2x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<2x64xf32>
      %product = arith.mulf %less, %lanes : vector<2x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<2x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<2x64xi8>
      %real_1 = arith.sitofp %shrui : vector<2x64xi8> to vector<2x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<2x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<2x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<2x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<2x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<2xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_1
      %wide = arith.extf %s : vector<2xbf16> to vector<2xf32>
      %product_2 = arith.mulf %sum, %wide : vector<2xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<2xf32>
      scf.yield %sum_1 : vector<2xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_1
    %added = arith.extf %tile : vector<2xbf16> to vector<2xf32>
    %sum = arith.addf %added, %zero_1 : vector<2xf32>
    %narrow = arith.truncf %sum : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_add_int4_rows_1_128_8_1024(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 128]
    hints {sm_90 = {slots = 8, slot_bytes = 1024}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %c15 = arith.constant dense<15> : vector<1x64xi8>
  %c8 = arith.constant dense<8.0> : vector<1x64xf32>
  %c4 = arith.constant dense<4> : vector<1x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [1, _, 64] : !W
  %scale_tiles = tile.partition %scale by [1, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [1] : !Residual
  %y_tiles = tile.partition %y by [1] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_2
      %both = arith.andi %a, %c15 : vector<1x64xi8>
      %real = arith.sitofp %both : vector<1x64xi8> to vector<1x64xf32>
      %less = arith.subf %real, %c8 : vector<1x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<1x64xf32>
      %product = arith.mulf %less, %lanes : vector<1x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<1x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<1x64xi8>
      %real_1 = arith.sitofp %shrui : vector<1x64xi8> to vector<1x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<1x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<1x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<1x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<1x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<1xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_2
      %wide = arith.extf %s : vector<1xbf16> to vector<1xf32>
      %product_2 = arith.mulf %sum, %wide : vector<1xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<1xf32>
      scf.yield %sum_1 : vector<1xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_2
    %added = arith.extf %tile : vector<1xbf16> to vector<1xf32>
    %sum = arith.addf %added, %zero_1 : vector<1xf32>
    %narrow = arith.truncf %sum : vector<1xf32> to vector<1xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
tile.kernel @gemv_add_int4_rows_1_208_5_2048(%w: !W, %scale: !Scale, %x: !X, %residual: !Residual, %y: !Y)
    symbols [P : index] grid [P] requires [P >= 1, G <= 208]
    hints {sm_90 = {slots = 5, slot_bytes = 2048}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %c15 = arith.constant dense<15> : vector<1x64xi8>
  %c8 = arith.constant dense<8.0> : vector<1x64xf32>
  %c4 = arith.constant dense<4> : vector<1x64xi8>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [1, _, 64] : !W
  %scale_tiles = tile.partition %scale by [1, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %residual_tiles = tile.partition %residual by [1] : !Residual
  %y_tiles = tile.partition %y by [1] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %zero_1 = scf.for %g = %c0 to %G step %c1 iter_args(%zero_1 = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_2
      %both = arith.andi %a, %c15 : vector<1x64xi8>
      %real = arith.sitofp %both : vector<1x64xi8> to vector<1x64xf32>
      %less = arith.subf %real, %c8 : vector<1x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %low = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %lanes = vector.broadcast %low : vector<64xf32> to vector<1x64xf32>
      %product = arith.mulf %less, %lanes : vector<1x64xf32>
      %ofLow = tile.reduce add %product, 1 : vector<1x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<1x64xi8>
      %real_1 = arith.sitofp %shrui : vector<1x64xi8> to vector<1x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<1x64xf32>
      %tile_1 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %high = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %high : vector<64xf32> to vector<1x64xf32>
      %product_1 = arith.mulf %less_1, %lanes_1 : vector<1x64xf32>
      %ofHigh = tile.reduce add %product_1, 1 : vector<1x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<1xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_2
      %wide = arith.extf %s : vector<1xbf16> to vector<1xf32>
      %product_2 = arith.mulf %sum, %wide : vector<1xf32>
      %sum_1 = arith.addf %zero_1, %product_2 : vector<1xf32>
      scf.yield %sum_1 : vector<1xf32>
    }
    %tile = tile.load %residual_tiles[%t] pad(zero) : !ResidualTiles_2
    %added = arith.extf %tile : vector<1xbf16> to vector<1xf32>
    %sum = arith.addf %added, %zero_1 : vector<1xf32>
    %narrow = arith.truncf %sum : vector<1xf32> to vector<1xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
