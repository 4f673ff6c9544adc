// What stands between the projections and attention, in one launch: each head
// of q and k is divided by its root mean square, scaled, and turned by the
// angles of its position pos + s; q goes to q_out, k and v to row pos + s of
// the caches. in bf16, heads of 128, a head of 16 positions a block; any S, HQ
// and HK, zero and ragged included; caches and tables end at T >= pos + S
// generated from rope.cpp
!Q = !tile.tensor<[S, HQ, 128] x bf16, shared, strides [ldq, 128, 1]>
!K = !tile.tensor<[S, HK, 128] x bf16, shared, strides [ldk, 128, 1]>
!V = !tile.tensor<[S, HK, 128] x bf16, shared, strides [ldv, 128, 1]>
!Q_weight = !tile.tensor<[128] x bf16, shared>
!Cos = !tile.tensor<[T, 64] x f32, shared>
!Q_out = !tile.tensor<[S, HQ, 128] x bf16, out>
!K_cache = !tile.tensor<[HK, T, 128] x bf16, own>
!QTiles = !tile.partition<[16, _, 64], [S, HQ, 128] x bf16, shared, strides [ldq, 128, 1]>
!Q_weightTiles = !tile.partition<[64], [128] x bf16, shared>
!KTiles = !tile.partition<[16, _, 64], [S, HK, 128] x bf16, shared, strides [ldk, 128, 1]>
!CosView = !tile.tensor<[S, 64] x f32, shared>
!CosViewTiles = !tile.partition<[16, 64], [S, 64] x f32, shared>
!Q_outTiles = !tile.partition<[16, _, 64], [S, HQ, 128] x bf16, out>
!Q_outPiece = !tile.piece<[16, _, 64] x bf16, out>
!K_cacheView = !tile.tensor<[HK, S, 128] x bf16, own>
!K_cacheViewTiles = !tile.partition<[_, 16, 64], [HK, S, 128] x bf16, own>
!K_cacheViewTiles_1 = !tile.partition<[_, 16, 128], [HK, S, 128] x bf16, own>
!VTiles = !tile.partition<[16, _, 128], [S, HK, 128] x bf16, shared, strides [ldv, 128, 1]>
!K_cacheViewPiece = !tile.piece<[_, 16, 64] x bf16, own>
!K_cacheViewPiece_1 = !tile.piece<[_, 16, 128] x bf16, own>
tile.kernel @qk_norm_rope_append(%q: !Q, %k: !K, %v: !V, %q_weight: !Q_weight, %k_weight: !Q_weight, %cos: !Cos, %sin: !Cos, %q_out: !Q_out, %k_cache: !K_cache, %v_cache: !K_cache, %eps: f32)
    symbols [ldq : index, ldk : index, ldv : index, pos : index]
    grid [ceildiv(S, 16), HQ + HK] requires [pos + S <= T]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant dense<128.0> : vector<16x1xf32>
  %s = tile.block_id 0
  %h = tile.block_id 1
  %HQ = tile.symbol "HQ" : index
  %q_tiles = tile.partition %q by [16, _, 64] : !Q
  %k_tiles = tile.partition %k by [16, _, 64] : !K
  %v_tiles = tile.partition %v by [16, _, 128] : !V
  %q_weight_tiles = tile.partition %q_weight by [64] : !Q_weight
  %k_weight_tiles = tile.partition %k_weight by [64] : !Q_weight
  %q_out_tiles = tile.partition %q_out by [16, _, 64] : !Q_out
  %isQ = arith.cmpi slt, %h, %HQ : index
  %kh = arith.subi %h, %HQ : index
  %a, %b, %wa, %wb = scf.if %isQ -> (vector<16x64xbf16>, vector<16x64xbf16>, vector<64xbf16>, vector<64xbf16>) {
    %a = tile.load %q_tiles[%s, %h, %c0] pad(zero) : !QTiles
    %b = tile.load %q_tiles[%s, %h, %c1] pad(zero) : !QTiles
    %wa = tile.load %q_weight_tiles[%c0] : !Q_weightTiles
    %wb = tile.load %q_weight_tiles[%c1] : !Q_weightTiles
    scf.yield %a, %b, %wa, %wb : vector<16x64xbf16>, vector<16x64xbf16>, vector<64xbf16>, vector<64xbf16>
  } else {
    %a = tile.load %k_tiles[%s, %kh, %c0] pad(zero) : !KTiles
    %b = tile.load %k_tiles[%s, %kh, %c1] pad(zero) : !KTiles
    %wa = tile.load %k_weight_tiles[%c0] : !Q_weightTiles
    %wb = tile.load %k_weight_tiles[%c1] : !Q_weightTiles
    scf.yield %a, %b, %wa, %wb : vector<16x64xbf16>, vector<16x64xbf16>, vector<64xbf16>, vector<64xbf16>
  }
  %wide = arith.extf %a : vector<16x64xbf16> to vector<16x64xf32>
  %product = arith.mulf %wide, %wide : vector<16x64xf32>
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
  %wide_2 = arith.extf %wa : vector<64xbf16> to vector<64xf32>
  %lanes_2 = vector.broadcast %wide_2 : vector<64xf32> to vector<16x64xf32>
  %product_3 = arith.mulf %product_2, %lanes_2 : vector<16x64xf32>
  %cos_view = tile.view %cos slice [pos, 0] size [S, 64] : !Cos
  %cos_view_tiles = tile.partition %cos_view by [16, 64] : !CosView
  %c = tile.load %cos_view_tiles[%s, %c0] pad(zero) : !CosViewTiles
  %ac = arith.mulf %product_3, %c : vector<16x64xf32>
  %product_4 = arith.mulf %wide_1, %lanes_1 : vector<16x64xf32>
  %wide_3 = arith.extf %wb : vector<64xbf16> to vector<64xf32>
  %lanes_3 = vector.broadcast %wide_3 : vector<64xf32> to vector<16x64xf32>
  %product_5 = arith.mulf %product_4, %lanes_3 : vector<16x64xf32>
  %sin_view = tile.view %sin slice [pos, 0] size [S, 64] : !Cos
  %sin_view_tiles = tile.partition %sin_view by [16, 64] : !CosView
  %d = tile.load %sin_view_tiles[%s, %c0] pad(zero) : !CosViewTiles
  %bs = arith.mulf %product_5, %d : vector<16x64xf32>
  %less = arith.subf %ac, %bs : vector<16x64xf32>
  %narrow = arith.truncf %less : vector<16x64xf32> to vector<16x64xbf16>
  %bc = arith.mulf %product_5, %c : vector<16x64xf32>
  %as = arith.mulf %product_3, %d : vector<16x64xf32>
  %sum_2 = arith.addf %bc, %as : vector<16x64xf32>
  %narrow_1 = arith.truncf %sum_2 : vector<16x64xf32> to vector<16x64xbf16>
  scf.if %isQ {
    scf.for %half = %c0 to %c2 step %c1 {
      %out = tile.claim %q_out_tiles[%s, %h, %half] : !Q_outTiles
      %is = arith.cmpi eq, %half, %c0 : index
      %chosen = arith.select %is, %narrow, %narrow_1 : vector<16x64xbf16>
      tile.store %chosen, %out : !Q_outPiece
    }
  } else {
    %newKeys = tile.view %k_cache slice [0, pos, 0] size [HK, S, 128] : !K_cache
    %k_cache_view_tiles = tile.partition %newKeys by [_, 16, 64] : !K_cacheView
    %outHigh = tile.claim %k_cache_view_tiles[%kh, %s, %c1] : !K_cacheViewTiles
    %newValues = tile.view %v_cache slice [0, pos, 0] size [HK, S, 128] : !K_cache
    %v_cache_view_tiles = tile.partition %newValues by [_, 16, 128] : !K_cacheView
    %outV = tile.claim %v_cache_view_tiles[%kh, %s, %c0] : !K_cacheViewTiles_1
    %newV = tile.load %v_tiles[%s, %kh, %c0] pad(zero) : !VTiles
    %outLow = tile.claim %k_cache_view_tiles[%kh, %s, %c0] : !K_cacheViewTiles
    tile.store %narrow, %outLow : !K_cacheViewPiece
    tile.store %narrow_1, %outHigh : !K_cacheViewPiece
    tile.store %newV, %outV : !K_cacheViewPiece_1
  }
}
