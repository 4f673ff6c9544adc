// Each head of q and of k divided by its root mean square and scaled by the
// weights of its kind, in bf16, heads of 128, a head of BS positions a block;
// one launch for both any S, HQ and HK, zero included
// generated from norm.cpp
!Q = !tile.tensor<[S, HQ, 128] x bf16, shared, strides [ldq, 128, 1]>
!K = !tile.tensor<[S, HK, 128] x bf16, shared, strides [ldk, 128, 1]>
!Q_weight = !tile.tensor<[128] x bf16, shared>
!Q_out = !tile.tensor<[S, HQ, 128] x bf16, out>
!K_out = !tile.tensor<[S, HK, 128] x bf16, out>
!QTiles = !tile.partition<[16, _, 128], [S, HQ, 128] x bf16, shared, strides [ldq, 128, 1]>
!Q_weightTiles = !tile.partition<[128], [128] x bf16, shared>
!KTiles = !tile.partition<[16, _, 128], [S, HK, 128] x bf16, shared, strides [ldk, 128, 1]>
!Q_outTiles = !tile.partition<[16, _, 128], [S, HQ, 128] x bf16, out>
!Q_outPiece = !tile.piece<[16, _, 128] x bf16, out>
!K_outTiles = !tile.partition<[16, _, 128], [S, HK, 128] x bf16, out>
tile.kernel @qk_norm(%q: !Q, %k: !K, %q_weight: !Q_weight, %k_weight: !Q_weight, %q_out: !Q_out, %k_out: !K_out, %eps: f32)
    symbols [ldq : index, ldk : index] grid [ceildiv(S, 16), HQ + HK]
    hints {sm_90 = {worker_warps = 4, occupancy = 8, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant dense<128.0> : vector<16x1xf32>
  %s = tile.block_id 0
  %h = tile.block_id 1
  %HQ = tile.symbol "HQ" : index
  %q_tiles = tile.partition %q by [16, _, 128] : !Q
  %k_tiles = tile.partition %k by [16, _, 128] : !K
  %q_weight_tiles = tile.partition %q_weight by [128] : !Q_weight
  %k_weight_tiles = tile.partition %k_weight by [128] : !Q_weight
  %q_out_tiles = tile.partition %q_out by [16, _, 128] : !Q_out
  %k_out_tiles = tile.partition %k_out by [16, _, 128] : !K_out
  %isQ = arith.cmpi slt, %h, %HQ : index
  %kh = arith.subi %h, %HQ : index
  %x, %w = scf.if %isQ -> (vector<16x128xbf16>, vector<128xbf16>) {
    %x = tile.load %q_tiles[%s, %h, %c0] pad(zero) : !QTiles
    %w = tile.load %q_weight_tiles[%c0] : !Q_weightTiles
    scf.yield %x, %w : vector<16x128xbf16>, vector<128xbf16>
  } else {
    %x = tile.load %k_tiles[%s, %kh, %c0] pad(zero) : !KTiles
    %w = tile.load %k_weight_tiles[%c0] : !Q_weightTiles
    scf.yield %x, %w : vector<16x128xbf16>, vector<128xbf16>
  }
  %t = arith.extf %x : vector<16x128xbf16> to vector<16x128xf32>
  %product = arith.mulf %t, %t : vector<16x128xf32>
  %sum = tile.reduce add %product, 1 keep : vector<16x128xf32>
  %quotient = arith.divf %sum, %c128 : vector<16x1xf32>
  %lanes = vector.broadcast %eps : f32 to vector<16x1xf32>
  %sum_1 = arith.addf %quotient, %lanes : vector<16x1xf32>
  %rsqrt = math.rsqrt %sum_1 : vector<16x1xf32>
  %lanes_1 = vector.broadcast %rsqrt : vector<16x1xf32> to vector<16x128xf32>
  %unit = arith.mulf %t, %lanes_1 : vector<16x128xf32>
  %wide = arith.extf %w : vector<128xbf16> to vector<128xf32>
  %lanes_2 = vector.broadcast %wide : vector<128xf32> to vector<16x128xf32>
  %product_1 = arith.mulf %unit, %lanes_2 : vector<16x128xf32>
  %y = arith.truncf %product_1 : vector<16x128xf32> to vector<16x128xbf16>
  scf.if %isQ {
    %q_out_piece = tile.claim %q_out_tiles[%s, %h, %c0] : !Q_outTiles
    tile.store %y, %q_out_piece : !Q_outPiece
  } else {
    %k_out_piece = tile.claim %k_out_tiles[%s, %kh, %c0] : !K_outTiles
    tile.store %y, %k_out_piece : !Q_outPiece
  }
}
