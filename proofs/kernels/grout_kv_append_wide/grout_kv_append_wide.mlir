// Grout's k_norm_rope_v_prefill_wide (views k_cache and v_cache): a block norms
// and turns 16 rows of new keys, copies as many values, and writes each in two
// halves to a tile of the caches. Tiles are aligned: the cache holds PB whole
// tiles already, and N more are new; rows left over are another kernel's.
// in bf16, heads of 128
// any N, H, PB and T >= 16 * (PB + N), zero included
// generated from rope.cpp
!K = !tile.tensor<[S, H, 128] x bf16, shared>
!Weight = !tile.tensor<[128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!K_cache = !tile.tensor<[H, T, 128] x bf16, own>
!K_cacheTiles = !tile.partition<[_, 16, 64], [H, T, 128] x bf16, own>
!KTiles = !tile.partition<[16, _, 64], [S, H, 128] x bf16, shared>
!WeightTiles = !tile.partition<[64], [128] x bf16, shared>
!CosTiles = !tile.partition<[16, 64], [T, 64] x f32, shared>
!K_cachePiece = !tile.piece<[_, 16, 64] x bf16, own>
tile.kernel @grout_kv_append_wide(%k: !K, %v: !K, %weight: !Weight, %cos: !Cos, %sin: !Cos, %k_cache: !K_cache, %v_cache: !K_cache, %eps: f32)
    symbols [N : index, PB : index] grid [N, H]
    requires [16 * N <= S, 16 * PB + 16 * N <= T] hints {sm_90 = {occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant dense<128.0> : vector<16x1xf32>
  %m = tile.block_id 0
  %h = tile.block_id 1
  %PB = tile.symbol "PB" : index
  %k_tiles = tile.partition %k by [16, _, 64] : !K
  %v_tiles = tile.partition %v by [16, _, 64] : !K
  %weight_tiles = tile.partition %weight by [64] : !Weight
  %cos_tiles = tile.partition %cos by [16, 64] : !Cos
  %sin_tiles = tile.partition %sin by [16, 64] : !Cos
  %k_cache_tiles = tile.partition %k_cache by [_, 16, 64] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, 16, 64] : !K_cache
  %row = arith.addi %PB, %m : index
  %outHigh = tile.claim %k_cache_tiles[%h, %row, %c1] : !K_cacheTiles
  %vLow = tile.claim %v_cache_tiles[%h, %row, %c0] : !K_cacheTiles
  %vHigh = tile.claim %v_cache_tiles[%h, %row, %c1] : !K_cacheTiles
  %outLow = tile.claim %k_cache_tiles[%h, %row, %c0] : !K_cacheTiles
  %a = tile.load %k_tiles[%m, %h, %c0] : !KTiles
  %wide = arith.extf %a : vector<16x64xbf16> to vector<16x64xf32>
  %product = arith.mulf %wide, %wide : vector<16x64xf32>
  %b = tile.load %k_tiles[%m, %h, %c1] : !KTiles
  %wide_1 = arith.extf %b : vector<16x64xbf16> to vector<16x64xf32>
  %product_1 = arith.mulf %wide_1, %wide_1 : vector<16x64xf32>
  %squares = arith.addf %product, %product_1 : vector<16x64xf32>
  %sum = tile.reduce add %squares, 1 keep : vector<16x64xf32>
  %quotient = arith.divf %sum, %c128 : vector<16x1xf32>
  %lanes = vector.broadcast %eps : f32 to vector<16x1xf32>
  %sum_1 = arith.addf %quotient, %lanes : vector<16x1xf32>
  %rsqrt = math.rsqrt %sum_1 : vector<16x1xf32>
  %lanes_1 = vector.broadcast %rsqrt : vector<16x1xf32> to vector<16x64xf32>
  %product_2 = arith.mulf %wide, %lanes_1 : vector<16x64xf32>
  %wa = tile.load %weight_tiles[%c0] : !WeightTiles
  %wide_2 = arith.extf %wa : vector<64xbf16> to vector<64xf32>
  %lanes_2 = vector.broadcast %wide_2 : vector<64xf32> to vector<16x64xf32>
  %product_3 = arith.mulf %product_2, %lanes_2 : vector<16x64xf32>
  %c = tile.load %cos_tiles[%row, %c0] : !CosTiles
  %ac = arith.mulf %product_3, %c : vector<16x64xf32>
  %product_4 = arith.mulf %wide_1, %lanes_1 : vector<16x64xf32>
  %wb = tile.load %weight_tiles[%c1] : !WeightTiles
  %wide_3 = arith.extf %wb : vector<64xbf16> to vector<64xf32>
  %lanes_3 = vector.broadcast %wide_3 : vector<64xf32> to vector<16x64xf32>
  %product_5 = arith.mulf %product_4, %lanes_3 : vector<16x64xf32>
  %d = tile.load %sin_tiles[%row, %c0] : !CosTiles
  %bs = arith.mulf %product_5, %d : vector<16x64xf32>
  %less = arith.subf %ac, %bs : vector<16x64xf32>
  %narrow = arith.truncf %less : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %outLow : !K_cachePiece
  %bc = arith.mulf %product_5, %c : vector<16x64xf32>
  %as = arith.mulf %product_3, %d : vector<16x64xf32>
  %sum_2 = arith.addf %bc, %as : vector<16x64xf32>
  %narrow_1 = arith.truncf %sum_2 : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow_1, %outHigh : !K_cachePiece
  %newHigh = tile.load %v_tiles[%m, %h, %c1] : !KTiles
  %newLow = tile.load %v_tiles[%m, %h, %c0] : !KTiles
  tile.store %newLow, %vLow : !K_cachePiece
  tile.store %newHigh, %vHigh : !K_cachePiece
}
