// What attention_step_split leaves, to attention of one new token, as
// attention_merge; its key, with norm and angles, and its value go to the row
// of the caches. Where the position is no row of them, they stay as they are.
// in bf16, heads of 128; any G, H and P, zero included, and T from 1
// generated from decode.cpp
!Partial = !tile.tensor<[P, H, 128] x f32, shared>
!Lse = !tile.tensor<[P, H] x f32, shared>
!K = !tile.tensor<[G, 128] x bf16, shared>
!Pos = !tile.tensor<[1] x i32, shared>
!K_weight = !tile.tensor<[128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!K_cache = !tile.tensor<[G, T, 128] x bf16, own>
!Y = !tile.tensor<[H, 128] x bf16, out>
!PartialTiles = !tile.partition<[8, _, 128], [P, H, 128] x f32, shared>
!YTiles = !tile.partition<[_, 128], [H, 128] x bf16, out>
!LseTiles = !tile.partition<[8, _], [P, H] x f32, shared>
!YPiece = !tile.piece<[_, 128] x bf16, out>
!PosTiles = !tile.partition<[_], [1] x i32, shared>
!K_cacheTiles = !tile.partition<[_, _, 64], [G, T, 128] x bf16, own>
!KTiles = !tile.partition<[_, 64], [G, 128] x bf16, shared>
!K_weightTiles = !tile.partition<[64], [128] x bf16, shared>
!CosTiles = !tile.partition<[_, 64], [T, 64] x f32, shared>
!K_cachePiece = !tile.piece<[_, _, 64] x bf16, own>
!K_cacheTiles_1 = !tile.partition<[_, _, 128], [G, T, 128] x bf16, own>
!KTiles_1 = !tile.partition<[_, 128], [G, 128] x bf16, shared>
!K_cachePiece_1 = !tile.piece<[_, _, 128] x bf16, own>
!PartialTiles_1 = !tile.partition<[16, _, 128], [P, H, 128] x f32, shared>
!LseTiles_1 = !tile.partition<[16, _], [P, H] x f32, shared>
tile.variants @attention_step_merge [@step_merge_of_splits_8_64 when (P <= 8), @step_merge_of_splits_16_64]
tile.kernel @step_merge_of_splits_8_64(%partial: !Partial, %lse: !Lse, %k: !K, %v: !K, %pos: !Pos, %k_weight: !K_weight, %cos: !Cos, %sin: !Cos, %k_cache: !K_cache, %v_cache: !K_cache, %y: !Y, %eps: f32)
    grid [H + G] requires [T >= 1] hints {sm_90 = {early = 1, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c_1_0e30 = arith.constant -1.0e30 : f32
  %zero = arith.constant 0.0 : f32
  %zero_1 = arith.constant dense<0.0> : vector<128xf32>
  %one = arith.constant 1.0 : f32
  %c1_0e_30 = arith.constant 1.0e-30 : f32
  %c128 = arith.constant 128.0 : f32
  %h = tile.block_id 0
  %H = tile.symbol "H" : index
  %T = tile.symbol "T" : index
  %partial_tiles = tile.partition %partial by [8, _, 128] : !Partial
  %lse_tiles = tile.partition %lse by [8, _] : !Lse
  %k_tiles = tile.partition %k by [_, 64] : !K
  %v_tiles = tile.partition %v by [_, 128] : !K
  %pos_tiles = tile.partition %pos by [_] : !Pos
  %k_weight_tiles = tile.partition %k_weight by [64] : !K_weight
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %k_cache_tiles = tile.partition %k_cache by [_, _, 64] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 128] : !K_cache
  %y_tiles = tile.partition %y by [_, 128] : !Y
  %n = tile.num_tiles %partial_tiles, 0 : !PartialTiles
  %is = arith.cmpi slt, %h, %H : index
  scf.if %is {
    %out = tile.claim %y_tiles[%h, %c0] : !YTiles
    %higher, %total, %acc = scf.for %p = %c0 to %n step %c1 iter_args(%higher = %c_1_0e30, %total = %zero, %acc = %zero_1) -> (f32, f32, vector<128xf32>) {
      %l = tile.load %lse_tiles[%p, %h] pad(neg_inf) : !LseTiles
      %max = tile.reduce max %l, 0 : vector<8xf32>
      %higher_1 = arith.maximumf %higher, %max : f32
      %less = arith.subf %higher, %higher_1 : f32
      %before = math.exp2 %less : f32
      %product = arith.mulf %total, %before : f32
      %lanes = vector.broadcast %higher_1 : f32 to vector<8xf32>
      %less_1 = arith.subf %l, %lanes : vector<8xf32>
      %weight = math.exp2 %less_1 : vector<8xf32>
      %sum = tile.reduce add %weight, 0 : vector<8xf32>
      %total_1 = arith.addf %product, %sum : f32
      %lanes_1 = vector.broadcast %before : f32 to vector<128xf32>
      %product_1 = arith.mulf %acc, %lanes_1 : vector<128xf32>
      %x = tile.load %partial_tiles[%p, %h, %c0] pad(zero) : !PartialTiles
      %shaped = vector.shape_cast %weight : vector<8xf32> to vector<8x1xf32>
      %lanes_2 = vector.broadcast %shaped : vector<8x1xf32> to vector<8x128xf32>
      %product_2 = arith.mulf %x, %lanes_2 : vector<8x128xf32>
      %sum_1 = tile.reduce add %product_2, 0 : vector<8x128xf32>
      %acc_1 = arith.addf %product_1, %sum_1 : vector<128xf32>
      scf.yield %higher_1, %total_1, %acc_1 : f32, f32, vector<128xf32>
    }
    %most = arith.maximumf %total, %c1_0e_30 : f32
    %quotient = arith.divf %one, %most : f32
    %lanes = vector.broadcast %quotient : f32 to vector<128xf32>
    %product = arith.mulf %acc, %lanes : vector<128xf32>
    %narrow = arith.truncf %product : vector<128xf32> to vector<128xbf16>
    tile.store %narrow, %out : !YPiece
  } else {
    %tile = tile.load %pos_tiles[%c0] : !PosTiles
    %asked = arith.index_cast %tile : i32 to index
    %most = arith.maxsi %asked, %c0 : index
    %less = arith.subi %T, %c1 : index
    %row = arith.minsi %most, %less : index
    %is_1 = arith.cmpi eq, %asked, %row : index
    %less_1 = arith.subi %h, %H : index
    scf.if %is_1 {
      %k_cache_piece = tile.claim %k_cache_tiles[%less_1, %row, %c0] : !K_cacheTiles
      %tile_1 = tile.load %k_tiles[%less_1, %c0] : !KTiles
      %wide = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %product = arith.mulf %wide, %wide : vector<64xf32>
      %tile_2 = tile.load %k_tiles[%less_1, %c1] : !KTiles
      %wide_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
      %product_1 = arith.mulf %wide_1, %wide_1 : vector<64xf32>
      %squares = arith.addf %product, %product_1 : vector<64xf32>
      %sum = tile.reduce add %squares, 0 : vector<64xf32>
      %quotient = arith.divf %sum, %c128 : f32
      %sum_1 = arith.addf %quotient, %eps : f32
      %rsqrt = math.rsqrt %sum_1 : f32
      %lanes = vector.broadcast %rsqrt : f32 to vector<64xf32>
      %product_2 = arith.mulf %wide, %lanes : vector<64xf32>
      %tile_3 = tile.load %k_weight_tiles[%c0] : !K_weightTiles
      %wide_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
      %product_3 = arith.mulf %product_2, %wide_2 : vector<64xf32>
      %tile_4 = tile.load %cos_tiles[%row, %c0] : !CosTiles
      %ac = arith.mulf %product_3, %tile_4 : vector<64xf32>
      %product_4 = arith.mulf %wide_1, %lanes : vector<64xf32>
      %tile_5 = tile.load %k_weight_tiles[%c1] : !K_weightTiles
      %wide_3 = arith.extf %tile_5 : vector<64xbf16> to vector<64xf32>
      %product_5 = arith.mulf %product_4, %wide_3 : vector<64xf32>
      %tile_6 = tile.load %sin_tiles[%row, %c0] : !CosTiles
      %bs = arith.mulf %product_5, %tile_6 : vector<64xf32>
      %less_2 = arith.subf %ac, %bs : vector<64xf32>
      %narrow = arith.truncf %less_2 : vector<64xf32> to vector<64xbf16>
      tile.store %narrow, %k_cache_piece : !K_cachePiece
      %k_cache_piece_1 = tile.claim %k_cache_tiles[%less_1, %row, %c1] : !K_cacheTiles
      %bc = arith.mulf %product_5, %tile_4 : vector<64xf32>
      %as = arith.mulf %product_3, %tile_6 : vector<64xf32>
      %sum_2 = arith.addf %bc, %as : vector<64xf32>
      %narrow_1 = arith.truncf %sum_2 : vector<64xf32> to vector<64xbf16>
      tile.store %narrow_1, %k_cache_piece_1 : !K_cachePiece
      %v_cache_piece = tile.claim %v_cache_tiles[%less_1, %row, %c0] : !K_cacheTiles_1
      %tile_7 = tile.load %v_tiles[%less_1, %c0] : !KTiles_1
      tile.store %tile_7, %v_cache_piece : !K_cachePiece_1
    }
  }
}
tile.kernel @step_merge_of_splits_16_64(%partial: !Partial, %lse: !Lse, %k: !K, %v: !K, %pos: !Pos, %k_weight: !K_weight, %cos: !Cos, %sin: !Cos, %k_cache: !K_cache, %v_cache: !K_cache, %y: !Y, %eps: f32)
    grid [H + G] requires [T >= 1] hints {sm_90 = {early = 1, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c_1_0e30 = arith.constant -1.0e30 : f32
  %zero = arith.constant 0.0 : f32
  %zero_1 = arith.constant dense<0.0> : vector<128xf32>
  %one = arith.constant 1.0 : f32
  %c1_0e_30 = arith.constant 1.0e-30 : f32
  %c128 = arith.constant 128.0 : f32
  %h = tile.block_id 0
  %H = tile.symbol "H" : index
  %T = tile.symbol "T" : index
  %partial_tiles = tile.partition %partial by [16, _, 128] : !Partial
  %lse_tiles = tile.partition %lse by [16, _] : !Lse
  %k_tiles = tile.partition %k by [_, 64] : !K
  %v_tiles = tile.partition %v by [_, 128] : !K
  %pos_tiles = tile.partition %pos by [_] : !Pos
  %k_weight_tiles = tile.partition %k_weight by [64] : !K_weight
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %k_cache_tiles = tile.partition %k_cache by [_, _, 64] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 128] : !K_cache
  %y_tiles = tile.partition %y by [_, 128] : !Y
  %n = tile.num_tiles %partial_tiles, 0 : !PartialTiles_1
  %is = arith.cmpi slt, %h, %H : index
  scf.if %is {
    %out = tile.claim %y_tiles[%h, %c0] : !YTiles
    %higher, %total, %acc = scf.for %p = %c0 to %n step %c1 iter_args(%higher = %c_1_0e30, %total = %zero, %acc = %zero_1) -> (f32, f32, vector<128xf32>) {
      %l = tile.load %lse_tiles[%p, %h] pad(neg_inf) : !LseTiles_1
      %max = tile.reduce max %l, 0 : vector<16xf32>
      %higher_1 = arith.maximumf %higher, %max : f32
      %less = arith.subf %higher, %higher_1 : f32
      %before = math.exp2 %less : f32
      %product = arith.mulf %total, %before : f32
      %lanes = vector.broadcast %higher_1 : f32 to vector<16xf32>
      %less_1 = arith.subf %l, %lanes : vector<16xf32>
      %weight = math.exp2 %less_1 : vector<16xf32>
      %sum = tile.reduce add %weight, 0 : vector<16xf32>
      %total_1 = arith.addf %product, %sum : f32
      %lanes_1 = vector.broadcast %before : f32 to vector<128xf32>
      %product_1 = arith.mulf %acc, %lanes_1 : vector<128xf32>
      %x = tile.load %partial_tiles[%p, %h, %c0] pad(zero) : !PartialTiles_1
      %shaped = vector.shape_cast %weight : vector<16xf32> to vector<16x1xf32>
      %lanes_2 = vector.broadcast %shaped : vector<16x1xf32> to vector<16x128xf32>
      %product_2 = arith.mulf %x, %lanes_2 : vector<16x128xf32>
      %sum_1 = tile.reduce add %product_2, 0 : vector<16x128xf32>
      %acc_1 = arith.addf %product_1, %sum_1 : vector<128xf32>
      scf.yield %higher_1, %total_1, %acc_1 : f32, f32, vector<128xf32>
    }
    %most = arith.maximumf %total, %c1_0e_30 : f32
    %quotient = arith.divf %one, %most : f32
    %lanes = vector.broadcast %quotient : f32 to vector<128xf32>
    %product = arith.mulf %acc, %lanes : vector<128xf32>
    %narrow = arith.truncf %product : vector<128xf32> to vector<128xbf16>
    tile.store %narrow, %out : !YPiece
  } else {
    %tile = tile.load %pos_tiles[%c0] : !PosTiles
    %asked = arith.index_cast %tile : i32 to index
    %most = arith.maxsi %asked, %c0 : index
    %less = arith.subi %T, %c1 : index
    %row = arith.minsi %most, %less : index
    %is_1 = arith.cmpi eq, %asked, %row : index
    %less_1 = arith.subi %h, %H : index
    scf.if %is_1 {
      %k_cache_piece = tile.claim %k_cache_tiles[%less_1, %row, %c0] : !K_cacheTiles
      %tile_1 = tile.load %k_tiles[%less_1, %c0] : !KTiles
      %wide = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
      %product = arith.mulf %wide, %wide : vector<64xf32>
      %tile_2 = tile.load %k_tiles[%less_1, %c1] : !KTiles
      %wide_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
      %product_1 = arith.mulf %wide_1, %wide_1 : vector<64xf32>
      %squares = arith.addf %product, %product_1 : vector<64xf32>
      %sum = tile.reduce add %squares, 0 : vector<64xf32>
      %quotient = arith.divf %sum, %c128 : f32
      %sum_1 = arith.addf %quotient, %eps : f32
      %rsqrt = math.rsqrt %sum_1 : f32
      %lanes = vector.broadcast %rsqrt : f32 to vector<64xf32>
      %product_2 = arith.mulf %wide, %lanes : vector<64xf32>
      %tile_3 = tile.load %k_weight_tiles[%c0] : !K_weightTiles
      %wide_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
      %product_3 = arith.mulf %product_2, %wide_2 : vector<64xf32>
      %tile_4 = tile.load %cos_tiles[%row, %c0] : !CosTiles
      %ac = arith.mulf %product_3, %tile_4 : vector<64xf32>
      %product_4 = arith.mulf %wide_1, %lanes : vector<64xf32>
      %tile_5 = tile.load %k_weight_tiles[%c1] : !K_weightTiles
      %wide_3 = arith.extf %tile_5 : vector<64xbf16> to vector<64xf32>
      %product_5 = arith.mulf %product_4, %wide_3 : vector<64xf32>
      %tile_6 = tile.load %sin_tiles[%row, %c0] : !CosTiles
      %bs = arith.mulf %product_5, %tile_6 : vector<64xf32>
      %less_2 = arith.subf %ac, %bs : vector<64xf32>
      %narrow = arith.truncf %less_2 : vector<64xf32> to vector<64xbf16>
      tile.store %narrow, %k_cache_piece : !K_cachePiece
      %k_cache_piece_1 = tile.claim %k_cache_tiles[%less_1, %row, %c1] : !K_cacheTiles
      %bc = arith.mulf %product_5, %tile_4 : vector<64xf32>
      %as = arith.mulf %product_3, %tile_6 : vector<64xf32>
      %sum_2 = arith.addf %bc, %as : vector<64xf32>
      %narrow_1 = arith.truncf %sum_2 : vector<64xf32> to vector<64xbf16>
      tile.store %narrow_1, %k_cache_piece_1 : !K_cachePiece
      %v_cache_piece = tile.claim %v_cache_tiles[%less_1, %row, %c0] : !K_cacheTiles_1
      %tile_7 = tile.load %v_tiles[%less_1, %c0] : !KTiles_1
      tile.store %tile_7, %v_cache_piece : !K_cachePiece_1
    }
  }
}
