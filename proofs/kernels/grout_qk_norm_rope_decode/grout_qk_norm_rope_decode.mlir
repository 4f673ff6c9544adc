// Grout's qk_norm_rope_kv_decode (views q_out, k_cache and v_cache): one new
// token, whose heads of q, of k and of v stand behind each other in one row of
// halves. A block takes a head of q or of k and one half: it norms and turns
// it, and one of a k head copies the half of v. The position stands in device
// memory.
// in bf16, heads of 128; any NQ, NK and T, zero included
// generated from rope.cpp
!Qkv = !tile.tensor<[N, 64] x bf16, shared>
!Pos = !tile.tensor<[1] x i32, shared>
!Q_weight = !tile.tensor<[128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!Q_out = !tile.tensor<[NQ, 128] x bf16, out>
!K_cache = !tile.tensor<[NK, T, 128] x bf16, own>
!QkvTiles = !tile.partition<[_, 64], [N, 64] x bf16, shared>
!PosTiles = !tile.partition<[_], [1] x i32, shared>
!Q_weightTiles = !tile.partition<[64], [128] x bf16, shared>
!CosTiles = !tile.partition<[_, 64], [T, 64] x f32, shared>
!Q_outTiles = !tile.partition<[_, 64], [NQ, 128] x bf16, out>
!Q_outPiece = !tile.piece<[_, 64] x bf16, out>
!K_cacheTiles = !tile.partition<[_, _, 64], [NK, T, 128] x bf16, own>
!K_cachePiece = !tile.piece<[_, _, 64] x bf16, own>
tile.kernel @grout_qk_norm_rope_decode(%qkv: !Qkv, %pos: !Pos, %q_weight: !Q_weight, %k_weight: !Q_weight, %cos: !Cos, %sin: !Cos, %q_out: !Q_out, %k_cache: !K_cache, %v_cache: !K_cache, %eps: f32)
    grid [NQ + NK, 2] requires [N == 2 * NQ + 4 * NK] given [within(%pos, 0, T)]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128.0 : f32
  %h = tile.block_id 0
  %half = tile.block_id 1
  %NQ = tile.symbol "NQ" : index
  %NK = tile.symbol "NK" : index
  %qkv_tiles = tile.partition %qkv by [_, 64] : !Qkv
  %pos_tiles = tile.partition %pos by [_] : !Pos
  %q_weight_tiles = tile.partition %q_weight by [64] : !Q_weight
  %k_weight_tiles = tile.partition %k_weight by [64] : !Q_weight
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %q_out_tiles = tile.partition %q_out by [_, 64] : !Q_out
  %k_cache_tiles = tile.partition %k_cache by [_, _, 64] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 64] : !K_cache
  %first = arith.muli %h, %c2 : index
  %a = tile.load %qkv_tiles[%first, %c0] : !QkvTiles
  %sum = arith.addi %first, %c1 : index
  %b = tile.load %qkv_tiles[%sum, %c0] : !QkvTiles
  %tile = tile.load %pos_tiles[%c0] : !PosTiles
  %isQ = arith.cmpi slt, %h, %NQ : index
  %wa, %wb = scf.if %isQ -> (vector<64xbf16>, vector<64xbf16>) {
    %wa = tile.load %q_weight_tiles[%c0] : !Q_weightTiles
    %wb = tile.load %q_weight_tiles[%c1] : !Q_weightTiles
    scf.yield %wa, %wb : vector<64xbf16>, vector<64xbf16>
  } else {
    %wa = tile.load %k_weight_tiles[%c0] : !Q_weightTiles
    %wb = tile.load %k_weight_tiles[%c1] : !Q_weightTiles
    scf.yield %wa, %wb : vector<64xbf16>, vector<64xbf16>
  }
  %isLow = arith.cmpi eq, %half, %c0 : index
  %wide = arith.extf %a : vector<64xbf16> to vector<64xf32>
  %product = arith.mulf %wide, %wide : vector<64xf32>
  %wide_1 = arith.extf %b : vector<64xbf16> to vector<64xf32>
  %product_1 = arith.mulf %wide_1, %wide_1 : vector<64xf32>
  %squares = arith.addf %product, %product_1 : vector<64xf32>
  %sum_1 = tile.reduce add %squares, 0 : vector<64xf32>
  %quotient = arith.divf %sum_1, %c128 : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %lanes = vector.broadcast %rsqrt : f32 to vector<64xf32>
  %product_2 = arith.mulf %wide, %lanes : vector<64xf32>
  %wide_2 = arith.extf %wa : vector<64xbf16> to vector<64xf32>
  %product_3 = arith.mulf %product_2, %wide_2 : vector<64xf32>
  %row = arith.index_cast %tile : i32 to index
  %c = tile.load %cos_tiles[%row, %c0] : !CosTiles
  %ac = arith.mulf %product_3, %c : vector<64xf32>
  %product_4 = arith.mulf %wide_1, %lanes : vector<64xf32>
  %wide_3 = arith.extf %wb : vector<64xbf16> to vector<64xf32>
  %product_5 = arith.mulf %product_4, %wide_3 : vector<64xf32>
  %d = tile.load %sin_tiles[%row, %c0] : !CosTiles
  %bs = arith.mulf %product_5, %d : vector<64xf32>
  %less = arith.subf %ac, %bs : vector<64xf32>
  %bc = arith.mulf %product_5, %c : vector<64xf32>
  %as = arith.mulf %product_3, %d : vector<64xf32>
  %sum_3 = arith.addf %bc, %as : vector<64xf32>
  %chosen = arith.select %isLow, %less, %sum_3 : vector<64xf32>
  %y = arith.truncf %chosen : vector<64xf32> to vector<64xbf16>
  scf.if %isQ {
    %q_out_piece = tile.claim %q_out_tiles[%h, %half] : !Q_outTiles
    tile.store %y, %q_out_piece : !Q_outPiece
  } else {
    %kh = arith.subi %h, %NQ : index
    %outV = tile.claim %v_cache_tiles[%kh, %row, %half] : !K_cacheTiles
    %sum_4 = arith.addi %NQ, %NK : index
    %sum_5 = arith.addi %sum_4, %kh : index
    %vFirst = arith.muli %sum_5, %c2 : index
    %sum_6 = arith.addi %vFirst, %half : index
    %newV = tile.load %qkv_tiles[%sum_6, %c0] : !QkvTiles
    %outK = tile.claim %k_cache_tiles[%kh, %row, %half] : !K_cacheTiles
    tile.store %y, %outK : !K_cachePiece
    tile.store %newV, %outV : !K_cachePiece
  }
}
