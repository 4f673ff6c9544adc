// y[N] = w[N, 128 G] norm(x)[128 G] in bf16, as gemv_norm, of weights as those
// of gemv_add_int4.
// any N and G up to 80, zero and ragged included; P at least 1
// generated from gemv.cpp
!W = !tile.tensor<[N, G, 64] x i8, shared>
!Scale = !tile.tensor<[N, G] x bf16, shared>
!X = !tile.tensor<[G, 2, 64] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!YTiles = !tile.partition<[8], [N] x bf16, out>
!WTiles = !tile.partition<[8, _, 64], [N, G, 64] x i8, shared>
!XTiles = !tile.partition<[_, _, 64], [G, 2, 64] x bf16, shared>
!ScaleTiles = !tile.partition<[8, _], [N, G] x bf16, shared>
!YPiece = !tile.piece<[8] x bf16, out>
!YTiles_1 = !tile.partition<[2], [N] x bf16, out>
!WTiles_1 = !tile.partition<[2, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles_1 = !tile.partition<[2, _], [N, G] x bf16, shared>
!YPiece_1 = !tile.piece<[2] x bf16, out>
!YTiles_2 = !tile.partition<[1], [N] x bf16, out>
!WTiles_2 = !tile.partition<[1, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles_2 = !tile.partition<[1, _], [N, G] x bf16, shared>
!YPiece_2 = !tile.piece<[1] x bf16, out>
tile.variants @gemv_norm_int4 [@gemv_norm_int4_rows_8_8_12_512 when (G <= 8), @gemv_norm_int4_rows_8_24_6_1536 when (G <= 24), @gemv_norm_int4_rows_2_40_8_1024 when (G <= 40), @gemv_norm_int4_rows_1_80_8_1024]
tile.kernel @gemv_norm_int4_rows_8_8_12_512(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, G <= 8]
    hints {sm_90 = {slots = 12, slot_bytes = 512}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64xf32>
  %c15 = arith.constant dense<15> : vector<8x64xi8>
  %c8 = arith.constant dense<8.0> : vector<8x64xf32>
  %c4 = arith.constant dense<4> : vector<8x64xi8>
  %c128 = arith.constant 128.0 : f32
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [8, _, 64] : !W
  %scale_tiles = tile.partition %scale by [8, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %gain_tiles = tile.partition %gain by [_, _, 64] : !X
  %y_tiles = tile.partition %y by [8] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %zero_2, %squares = scf.for %g = %c0 to %G step %c1 iter_args(%zero_2 = %zero, %squares = %zero_1) -> (vector<8xf32>, vector<64xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %both = arith.andi %a, %c15 : vector<8x64xi8>
      %real = arith.sitofp %both : vector<8x64xi8> to vector<8x64xf32>
      %less = arith.subf %real, %c8 : vector<8x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %b = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %tile_1 = tile.load %gain_tiles[%g, %c0, %c0] : !XTiles
      %a_1 = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %product = arith.mulf %b, %a_1 : vector<64xf32>
      %narrow = arith.truncf %product : vector<64xf32> to vector<64xbf16>
      %wide = arith.extf %narrow : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %wide : vector<64xf32> to vector<8x64xf32>
      %product_1 = arith.mulf %less, %lanes_1 : vector<8x64xf32>
      %ofLow = tile.reduce add %product_1, 1 : vector<8x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<8x64xi8>
      %real_1 = arith.sitofp %shrui : vector<8x64xi8> to vector<8x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<8x64xf32>
      %tile_2 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %b_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
      %tile_3 = tile.load %gain_tiles[%g, %c1, %c0] : !XTiles
      %a_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
      %product_2 = arith.mulf %b_1, %a_2 : vector<64xf32>
      %narrow_1 = arith.truncf %product_2 : vector<64xf32> to vector<64xbf16>
      %wide_1 = arith.extf %narrow_1 : vector<64xbf16> to vector<64xf32>
      %lanes_2 = vector.broadcast %wide_1 : vector<64xf32> to vector<8x64xf32>
      %product_3 = arith.mulf %less_1, %lanes_2 : vector<8x64xf32>
      %ofHigh = tile.reduce add %product_3, 1 : vector<8x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<8xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %wide_2 = arith.extf %s : vector<8xbf16> to vector<8xf32>
      %product_4 = arith.mulf %sum, %wide_2 : vector<8xf32>
      %sum_1 = arith.addf %zero_2, %product_4 : vector<8xf32>
      %product_5 = arith.mulf %b, %b : vector<64xf32>
      %product_6 = arith.mulf %b_1, %b_1 : vector<64xf32>
      %sum_2 = arith.addf %product_5, %product_6 : vector<64xf32>
      %squares_1 = arith.addf %squares, %sum_2 : vector<64xf32>
      scf.yield %sum_1, %squares_1 : vector<8xf32>, vector<64xf32>
    }
    %sum = tile.reduce add %squares, 0 keep : vector<64xf32>
    %index = arith.index_cast %G : index to i64
    %real = arith.sitofp %index : i64 to f32
    %columns = arith.mulf %real, %c128 : f32
    %lanes_1 = vector.broadcast %columns : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1xf32> to vector<8xf32>
    %product = arith.mulf %zero_2, %lanes_2 : vector<8xf32>
    %narrow = arith.truncf %product : vector<8xf32> to vector<8xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_norm_int4_rows_8_24_6_1536(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, G <= 24]
    hints {sm_90 = {slots = 6, slot_bytes = 1536}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64xf32>
  %c15 = arith.constant dense<15> : vector<8x64xi8>
  %c8 = arith.constant dense<8.0> : vector<8x64xf32>
  %c4 = arith.constant dense<4> : vector<8x64xi8>
  %c128 = arith.constant 128.0 : f32
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [8, _, 64] : !W
  %scale_tiles = tile.partition %scale by [8, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %gain_tiles = tile.partition %gain by [_, _, 64] : !X
  %y_tiles = tile.partition %y by [8] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %zero_2, %squares = scf.for %g = %c0 to %G step %c1 iter_args(%zero_2 = %zero, %squares = %zero_1) -> (vector<8xf32>, vector<64xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %both = arith.andi %a, %c15 : vector<8x64xi8>
      %real = arith.sitofp %both : vector<8x64xi8> to vector<8x64xf32>
      %less = arith.subf %real, %c8 : vector<8x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %b = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %tile_1 = tile.load %gain_tiles[%g, %c0, %c0] : !XTiles
      %a_1 = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %product = arith.mulf %b, %a_1 : vector<64xf32>
      %narrow = arith.truncf %product : vector<64xf32> to vector<64xbf16>
      %wide = arith.extf %narrow : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %wide : vector<64xf32> to vector<8x64xf32>
      %product_1 = arith.mulf %less, %lanes_1 : vector<8x64xf32>
      %ofLow = tile.reduce add %product_1, 1 : vector<8x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<8x64xi8>
      %real_1 = arith.sitofp %shrui : vector<8x64xi8> to vector<8x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<8x64xf32>
      %tile_2 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %b_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
      %tile_3 = tile.load %gain_tiles[%g, %c1, %c0] : !XTiles
      %a_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
      %product_2 = arith.mulf %b_1, %a_2 : vector<64xf32>
      %narrow_1 = arith.truncf %product_2 : vector<64xf32> to vector<64xbf16>
      %wide_1 = arith.extf %narrow_1 : vector<64xbf16> to vector<64xf32>
      %lanes_2 = vector.broadcast %wide_1 : vector<64xf32> to vector<8x64xf32>
      %product_3 = arith.mulf %less_1, %lanes_2 : vector<8x64xf32>
      %ofHigh = tile.reduce add %product_3, 1 : vector<8x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<8xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %wide_2 = arith.extf %s : vector<8xbf16> to vector<8xf32>
      %product_4 = arith.mulf %sum, %wide_2 : vector<8xf32>
      %sum_1 = arith.addf %zero_2, %product_4 : vector<8xf32>
      %product_5 = arith.mulf %b, %b : vector<64xf32>
      %product_6 = arith.mulf %b_1, %b_1 : vector<64xf32>
      %sum_2 = arith.addf %product_5, %product_6 : vector<64xf32>
      %squares_1 = arith.addf %squares, %sum_2 : vector<64xf32>
      scf.yield %sum_1, %squares_1 : vector<8xf32>, vector<64xf32>
    }
    %sum = tile.reduce add %squares, 0 keep : vector<64xf32>
    %index = arith.index_cast %G : index to i64
    %real = arith.sitofp %index : i64 to f32
    %columns = arith.mulf %real, %c128 : f32
    %lanes_1 = vector.broadcast %columns : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1xf32> to vector<8xf32>
    %product = arith.mulf %zero_2, %lanes_2 : vector<8xf32>
    %narrow = arith.truncf %product : vector<8xf32> to vector<8xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_norm_int4_rows_2_40_8_1024(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, G <= 40]
    hints {sm_90 = {slots = 8, slot_bytes = 1024}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64xf32>
  %c15 = arith.constant dense<15> : vector<2x64xi8>
  %c8 = arith.constant dense<8.0> : vector<2x64xf32>
  %c4 = arith.constant dense<4> : vector<2x64xi8>
  %c128 = arith.constant 128.0 : f32
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [2, _, 64] : !W
  %scale_tiles = tile.partition %scale by [2, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %gain_tiles = tile.partition %gain by [_, _, 64] : !X
  %y_tiles = tile.partition %y by [2] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %zero_2, %squares = scf.for %g = %c0 to %G step %c1 iter_args(%zero_2 = %zero, %squares = %zero_1) -> (vector<2xf32>, vector<64xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_1
      %both = arith.andi %a, %c15 : vector<2x64xi8>
      %real = arith.sitofp %both : vector<2x64xi8> to vector<2x64xf32>
      %less = arith.subf %real, %c8 : vector<2x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %b = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %tile_1 = tile.load %gain_tiles[%g, %c0, %c0] : !XTiles
      %a_1 = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %product = arith.mulf %b, %a_1 : vector<64xf32>
      %narrow = arith.truncf %product : vector<64xf32> to vector<64xbf16>
      %wide = arith.extf %narrow : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %wide : vector<64xf32> to vector<2x64xf32>
      %product_1 = arith.mulf %less, %lanes_1 : vector<2x64xf32>
      %ofLow = tile.reduce add %product_1, 1 : vector<2x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<2x64xi8>
      %real_1 = arith.sitofp %shrui : vector<2x64xi8> to vector<2x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<2x64xf32>
      %tile_2 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %b_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
      %tile_3 = tile.load %gain_tiles[%g, %c1, %c0] : !XTiles
      %a_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
      %product_2 = arith.mulf %b_1, %a_2 : vector<64xf32>
      %narrow_1 = arith.truncf %product_2 : vector<64xf32> to vector<64xbf16>
      %wide_1 = arith.extf %narrow_1 : vector<64xbf16> to vector<64xf32>
      %lanes_2 = vector.broadcast %wide_1 : vector<64xf32> to vector<2x64xf32>
      %product_3 = arith.mulf %less_1, %lanes_2 : vector<2x64xf32>
      %ofHigh = tile.reduce add %product_3, 1 : vector<2x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<2xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_1
      %wide_2 = arith.extf %s : vector<2xbf16> to vector<2xf32>
      %product_4 = arith.mulf %sum, %wide_2 : vector<2xf32>
      %sum_1 = arith.addf %zero_2, %product_4 : vector<2xf32>
      %product_5 = arith.mulf %b, %b : vector<64xf32>
      %product_6 = arith.mulf %b_1, %b_1 : vector<64xf32>
      %sum_2 = arith.addf %product_5, %product_6 : vector<64xf32>
      %squares_1 = arith.addf %squares, %sum_2 : vector<64xf32>
      scf.yield %sum_1, %squares_1 : vector<2xf32>, vector<64xf32>
    }
    %sum = tile.reduce add %squares, 0 keep : vector<64xf32>
    %index = arith.index_cast %G : index to i64
    %real = arith.sitofp %index : i64 to f32
    %columns = arith.mulf %real, %c128 : f32
    %lanes_1 = vector.broadcast %columns : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %lanes_2 = vector.broadcast %rsqrt : vector<1xf32> to vector<2xf32>
    %product = arith.mulf %zero_2, %lanes_2 : vector<2xf32>
    %narrow = arith.truncf %product : vector<2xf32> to vector<2xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_norm_int4_rows_1_80_8_1024(%w: !W, %scale: !Scale, %x: !X, %gain: !X, %y: !Y, %eps: f32)
    symbols [P : index] grid [P] requires [P >= 1, G <= 80]
    hints {sm_90 = {slots = 8, slot_bytes = 1024}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64xf32>
  %c15 = arith.constant dense<15> : vector<1x64xi8>
  %c8 = arith.constant dense<8.0> : vector<1x64xf32>
  %c4 = arith.constant dense<4> : vector<1x64xi8>
  %c128 = arith.constant 128.0 : f32
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %w_tiles = tile.partition %w by [1, _, 64] : !W
  %scale_tiles = tile.partition %scale by [1, _] : !Scale
  %x_tiles = tile.partition %x by [_, _, 64] : !X
  %gain_tiles = tile.partition %gain by [_, _, 64] : !X
  %y_tiles = tile.partition %y by [1] : !Y
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  %lanes = vector.broadcast %eps : f32 to vector<1xf32>
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %zero_2, %squares = scf.for %g = %c0 to %G step %c1 iter_args(%zero_2 = %zero, %squares = %zero_1) -> (vector<1xf32>, vector<64xf32>) {
      %a = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles_2
      %both = arith.andi %a, %c15 : vector<1x64xi8>
      %real = arith.sitofp %both : vector<1x64xi8> to vector<1x64xf32>
      %less = arith.subf %real, %c8 : vector<1x64xf32>
      %tile = tile.load %x_tiles[%g, %c0, %c0] : !XTiles
      %b = arith.extf %tile : vector<64xbf16> to vector<64xf32>
      %tile_1 = tile.load %gain_tiles[%g, %c0, %c0] : !XTiles
      %a_1 = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %product = arith.mulf %b, %a_1 : vector<64xf32>
      %narrow = arith.truncf %product : vector<64xf32> to vector<64xbf16>
      %wide = arith.extf %narrow : vector<64xbf16> to vector<64xf32>
      %lanes_1 = vector.broadcast %wide : vector<64xf32> to vector<1x64xf32>
      %product_1 = arith.mulf %less, %lanes_1 : vector<1x64xf32>
      %ofLow = tile.reduce add %product_1, 1 : vector<1x64xf32>
      %shrui = arith.shrui %a, %c4 : vector<1x64xi8>
      %real_1 = arith.sitofp %shrui : vector<1x64xi8> to vector<1x64xf32>
      %less_1 = arith.subf %real_1, %c8 : vector<1x64xf32>
      %tile_2 = tile.load %x_tiles[%g, %c1, %c0] : !XTiles
      %b_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
      %tile_3 = tile.load %gain_tiles[%g, %c1, %c0] : !XTiles
      %a_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
      %product_2 = arith.mulf %b_1, %a_2 : vector<64xf32>
      %narrow_1 = arith.truncf %product_2 : vector<64xf32> to vector<64xbf16>
      %wide_1 = arith.extf %narrow_1 : vector<64xbf16> to vector<64xf32>
      %lanes_2 = vector.broadcast %wide_1 : vector<64xf32> to vector<1x64xf32>
      %product_3 = arith.mulf %less_1, %lanes_2 : vector<1x64xf32>
      %ofHigh = tile.reduce add %product_3, 1 : vector<1x64xf32>
      %sum = arith.addf %ofLow, %ofHigh : vector<1xf32>
      %s = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles_2
      %wide_2 = arith.extf %s : vector<1xbf16> to vector<1xf32>
      %product_4 = arith.mulf %sum, %wide_2 : vector<1xf32>
      %sum_1 = arith.addf %zero_2, %product_4 : vector<1xf32>
      %product_5 = arith.mulf %b, %b : vector<64xf32>
      %product_6 = arith.mulf %b_1, %b_1 : vector<64xf32>
      %sum_2 = arith.addf %product_5, %product_6 : vector<64xf32>
      %squares_1 = arith.addf %squares, %sum_2 : vector<64xf32>
      scf.yield %sum_1, %squares_1 : vector<1xf32>, vector<64xf32>
    }
    %sum = tile.reduce add %squares, 0 keep : vector<64xf32>
    %index = arith.index_cast %G : index to i64
    %real = arith.sitofp %index : i64 to f32
    %columns = arith.mulf %real, %c128 : f32
    %lanes_1 = vector.broadcast %columns : f32 to vector<1xf32>
    %quotient = arith.divf %sum, %lanes_1 : vector<1xf32>
    %sum_1 = arith.addf %quotient, %lanes : vector<1xf32>
    %rsqrt = math.rsqrt %sum_1 : vector<1xf32>
    %product = arith.mulf %zero_2, %rsqrt : vector<1xf32>
    %narrow = arith.truncf %product : vector<1xf32> to vector<1xbf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
