// y[M, B, W] = silu(x gate^T) (x up^T) of x[M, K] and of B panels of both
// matrices, [B, W, K] in bf16: linear_silu_mul of W = 80 or 160 columns a tile,
// where tiles of powers of two leave many multiprocessors idle in their last
// round. The last panel may reach beyond a matrix, into rows of which nobody
// reads the results. As measured on an H200.
// any M, B and K from 1 to 2147483647, K a multiple of 8
// generated from fused.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!Gate = !tile.tensor<[B, W, K] x bf16, shared>
!Y = !tile.tensor<[M, B, W] x bf16, out>
!XTiles = !tile.partition<[128, 128], [M, K] x bf16, shared>
!GateTiles = !tile.partition<[_, 64, 128], [B, W, K] x bf16, shared>
!GateTiles_1 = !tile.partition<[_, 16, 128], [B, W, K] x bf16, shared>
!YTiles = !tile.partition<[128, _, 64], [M, B, W] x bf16, out>
!YPiece = !tile.piece<[128, _, 64] x bf16, out>
!YTiles_1 = !tile.partition<[128, _, 16], [M, B, W] x bf16, out>
!YPiece_1 = !tile.piece<[128, _, 16] x bf16, out>
!XTiles_1 = !tile.partition<[128, 64], [M, K] x bf16, shared>
!GateTiles_2 = !tile.partition<[_, 128, 64], [B, W, K] x bf16, shared>
!GateTiles_3 = !tile.partition<[_, 32, 64], [B, W, K] x bf16, shared>
!YTiles_2 = !tile.partition<[128, _, 128], [M, B, W] x bf16, out>
!YPiece_2 = !tile.piece<[128, _, 128] x bf16, out>
!YTiles_3 = !tile.partition<[128, _, 32], [M, B, W] x bf16, out>
!YPiece_3 = !tile.piece<[128, _, 32] x bf16, out>
tile.variants @linear_silu_mul_panels [@gated_panels_128_64_16_128 when (W == 80), @gated_panels_128_128_32_64]
tile.kernel @gated_panels_128_64_16_128(%x: !X, %gate: !Gate, %up: !Gate, %y: !Y)
    grid [B, ceildiv(M, 128)]
    requires [W == 80, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x16xf32>
  %one = arith.constant dense<1.0> : vector<128x64xf32>
  %one_1 = arith.constant dense<1.0> : vector<128x16xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 128] : !X
  %gate_tiles = tile.partition %gate by [_, 16, 128] : !Gate
  %gate_tiles_1 = tile.partition %gate by [_, 64, 128] : !Gate
  %up_tiles = tile.partition %up by [_, 16, 128] : !Gate
  %up_tiles_1 = tile.partition %up by [_, 64, 128] : !Gate
  %y_tiles = tile.partition %y by [128, _, 16] : !Y
  %y_tiles_1 = tile.partition %y by [128, _, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %leftGate, %leftUp, %rightGate, %rightUp = scf.for %k = %c0 to %n step %c1 iter_args(%leftGate = %zero, %leftUp = %zero, %rightGate = %zero_1, %rightUp = %zero_1) -> (vector<128x64xf32>, vector<128x64xf32>, vector<128x16xf32>, vector<128x16xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles
    %b = tile.load %gate_tiles_1[%b0, %c0, %k] pad(zero) : !GateTiles
    %turned = vector.transpose %b, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %leftGate_1 = tile.mma %a, %turned, %leftGate : vector<128x128xbf16>, vector<128x64xbf16>, vector<128x64xf32>
    %d = tile.load %up_tiles_1[%b0, %c0, %k] pad(zero) : !GateTiles
    %turned_1 = vector.transpose %d, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %leftUp_1 = tile.mma %a, %turned_1, %leftUp : vector<128x128xbf16>, vector<128x64xbf16>, vector<128x64xf32>
    %c = tile.load %gate_tiles[%b0, %c4, %k] pad(zero) : !GateTiles_1
    %turned_2 = vector.transpose %c, [1, 0] : vector<16x128xbf16> to vector<128x16xbf16>
    %rightGate_1 = tile.mma %a, %turned_2, %rightGate : vector<128x128xbf16>, vector<128x16xbf16>, vector<128x16xf32>
    %e = tile.load %up_tiles[%b0, %c4, %k] pad(zero) : !GateTiles_1
    %turned_3 = vector.transpose %e, [1, 0] : vector<16x128xbf16> to vector<128x16xbf16>
    %rightUp_1 = tile.mma %a, %turned_3, %rightUp : vector<128x128xbf16>, vector<128x16xbf16>, vector<128x16xf32>
    scf.yield %leftGate_1, %leftUp_1, %rightGate_1, %rightUp_1 : vector<128x64xf32>, vector<128x64xf32>, vector<128x16xf32>, vector<128x16xf32>
  }
  %y_piece = tile.claim %y_tiles_1[%b1, %b0, %c0] : !YTiles
  %minus = arith.negf %leftGate : vector<128x64xf32>
  %exp = math.exp %minus : vector<128x64xf32>
  %sum = arith.addf %one, %exp : vector<128x64xf32>
  %quotient = arith.divf %leftGate, %sum : vector<128x64xf32>
  %product = arith.mulf %quotient, %leftUp : vector<128x64xf32>
  %narrow = arith.truncf %product : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
  %y_piece_1 = tile.claim %y_tiles[%b1, %b0, %c4] : !YTiles_1
  %minus_1 = arith.negf %rightGate : vector<128x16xf32>
  %exp_1 = math.exp %minus_1 : vector<128x16xf32>
  %sum_1 = arith.addf %one_1, %exp_1 : vector<128x16xf32>
  %quotient_1 = arith.divf %rightGate, %sum_1 : vector<128x16xf32>
  %product_1 = arith.mulf %quotient_1, %rightUp : vector<128x16xf32>
  %narrow_1 = arith.truncf %product_1 : vector<128x16xf32> to vector<128x16xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_1
}
tile.kernel @gated_panels_128_128_32_64(%x: !X, %gate: !Gate, %up: !Gate, %y: !Y)
    grid [B, ceildiv(M, 128)]
    requires [W == 160, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x32xf32>
  %one = arith.constant dense<1.0> : vector<128x128xf32>
  %one_1 = arith.constant dense<1.0> : vector<128x32xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %gate_tiles = tile.partition %gate by [_, 128, 64] : !Gate
  %gate_tiles_1 = tile.partition %gate by [_, 32, 64] : !Gate
  %up_tiles = tile.partition %up by [_, 128, 64] : !Gate
  %up_tiles_1 = tile.partition %up by [_, 32, 64] : !Gate
  %y_tiles = tile.partition %y by [128, _, 128] : !Y
  %y_tiles_1 = tile.partition %y by [128, _, 32] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %leftGate, %leftUp, %rightGate, %rightUp = scf.for %k = %c0 to %n step %c1 iter_args(%leftGate = %zero, %leftUp = %zero, %rightGate = %zero_1, %rightUp = %zero_1) -> (vector<128x128xf32>, vector<128x128xf32>, vector<128x32xf32>, vector<128x32xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles_1
    %b = tile.load %gate_tiles[%b0, %c0, %k] pad(zero) : !GateTiles_2
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %leftGate_1 = tile.mma %a, %turned, %leftGate : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %d = tile.load %up_tiles[%b0, %c0, %k] pad(zero) : !GateTiles_2
    %turned_1 = vector.transpose %d, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %leftUp_1 = tile.mma %a, %turned_1, %leftUp : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %c = tile.load %gate_tiles_1[%b0, %c4, %k] pad(zero) : !GateTiles_3
    %turned_2 = vector.transpose %c, [1, 0] : vector<32x64xbf16> to vector<64x32xbf16>
    %rightGate_1 = tile.mma %a, %turned_2, %rightGate : vector<128x64xbf16>, vector<64x32xbf16>, vector<128x32xf32>
    %e = tile.load %up_tiles_1[%b0, %c4, %k] pad(zero) : !GateTiles_3
    %turned_3 = vector.transpose %e, [1, 0] : vector<32x64xbf16> to vector<64x32xbf16>
    %rightUp_1 = tile.mma %a, %turned_3, %rightUp : vector<128x64xbf16>, vector<64x32xbf16>, vector<128x32xf32>
    scf.yield %leftGate_1, %leftUp_1, %rightGate_1, %rightUp_1 : vector<128x128xf32>, vector<128x128xf32>, vector<128x32xf32>, vector<128x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_2
  %minus = arith.negf %leftGate : vector<128x128xf32>
  %exp = math.exp %minus : vector<128x128xf32>
  %sum = arith.addf %one, %exp : vector<128x128xf32>
  %quotient = arith.divf %leftGate, %sum : vector<128x128xf32>
  %product = arith.mulf %quotient, %leftUp : vector<128x128xf32>
  %narrow = arith.truncf %product : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c4] : !YTiles_3
  %minus_1 = arith.negf %rightGate : vector<128x32xf32>
  %exp_1 = math.exp %minus_1 : vector<128x32xf32>
  %sum_1 = arith.addf %one_1, %exp_1 : vector<128x32xf32>
  %quotient_1 = arith.divf %rightGate, %sum_1 : vector<128x32xf32>
  %product_1 = arith.mulf %quotient_1, %rightUp : vector<128x32xf32>
  %narrow_1 = arith.truncf %product_1 : vector<128x32xf32> to vector<128x32xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_3
}
