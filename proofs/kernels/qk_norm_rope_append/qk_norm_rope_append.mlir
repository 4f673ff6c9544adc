// What stands between the projections and attention, in one launch: each head
// of q and k is divided by its root mean square, scaled, and turned by the
// angles of its position pos + s; q goes to q_out, k and v to row pos + s of
// the caches. in bf16, heads of 128 any S, HQ and HK, zero included; caches and
// tables end at T >= pos + S
// generated from rope.cpp
!Q = !tile.tensor<[S, HQ, 128] x bf16, shared>
!K = !tile.tensor<[S, HK, 128] x bf16, shared>
!Q_weight = !tile.tensor<[128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!Q_out = !tile.tensor<[S, HQ, 128] x bf16, out>
!K_cache = !tile.tensor<[HK, T, 128] x bf16, own>
!QTiles = !tile.partition<[_, _, 64], [S, HQ, 128] x bf16, shared>
!Q_weightTiles = !tile.partition<[64], [128] x bf16, shared>
!KTiles = !tile.partition<[_, _, 64], [S, HK, 128] x bf16, shared>
!CosTiles = !tile.partition<[_, 64], [T, 64] x f32, shared>
!Q_outTiles = !tile.partition<[_, _, 64], [S, HQ, 128] x bf16, out>
!Q_outPiece = !tile.piece<[_, _, 64] x bf16, out>
!K_cacheTiles = !tile.partition<[_, _, 64], [HK, T, 128] x bf16, own>
!K_cacheTiles_1 = !tile.partition<[_, _, 128], [HK, T, 128] x bf16, own>
!KTiles_1 = !tile.partition<[_, _, 128], [S, HK, 128] x bf16, shared>
!K_cachePiece = !tile.piece<[_, _, 64] x bf16, own>
!K_cachePiece_1 = !tile.piece<[_, _, 128] x bf16, own>
tile.kernel @qk_norm_rope_append(%q: !Q, %k: !K, %v: !K, %q_weight: !Q_weight, %k_weight: !Q_weight, %cos: !Cos, %sin: !Cos, %q_out: !Q_out, %k_cache: !K_cache, %v_cache: !K_cache, %eps: f32)
    symbols [pos : index] grid [S, HQ + HK] requires [pos + S <= T]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128.0 : f32
  %s = tile.block_id 0
  %h = tile.block_id 1
  %HQ = tile.symbol "HQ" : index
  %pos = tile.symbol "pos" : index
  %q_tiles = tile.partition %q by [_, _, 64] : !Q
  %k_tiles = tile.partition %k by [_, _, 64] : !K
  %v_tiles = tile.partition %v by [_, _, 128] : !K
  %q_weight_tiles = tile.partition %q_weight by [64] : !Q_weight
  %k_weight_tiles = tile.partition %k_weight by [64] : !Q_weight
  %cos_tiles = tile.partition %cos by [_, 64] : !Cos
  %sin_tiles = tile.partition %sin by [_, 64] : !Cos
  %q_out_tiles = tile.partition %q_out by [_, _, 64] : !Q_out
  %k_cache_tiles = tile.partition %k_cache by [_, _, 64] : !K_cache
  %v_cache_tiles = tile.partition %v_cache by [_, _, 128] : !K_cache
  %isQ = arith.cmpi slt, %h, %HQ : index
  %kh = arith.subi %h, %HQ : index
  %a, %b, %wa, %wb = scf.if %isQ -> (vector<64xbf16>, vector<64xbf16>, vector<64xbf16>, vector<64xbf16>) {
    %a = tile.load %q_tiles[%s, %h, %c0] : !QTiles
    %b = tile.load %q_tiles[%s, %h, %c1] : !QTiles
    %wa = tile.load %q_weight_tiles[%c0] : !Q_weightTiles
    %wb = tile.load %q_weight_tiles[%c1] : !Q_weightTiles
    scf.yield %a, %b, %wa, %wb : vector<64xbf16>, vector<64xbf16>, vector<64xbf16>, vector<64xbf16>
  } else {
    %a = tile.load %k_tiles[%s, %kh, %c0] : !KTiles
    %b = tile.load %k_tiles[%s, %kh, %c1] : !KTiles
    %wa = tile.load %k_weight_tiles[%c0] : !Q_weightTiles
    %wb = tile.load %k_weight_tiles[%c1] : !Q_weightTiles
    scf.yield %a, %b, %wa, %wb : vector<64xbf16>, vector<64xbf16>, vector<64xbf16>, vector<64xbf16>
  }
  %wide = arith.extf %a : vector<64xbf16> to vector<64xf32>
  %product = arith.mulf %wide, %wide : vector<64xf32>
  %wide_1 = arith.extf %b : vector<64xbf16> to vector<64xf32>
  %product_1 = arith.mulf %wide_1, %wide_1 : vector<64xf32>
  %squares = arith.addf %product, %product_1 : vector<64xf32>
  %sum = tile.reduce add %squares, 0 : vector<64xf32>
  %quotient = arith.divf %sum, %c128 : f32
  %sum_1 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_1 : f32
  %lanes = vector.broadcast %rsqrt : f32 to vector<64xf32>
  %product_2 = arith.mulf %wide, %lanes : vector<64xf32>
  %wide_2 = arith.extf %wa : vector<64xbf16> to vector<64xf32>
  %product_3 = arith.mulf %product_2, %wide_2 : vector<64xf32>
  %row = arith.addi %pos, %s : index
  %c = tile.load %cos_tiles[%row, %c0] : !CosTiles
  %ac = arith.mulf %product_3, %c : vector<64xf32>
  %product_4 = arith.mulf %wide_1, %lanes : vector<64xf32>
  %wide_3 = arith.extf %wb : vector<64xbf16> to vector<64xf32>
  %product_5 = arith.mulf %product_4, %wide_3 : vector<64xf32>
  %d = tile.load %sin_tiles[%row, %c0] : !CosTiles
  %bs = arith.mulf %product_5, %d : vector<64xf32>
  %less = arith.subf %ac, %bs : vector<64xf32>
  %narrow = arith.truncf %less : vector<64xf32> to vector<64xbf16>
  %bc = arith.mulf %product_5, %c : vector<64xf32>
  %as = arith.mulf %product_3, %d : vector<64xf32>
  %sum_2 = arith.addf %bc, %as : vector<64xf32>
  %narrow_1 = arith.truncf %sum_2 : vector<64xf32> to vector<64xbf16>
  scf.if %isQ {
    scf.for %half = %c0 to %c2 step %c1 {
      %q_out_piece = tile.claim %q_out_tiles[%s, %h, %half] : !Q_outTiles
      %is = arith.cmpi eq, %half, %c0 : index
      %chosen = arith.select %is, %narrow, %narrow_1 : vector<64xbf16>
      tile.store %chosen, %q_out_piece : !Q_outPiece
    }
  } else {
    %outHigh = tile.claim %k_cache_tiles[%kh, %row, %c1] : !K_cacheTiles
    %outV = tile.claim %v_cache_tiles[%kh, %row, %c0] : !K_cacheTiles_1
    %newV = tile.load %v_tiles[%s, %kh, %c0] : !KTiles_1
    %outLow = tile.claim %k_cache_tiles[%kh, %row, %c0] : !K_cacheTiles
    tile.store %narrow, %outLow : !K_cachePiece
    tile.store %narrow_1, %outHigh : !K_cachePiece
    tile.store %newV, %outV : !K_cachePiece_1
  }
}
