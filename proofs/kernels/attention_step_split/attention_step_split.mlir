// As attention_step for long sequences: the tiles of keys are dealt to P
// splits, as in attention_decode_gqa_split, and the caches are read alone.
// attention_step_merge makes one of the splits, and then adds the new row to
// the caches: of it nothing is read here, whatever it holds. Where the position
// is no row of the caches, all means are NaN and their weights 1. in bf16, sums
// in f32, heads of 128; any G and P, zero included, R from 1 to 8 and T from 1,
// ragged included
// generated from decode.cpp
!Q = !tile.tensor<[G, R, 128] x bf16, shared>
!K = !tile.tensor<[G, 128] x bf16, shared>
!Pos = !tile.tensor<[1] x i32, shared>
!Q_weight = !tile.tensor<[128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!K_cache = !tile.tensor<[G, T, 128] x bf16, shared>
!Partial = !tile.tensor<[P, G, R, 128] x f32, out>
!Lse = !tile.tensor<[P, G, R] x f32, out>
!PartialTiles = !tile.partition<[_, _, 16, 128], [P, G, R, 128] x f32, out>
!LseTiles = !tile.partition<[_, _, 16], [P, G, R] x f32, out>
!PosTiles = !tile.partition<[_], [1] x i32, shared>
!KTiles = !tile.partition<[_, 64], [G, 128] x bf16, shared>
!Q_weightTiles = !tile.partition<[64], [128] x bf16, shared>
!CosTiles = !tile.partition<[_, 64], [T, 64] x f32, shared>
!QTiles = !tile.partition<[_, 16, 64], [G, R, 128] x bf16, shared>
!KTiles_1 = !tile.partition<[_, 128], [G, 128] x bf16, shared>
!K_cacheView = !tile.tensor<[G, ?, 128] x bf16, shared>
!K_cacheViewTiles = !tile.partition<[_, 128, 64], [G, ?, 128] x bf16, shared>
!K_cacheViewTiles_1 = !tile.partition<[_, 128, 128], [G, ?, 128] x bf16, shared>
!PartialPiece = !tile.piece<[_, _, 16, 128] x f32, out>
!LsePiece = !tile.piece<[_, _, 16] x f32, out>
tile.kernel @attention_step_split(%q: !Q, %k: !K, %v: !K, %pos: !Pos, %q_weight: !Q_weight, %k_weight: !Q_weight, %cos: !Cos, %sin: !Cos, %k_cache: !K_cache, %v_cache: !K_cache, %partial: !Partial, %lse: !Lse, %eps: f32, %scale: f32)
    grid [P, G] requires [R >= 1, R <= 8, T >= 1]
    hints {sm_90 = {worker_warps = 8, occupancy = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %c_1_0e30 = arith.constant dense<-1.0e30> : vector<1x16xf32>
  %zero = arith.constant dense<0.0> : vector<1x16xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x16xf32>
  %c128_1 = arith.constant 128.0 : f32
  %c128_2 = arith.constant dense<128.0> : vector<16x1xf32>
  %c1_44269504 = arith.constant 1.44269504 : f32
  %neg_infinity = arith.constant dense<0xFF800000> : vector<128x16xf32>
  %one = arith.constant dense<1.0> : vector<1x16xf32>
  %c1_0e_30 = arith.constant dense<1.0e-30> : vector<1x16xf32>
  %nan = arith.constant dense<0x7FC00000> : vector<16x128xf32>
  %zero_2 = arith.constant dense<0.0> : vector<16xf32>
  %lane0 = tile.iota 0 : vector<128x16xi32>
  %lane0_1 = tile.iota 0 : vector<128x1xi32>
  %p = tile.block_id 0
  %g = tile.block_id 1
  %T = tile.symbol "T" : index
  %P = tile.symbol "P" : index
  %q_tiles = tile.partition %q by [_, 16, 64] : !Q
  %k_tiles = tile.partition %k by [_, 64] : !K
  %v_tiles = tile.partition %v by [_, 128] : !K
  %pos_tiles = tile.partition %pos by [_] : !Pos
  %q_weight_tiles = tile.partition %q_weight by [64] : !Q_weight
  %k_weight_tiles = tile.partition %k_weight by [64] : !Q_weight
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %partial_tiles = tile.partition %partial by [_, _, 16, 128] : !Partial
  %lse_tiles = tile.partition %lse by [_, _, 16] : !Lse
  %out = tile.claim %partial_tiles[%p, %g, %c0, %c0] : !PartialTiles
  %outLse = tile.claim %lse_tiles[%p, %g, %c0] : !LseTiles
  %tile = tile.load %pos_tiles[%c0] : !PosTiles
  %asked = arith.index_cast %tile : i32 to index
  %most = arith.maxsi %asked, %c0 : index
  %less = arith.subi %T, %c1 : index
  %row = arith.minsi %most, %less : index
  %is = arith.cmpi eq, %asked, %row : index
  %nan_1, %zero_3 = scf.if %is -> (vector<16x128xf32>, vector<16xf32>) {
    %length = arith.addi %row, %c1 : index
    %tiles = arith.ceildivsi %length, %c128 : index
    %share = arith.ceildivsi %tiles, %P : index
    %from = arith.muli %p, %share : index
    %sum = arith.addi %from, %share : index
    %least = arith.minsi %sum, %tiles : index
    %keys = tile.view %k_cache slice [0, 0, 0] size [G, %length, 128] : !K_cache
    %values = tile.view %v_cache slice [0, 0, 0] size [G, %length, 128] : !K_cache
    %tile_1 = tile.load %k_tiles[%g, %c1] : !KTiles
    %wide = arith.extf %tile_1 : vector<64xbf16> to vector<64xf32>
    %tile_2 = tile.load %k_tiles[%g, %c0] : !KTiles
    %wide_1 = arith.extf %tile_2 : vector<64xbf16> to vector<64xf32>
    %product = arith.mulf %wide_1, %wide_1 : vector<64xf32>
    %product_1 = arith.mulf %wide, %wide : vector<64xf32>
    %squares = arith.addf %product, %product_1 : vector<64xf32>
    %sum_1 = tile.reduce add %squares, 0 : vector<64xf32>
    %quotient = arith.divf %sum_1, %c128_1 : f32
    %sum_2 = arith.addf %quotient, %eps : f32
    %rsqrt = math.rsqrt %sum_2 : f32
    %lanes = vector.broadcast %rsqrt : f32 to vector<64xf32>
    %product_2 = arith.mulf %wide, %lanes : vector<64xf32>
    %tile_3 = tile.load %k_weight_tiles[%c1] : !Q_weightTiles
    %wide_2 = arith.extf %tile_3 : vector<64xbf16> to vector<64xf32>
    %product_3 = arith.mulf %product_2, %wide_2 : vector<64xf32>
    %tile_4 = tile.load %cos_tiles[%row, %c0] : !CosTiles
    %bc = arith.mulf %product_3, %tile_4 : vector<64xf32>
    %product_4 = arith.mulf %wide_1, %lanes : vector<64xf32>
    %tile_5 = tile.load %k_weight_tiles[%c0] : !Q_weightTiles
    %wide_3 = arith.extf %tile_5 : vector<64xbf16> to vector<64xf32>
    %product_5 = arith.mulf %product_4, %wide_3 : vector<64xf32>
    %tile_6 = tile.load %sin_tiles[%row, %c0] : !CosTiles
    %as = arith.mulf %product_5, %tile_6 : vector<64xf32>
    %sum_3 = arith.addf %bc, %as : vector<64xf32>
    %narrow = arith.truncf %sum_3 : vector<64xf32> to vector<64xbf16>
    %lanes_1 = vector.broadcast %narrow : vector<64xbf16> to vector<128x64xbf16>
    %tile_7 = tile.load %q_tiles[%g, %c0, %c1] pad(zero) : !QTiles
    %wide_4 = arith.extf %tile_7 : vector<16x64xbf16> to vector<16x64xf32>
    %tile_8 = tile.load %q_tiles[%g, %c0, %c0] pad(zero) : !QTiles
    %wide_5 = arith.extf %tile_8 : vector<16x64xbf16> to vector<16x64xf32>
    %product_6 = arith.mulf %wide_5, %wide_5 : vector<16x64xf32>
    %product_7 = arith.mulf %wide_4, %wide_4 : vector<16x64xf32>
    %squares_1 = arith.addf %product_6, %product_7 : vector<16x64xf32>
    %sum_4 = tile.reduce add %squares_1, 1 keep : vector<16x64xf32>
    %quotient_1 = arith.divf %sum_4, %c128_2 : vector<16x1xf32>
    %lanes_2 = vector.broadcast %eps : f32 to vector<16x1xf32>
    %sum_5 = arith.addf %quotient_1, %lanes_2 : vector<16x1xf32>
    %rsqrt_1 = math.rsqrt %sum_5 : vector<16x1xf32>
    %lanes_3 = vector.broadcast %rsqrt_1 : vector<16x1xf32> to vector<16x64xf32>
    %product_8 = arith.mulf %wide_4, %lanes_3 : vector<16x64xf32>
    %tile_9 = tile.load %q_weight_tiles[%c1] : !Q_weightTiles
    %wide_6 = arith.extf %tile_9 : vector<64xbf16> to vector<64xf32>
    %lanes_4 = vector.broadcast %wide_6 : vector<64xf32> to vector<16x64xf32>
    %product_9 = arith.mulf %product_8, %lanes_4 : vector<16x64xf32>
    %lanes_5 = vector.broadcast %tile_4 : vector<64xf32> to vector<16x64xf32>
    %bc_1 = arith.mulf %product_9, %lanes_5 : vector<16x64xf32>
    %product_10 = arith.mulf %wide_5, %lanes_3 : vector<16x64xf32>
    %tile_10 = tile.load %q_weight_tiles[%c0] : !Q_weightTiles
    %wide_7 = arith.extf %tile_10 : vector<64xbf16> to vector<64xf32>
    %lanes_6 = vector.broadcast %wide_7 : vector<64xf32> to vector<16x64xf32>
    %product_11 = arith.mulf %product_10, %lanes_6 : vector<16x64xf32>
    %lanes_7 = vector.broadcast %tile_6 : vector<64xf32> to vector<16x64xf32>
    %as_1 = arith.mulf %product_11, %lanes_7 : vector<16x64xf32>
    %sum_6 = arith.addf %bc_1, %as_1 : vector<16x64xf32>
    %narrow_1 = arith.truncf %sum_6 : vector<16x64xf32> to vector<16x64xbf16>
    %ac = arith.mulf %product_5, %tile_4 : vector<64xf32>
    %bs = arith.mulf %product_3, %tile_6 : vector<64xf32>
    %less_1 = arith.subf %ac, %bs : vector<64xf32>
    %narrow_2 = arith.truncf %less_1 : vector<64xf32> to vector<64xbf16>
    %lanes_8 = vector.broadcast %narrow_2 : vector<64xbf16> to vector<128x64xbf16>
    %ac_1 = arith.mulf %product_11, %lanes_5 : vector<16x64xf32>
    %bs_1 = arith.mulf %product_9, %lanes_7 : vector<16x64xf32>
    %less_2 = arith.subf %ac_1, %bs_1 : vector<16x64xf32>
    %narrow_3 = arith.truncf %less_2 : vector<16x64xf32> to vector<16x64xbf16>
    %value = tile.load %v_tiles[%g, %c0] : !KTiles_1
    %lanes_9 = vector.broadcast %value : vector<128xbf16> to vector<128x128xbf16>
    %top, %l, %acc = scf.for %j = %from to %least step %c1 iter_args(%top = %c_1_0e30, %l = %zero, %acc = %zero_1) -> (vector<1x16xf32>, vector<1x16xf32>, vector<128x16xf32>) {
      %product_12 = arith.muli %j, %c128 : index
      %less_3 = arith.subi %length, %product_12 : index
      %least_1 = arith.minsi %less_3, %c128 : index
      %index = arith.index_cast %least_1 : index to i32
      %lanes_10 = vector.broadcast %index : i32 to vector<128x16xi32>
      %isThere = arith.cmpi slt, %lane0, %lanes_10 : vector<128x16xi32>
      %product_13 = arith.muli %j, %c128 : index
      %less_4 = arith.subi %row, %product_13 : index
      %index_1 = arith.index_cast %less_4 : index to i32
      %lanes_11 = vector.broadcast %index_1 : i32 to vector<128x1xi32>
      %newest = arith.cmpi eq, %lane0_1, %lanes_11 : vector<128x1xi32>
      %lanes_12 = vector.broadcast %newest : vector<128x1xi1> to vector<128x64xi1>
      %k_cache_view_tiles = tile.partition %keys by [_, 128, 64] : !K_cacheView
      %high = tile.load %k_cache_view_tiles[%g, %j, %c1] pad(zero) : !K_cacheViewTiles
      %chosen = arith.select %lanes_12, %lanes_1, %high : vector<128x64xi1>, vector<128x64xbf16>
      %turned = vector.transpose %narrow_1, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %low = tile.load %k_cache_view_tiles[%g, %j, %c0] pad(zero) : !K_cacheViewTiles
      %chosen_1 = arith.select %lanes_12, %lanes_8, %low : vector<128x64xi1>, vector<128x64xbf16>
      %turned_1 = vector.transpose %narrow_3, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %ofLow = tile.mma %chosen_1, %turned_1, %zero_1 : vector<128x64xbf16>, vector<64x16xbf16>, vector<128x16xf32>
      %products = tile.mma %chosen, %turned, %ofLow : vector<128x64xbf16>, vector<64x16xbf16>, vector<128x16xf32>
      %product_14 = arith.mulf %scale, %c1_44269504 : f32
      %lanes_13 = vector.broadcast %product_14 : f32 to vector<128x16xf32>
      %scores = arith.mulf %products, %lanes_13 : vector<128x16xf32>
      %chosen_2 = arith.select %isThere, %scores, %neg_infinity : vector<128x16xi1>, vector<128x16xf32>
      %max = tile.reduce max %chosen_2, 0 keep : vector<128x16xf32>
      %top_1 = arith.maximumf %top, %max : vector<1x16xf32>
      %less_5 = arith.subf %top, %top_1 : vector<1x16xf32>
      %alpha = math.exp2 %less_5 fastmath<afn> : vector<1x16xf32>
      %product_15 = arith.mulf %l, %alpha : vector<1x16xf32>
      %lanes_14 = vector.broadcast %top_1 : vector<1x16xf32> to vector<128x16xf32>
      %less_6 = arith.subf %chosen_2, %lanes_14 : vector<128x16xf32>
      %e = math.exp2 %less_6 fastmath<afn> : vector<128x16xf32>
      %sum_7 = tile.reduce add %e, 0 keep : vector<128x16xf32>
      %l_1 = arith.addf %product_15, %sum_7 : vector<1x16xf32>
      %lanes_15 = vector.broadcast %newest : vector<128x1xi1> to vector<128x128xi1>
      %v_cache_view_tiles = tile.partition %values by [_, 128, 128] : !K_cacheView
      %some = tile.load %v_cache_view_tiles[%g, %j, %c0] pad(zero) : !K_cacheViewTiles_1
      %chosen_3 = arith.select %lanes_15, %lanes_9, %some : vector<128x128xi1>, vector<128x128xbf16>
      %turned_2 = vector.transpose %chosen_3, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
      %narrow_4 = arith.truncf %e : vector<128x16xf32> to vector<128x16xbf16>
      %lanes_16 = vector.broadcast %alpha : vector<1x16xf32> to vector<128x16xf32>
      %product_16 = arith.mulf %acc, %lanes_16 : vector<128x16xf32>
      %acc_1 = tile.mma %turned_2, %narrow_4, %product_16 : vector<128x128xbf16>, vector<128x16xbf16>, vector<128x16xf32>
      scf.yield %top_1, %l_1, %acc_1 : vector<1x16xf32>, vector<1x16xf32>, vector<128x16xf32>
    }
    %most_1 = arith.maximumf %l, %c1_0e_30 : vector<1x16xf32>
    %quotient_2 = arith.divf %one, %most_1 : vector<1x16xf32>
    %lanes_10 = vector.broadcast %quotient_2 : vector<1x16xf32> to vector<128x16xf32>
    %product_12 = arith.mulf %acc, %lanes_10 : vector<128x16xf32>
    %turned = vector.transpose %product_12, [1, 0] : vector<128x16xf32> to vector<16x128xf32>
    %log2 = math.log2 %l : vector<1x16xf32>
    %sum_7 = arith.addf %top, %log2 : vector<1x16xf32>
    %shaped = vector.shape_cast %sum_7 : vector<1x16xf32> to vector<16xf32>
    scf.yield %turned, %shaped : vector<16x128xf32>, vector<16xf32>
  } else {
    scf.yield %nan, %zero_2 : vector<16x128xf32>, vector<16xf32>
  }
  tile.store %nan_1, %out : !PartialPiece
  tile.store %zero_3, %outLse : !LsePiece
}
