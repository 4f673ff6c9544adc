// y[M, B, W] = x[M, K] * weight[B, W, K]^T in bf16, sums in f32: linear of
// B panels of W = 96, 160, 192 or 320 outputs, where tiles of powers of two
// leave many multiprocessors idle in their last round. As measured on an H200.
// any M, B and K from 1 to 2147483647, K a multiple of 8, rows of x at
// multiples of 16 bytes
// generated from gemm.cpp
!X = !tile.tensor<[M, K] x bf16, shared, strides [ldx, 1]>
!Weight = !tile.tensor<[B, W, K] x bf16, shared>
!Y = !tile.tensor<[M, B, W] x bf16, out>
!XTiles = !tile.partition<[64, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles = !tile.partition<[_, 64, 128], [B, W, K] x bf16, shared>
!WeightTiles_1 = !tile.partition<[_, 32, 128], [B, W, K] x bf16, shared>
!YTiles = !tile.partition<[64, _, 64], [M, B, W] x bf16, out>
!YPiece = !tile.piece<[64, _, 64] x bf16, out>
!YTiles_1 = !tile.partition<[64, _, 32], [M, B, W] x bf16, out>
!YPiece_1 = !tile.piece<[64, _, 32] x bf16, out>
!WeightTiles_2 = !tile.partition<[_, 128, 128], [B, W, K] x bf16, shared>
!YTiles_2 = !tile.partition<[64, _, 128], [M, B, W] x bf16, out>
!YPiece_2 = !tile.piece<[64, _, 128] x bf16, out>
!XTiles_1 = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles_3 = !tile.partition<[_, 128, 64], [B, W, K] x bf16, shared>
!WeightTiles_4 = !tile.partition<[_, 32, 64], [B, W, K] x bf16, shared>
!YTiles_3 = !tile.partition<[128, _, 128], [M, B, W] x bf16, out>
!YPiece_3 = !tile.piece<[128, _, 128] x bf16, out>
!YTiles_4 = !tile.partition<[128, _, 32], [M, B, W] x bf16, out>
!YPiece_4 = !tile.piece<[128, _, 32] x bf16, out>
!WeightTiles_5 = !tile.partition<[_, 64, 64], [B, W, K] x bf16, shared>
!YTiles_5 = !tile.partition<[128, _, 64], [M, B, W] x bf16, out>
!YPiece_5 = !tile.piece<[128, _, 64] x bf16, out>
!XTiles_2 = !tile.partition<[256, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!YTiles_6 = !tile.partition<[256, _, 128], [M, B, W] x bf16, out>
!YPiece_6 = !tile.piece<[256, _, 128] x bf16, out>
!YTiles_7 = !tile.partition<[256, _, 64], [M, B, W] x bf16, out>
!YPiece_7 = !tile.piece<[256, _, 64] x bf16, out>
!WeightTiles_6 = !tile.partition<[_, 256, 64], [B, W, K] x bf16, shared>
!YTiles_8 = !tile.partition<[256, _, 256], [M, B, W] x bf16, out>
!YPiece_8 = !tile.piece<[256, _, 256] x bf16, out>
tile.variants @linear_panels [@panels_64_64_32_128_4_1_5 when (W == 96), @panels_64_128_32_128_4_1_4 when (W == 160, ceildiv(M, 64) * B <= 132), @panels_128_128_32_64_4_1_6 when (W == 160), @panels_64_128_64_128_4_1_4 when (W == 192, ceildiv(M, 64) * B <= 132), @panels_128_128_64_64_4_1_6 when (W == 192, ceildiv(M, 128) * B <= 132), @panels_256_128_64_64_8_1_6 when (W == 192), @panels_256_256_64_64_8_2_6]
tile.kernel @panels_64_64_32_128_4_1_5(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 64)]
    requires [W == 96, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 4, ctas = 1, occupancy = 1, latency = 5, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64x32xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 128] : !X
  %weight_tiles = tile.partition %weight by [_, 32, 128] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 64, 128] : !Weight
  %y_tiles = tile.partition %y by [64, _, 32] : !Y
  %y_tiles_1 = tile.partition %y by [64, _, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<64x64xf32>, vector<64x32xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles
    %b = tile.load %weight_tiles_1[%b0, %c0, %k] pad(zero) : !WeightTiles
    %turned = vector.transpose %b, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    %c = tile.load %weight_tiles[%b0, %c2, %k] pad(zero) : !WeightTiles_1
    %turned_1 = vector.transpose %c, [1, 0] : vector<32x128xbf16> to vector<128x32xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    scf.yield %left_1, %right_1 : vector<64x64xf32>, vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles_1[%b1, %b0, %c0] : !YTiles
  %narrow = arith.truncf %left : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
  %y_piece_1 = tile.claim %y_tiles[%b1, %b0, %c2] : !YTiles_1
  %narrow_1 = arith.truncf %right : vector<64x32xf32> to vector<64x32xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_1
}
tile.kernel @panels_64_128_32_128_4_1_4(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 64)]
    requires [W == 160, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 4, ctas = 1, occupancy = 1, latency = 4, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64x32xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 128] : !X
  %weight_tiles = tile.partition %weight by [_, 128, 128] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 32, 128] : !Weight
  %y_tiles = tile.partition %y by [64, _, 128] : !Y
  %y_tiles_1 = tile.partition %y by [64, _, 32] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<64x128xf32>, vector<64x32xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles
    %b = tile.load %weight_tiles[%b0, %c0, %k] pad(zero) : !WeightTiles_2
    %turned = vector.transpose %b, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %c = tile.load %weight_tiles_1[%b0, %c4, %k] pad(zero) : !WeightTiles_1
    %turned_1 = vector.transpose %c, [1, 0] : vector<32x128xbf16> to vector<128x32xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    scf.yield %left_1, %right_1 : vector<64x128xf32>, vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_2
  %narrow = arith.truncf %left : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c4] : !YTiles_1
  %narrow_1 = arith.truncf %right : vector<64x32xf32> to vector<64x32xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_1
}
tile.kernel @panels_128_128_32_64_4_1_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 128)]
    requires [W == 160, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 4, ctas = 1, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x32xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [_, 128, 64] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 32, 64] : !Weight
  %y_tiles = tile.partition %y by [128, _, 128] : !Y
  %y_tiles_1 = tile.partition %y by [128, _, 32] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<128x128xf32>, vector<128x32xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles_1
    %b = tile.load %weight_tiles[%b0, %c0, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %c = tile.load %weight_tiles_1[%b0, %c4, %k] pad(zero) : !WeightTiles_4
    %turned_1 = vector.transpose %c, [1, 0] : vector<32x64xbf16> to vector<64x32xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<128x64xbf16>, vector<64x32xbf16>, vector<128x32xf32>
    scf.yield %left_1, %right_1 : vector<128x128xf32>, vector<128x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_3
  %narrow = arith.truncf %left : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c4] : !YTiles_4
  %narrow_1 = arith.truncf %right : vector<128x32xf32> to vector<128x32xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_4
}
tile.kernel @panels_64_128_64_128_4_1_4(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 64)]
    requires [W == 192, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 4, ctas = 1, occupancy = 1, latency = 4, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %zero_1 = arith.constant dense<0.0> : vector<64x64xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 128] : !X
  %weight_tiles = tile.partition %weight by [_, 128, 128] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 64, 128] : !Weight
  %y_tiles = tile.partition %y by [64, _, 128] : !Y
  %y_tiles_1 = tile.partition %y by [64, _, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<64x128xf32>, vector<64x64xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles
    %b = tile.load %weight_tiles[%b0, %c0, %k] pad(zero) : !WeightTiles_2
    %turned = vector.transpose %b, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    %c = tile.load %weight_tiles_1[%b0, %c2, %k] pad(zero) : !WeightTiles
    %turned_1 = vector.transpose %c, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %left_1, %right_1 : vector<64x128xf32>, vector<64x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_2
  %narrow = arith.truncf %left : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c2] : !YTiles
  %narrow_1 = arith.truncf %right : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece
}
tile.kernel @panels_128_128_64_64_4_1_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 128)]
    requires [W == 192, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 4, ctas = 1, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %zero_1 = arith.constant dense<0.0> : vector<128x64xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [_, 128, 64] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 64, 64] : !Weight
  %y_tiles = tile.partition %y by [128, _, 128] : !Y
  %y_tiles_1 = tile.partition %y by [128, _, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<128x128xf32>, vector<128x64xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles_1
    %b = tile.load %weight_tiles[%b0, %c0, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %c = tile.load %weight_tiles_1[%b0, %c2, %k] pad(zero) : !WeightTiles_5
    %turned_1 = vector.transpose %c, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    scf.yield %left_1, %right_1 : vector<128x128xf32>, vector<128x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_3
  %narrow = arith.truncf %left : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c2] : !YTiles_5
  %narrow_1 = arith.truncf %right : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_5
}
tile.kernel @panels_256_128_64_64_8_1_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 256)]
    requires [W == 192, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 8, ctas = 1, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant dense<0.0> : vector<256x128xf32>
  %zero_1 = arith.constant dense<0.0> : vector<256x64xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [256, 64] : !X
  %weight_tiles = tile.partition %weight by [_, 128, 64] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 64, 64] : !Weight
  %y_tiles = tile.partition %y by [256, _, 128] : !Y
  %y_tiles_1 = tile.partition %y by [256, _, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<256x128xf32>, vector<256x64xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles_2
    %b = tile.load %weight_tiles[%b0, %c0, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<256x64xbf16>, vector<64x128xbf16>, vector<256x128xf32>
    %c = tile.load %weight_tiles_1[%b0, %c2, %k] pad(zero) : !WeightTiles_5
    %turned_1 = vector.transpose %c, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<256x64xbf16>, vector<64x64xbf16>, vector<256x64xf32>
    scf.yield %left_1, %right_1 : vector<256x128xf32>, vector<256x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_6
  %narrow = arith.truncf %left : vector<256x128xf32> to vector<256x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_6
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c2] : !YTiles_7
  %narrow_1 = arith.truncf %right : vector<256x64xf32> to vector<256x64xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_7
}
tile.kernel @panels_256_256_64_64_8_2_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index] grid [B, ceildiv(M, 256)]
    requires [W == 320, M >= 1, M <= 2147483647, B >= 1, B <= 2147483647, W >= 1, W <= 2147483647, K >= 1, K <= 2147483647, ldx >= 1, ldx <= 2147483647, B * W <= 2147483647, W * K <= 2147483647, mod(W, 8) == 0, mod(K, 8) == 0, mod(ldx, 8) == 0]
    hints {sm_90 = {worker_warps = 8, ctas = 2, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant dense<0.0> : vector<256x256xf32>
  %zero_1 = arith.constant dense<0.0> : vector<256x64xf32>
  %b0 = tile.block_id 0
  %b1 = tile.block_id 1
  %x_tiles = tile.partition %x by [256, 64] : !X
  %weight_tiles = tile.partition %weight by [_, 256, 64] : !Weight
  %weight_tiles_1 = tile.partition %weight by [_, 64, 64] : !Weight
  %y_tiles = tile.partition %y by [256, _, 256] : !Y
  %y_tiles_1 = tile.partition %y by [256, _, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %left, %right = scf.for %k = %c0 to %n step %c1 iter_args(%left = %zero, %right = %zero_1) -> (vector<256x256xf32>, vector<256x64xf32>) {
    %a = tile.load %x_tiles[%b1, %k] pad(zero) : !XTiles_2
    %b = tile.load %weight_tiles[%b0, %c0, %k] pad(zero) : !WeightTiles_6
    %turned = vector.transpose %b, [1, 0] : vector<256x64xbf16> to vector<64x256xbf16>
    %left_1 = tile.mma %a, %turned, %left : vector<256x64xbf16>, vector<64x256xbf16>, vector<256x256xf32>
    %c = tile.load %weight_tiles_1[%b0, %c4, %k] pad(zero) : !WeightTiles_5
    %turned_1 = vector.transpose %c, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %right_1 = tile.mma %a, %turned_1, %right : vector<256x64xbf16>, vector<64x64xbf16>, vector<256x64xf32>
    scf.yield %left_1, %right_1 : vector<256x256xf32>, vector<256x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%b1, %b0, %c0] : !YTiles_8
  %narrow = arith.truncf %left : vector<256x256xf32> to vector<256x256xbf16>
  tile.store %narrow, %y_piece : !YPiece_8
  %y_piece_1 = tile.claim %y_tiles_1[%b1, %b0, %c4] : !YTiles_7
  %narrow_1 = arith.truncf %right : vector<256x64xf32> to vector<256x64xbf16>
  tile.store %narrow_1, %y_piece_1 : !YPiece_7
}
