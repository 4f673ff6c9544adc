// y[M, N] = x[M, K] * weight[N, K]^T in bf16, sums in f32: the layer whose
// weights stand row by row, an output a row. Tiles as those of gemm_bf16.
// any M, N and K, zero and ragged included
// generated from gemm.cpp
!X = !tile.tensor<[M, K] x bf16, shared, strides [ldx, 1]>
!Weight = !tile.tensor<[N, K] x bf16, shared, strides [ldw, 1]>
!Y = !tile.tensor<[M, N] x bf16, out, strides [ldy, 1]>
!XTiles = !tile.partition<[16, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles = !tile.partition<[64, 128], [N, K] x bf16, shared, strides [ldw, 1]>
!YTiles = !tile.partition<[16, 64], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece = !tile.piece<[16, 64] x bf16, out>
!XTiles_1 = !tile.partition<[16, 256], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles_1 = !tile.partition<[64, 256], [N, K] x bf16, shared, strides [ldw, 1]>
!XTiles_2 = !tile.partition<[32, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!YTiles_1 = !tile.partition<[32, 64], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_1 = !tile.piece<[32, 64] x bf16, out>
!XTiles_3 = !tile.partition<[32, 256], [M, K] x bf16, shared, strides [ldx, 1]>
!XTiles_4 = !tile.partition<[64, 256], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles_2 = !tile.partition<[32, 256], [N, K] x bf16, shared, strides [ldw, 1]>
!YTiles_2 = !tile.partition<[64, 32], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_2 = !tile.piece<[64, 32] x bf16, out>
!YTiles_3 = !tile.partition<[64, 64], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_3 = !tile.piece<[64, 64] x bf16, out>
!XTiles_5 = !tile.partition<[64, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles_3 = !tile.partition<[128, 64], [N, K] x bf16, shared, strides [ldw, 1]>
!YTiles_4 = !tile.partition<[64, 128], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_4 = !tile.piece<[64, 128] x bf16, out>
!XTiles_6 = !tile.partition<[64, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles_4 = !tile.partition<[128, 128], [N, K] x bf16, shared, strides [ldw, 1]>
!XTiles_7 = !tile.partition<[128, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!YTiles_5 = !tile.partition<[128, 64], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_5 = !tile.piece<[128, 64] x bf16, out>
!XTiles_8 = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!YTiles_6 = !tile.partition<[128, 128], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_6 = !tile.piece<[128, 128] x bf16, out>
!WeightTiles_5 = !tile.partition<[256, 64], [N, K] x bf16, shared, strides [ldw, 1]>
!YTiles_7 = !tile.partition<[128, 256], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_7 = !tile.piece<[128, 256] x bf16, out>
!XTiles_9 = !tile.partition<[32, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!WeightTiles_6 = !tile.partition<[64, 64], [N, K] x bf16, shared, strides [ldw, 1]>
!XTiles_10 = !tile.partition<[256, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!YTiles_8 = !tile.partition<[256, 128], [M, N] x bf16, out, strides [ldy, 1]>
!YPiece_8 = !tile.piece<[256, 128] x bf16, out>
tile.variants @linear [@linear_turned_16_64_128_3_6 when (M <= 16, N > 8448, N <= 25344, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_turned_16_64_256_1_6 when (M <= 16, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_turned_32_64_128_3_4 when (M <= 32, N > 8448, N <= 25344, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_turned_32_64_256_1_4 when (M <= 32, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_few_rows_64_32_256_1_6 when (ceildiv(M, 64) * ceildiv(N, 32) <= 132, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_few_rows_64_64_256_1_4 when (ceildiv(M, 64) * ceildiv(N, 64) <= 132, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_few_rows_64_128_64_2_6 when (M <= 64, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_few_rows_64_128_128_1_4 when (ceildiv(M, 64) * ceildiv(N, 128) <= 132, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_few_rows_128_64_128_1_6 when (ceildiv(M, 128) * ceildiv(N, 64) <= 132, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_columns_128_128_64 when (M <= 896, 10 * ceildiv(ceildiv(M, 128) * ceildiv(N, 128), 132) < 17 * ceildiv(ceildiv(M, 128) * ceildiv(N, 256), 132), mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_columns_128_256_64 when (M <= 896, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_ragged_result_64_128_64 when (max(65 - M, 25 - ceildiv(M, 128) * ceildiv(N, 256)) >= 1, M <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647), @linear_odd_factor_32_64_64 when (mod(ldx, 2) + mod(ldw, 2) >= 1, ceildiv(M, 32) * ceildiv(min(N, 4224), 64) <= 132), @linear_odd_factor_64_128_64 when (mod(ldx, 2) + mod(ldw, 2) >= 1, M * N <= 2883584), @linear_odd_factor_256_128_64 when (mod(ldx, 2) + mod(ldw, 2) >= 1), @linear_grouped_order_128_128_64 when (10 * ceildiv(ceildiv(M, 128) * ceildiv(N, 128), 132) < 17 * ceildiv(ceildiv(M, 128) * ceildiv(N, 256), 132)), @linear_grouped_order_128_256_64]
tile.kernel @linear_turned_16_64_128_3_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [16, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %y_tiles = tile.partition %y by [16, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x16xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %turned = vector.transpose %a, [1, 0] : vector<16x128xbf16> to vector<128x16xbf16>
    %acc_1 = tile.mma %b, %turned, %acc : vector<64x128xbf16>, vector<128x16xbf16>, vector<64x16xf32>
    scf.yield %acc_1 : vector<64x16xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles
  %turned = vector.transpose %acc, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
  %narrow = arith.truncf %turned : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
}
tile.kernel @linear_turned_16_64_256_1_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [16, 256] : !X
  %weight_tiles = tile.partition %weight by [64, 256] : !Weight
  %y_tiles = tile.partition %y by [16, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x16xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_1
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_1
    %turned = vector.transpose %a, [1, 0] : vector<16x256xbf16> to vector<256x16xbf16>
    %acc_1 = tile.mma %b, %turned, %acc : vector<64x256xbf16>, vector<256x16xbf16>, vector<64x16xf32>
    scf.yield %acc_1 : vector<64x16xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles
  %turned = vector.transpose %acc, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
  %narrow = arith.truncf %turned : vector<16x64xf32> to vector<16x64xbf16>
  tile.store %narrow, %y_piece : !YPiece
}
tile.kernel @linear_turned_32_64_128_3_4(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 3, latency = 4, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_2
    %turned = vector.transpose %a, [1, 0] : vector<32x128xbf16> to vector<128x32xbf16>
    %acc_1 = tile.mma %b, %turned, %acc : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %turned = vector.transpose %acc, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %narrow = arith.truncf %turned : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_1
}
tile.kernel @linear_turned_32_64_256_1_4(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 4, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 256] : !X
  %weight_tiles = tile.partition %weight by [64, 256] : !Weight
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_1
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_3
    %turned = vector.transpose %a, [1, 0] : vector<32x256xbf16> to vector<256x32xbf16>
    %acc_1 = tile.mma %b, %turned, %acc : vector<64x256xbf16>, vector<256x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %turned = vector.transpose %acc, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  %narrow = arith.truncf %turned : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_1
}
tile.kernel @linear_few_rows_64_32_256_1_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 64), ceildiv(N, 32)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 256] : !X
  %weight_tiles = tile.partition %weight by [32, 256] : !Weight
  %y_tiles = tile.partition %y by [64, 32] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_4
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_2
    %turned = vector.transpose %b, [1, 0] : vector<32x256xbf16> to vector<256x32xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x256xbf16>, vector<256x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_2
  %narrow = arith.truncf %acc : vector<64x32xf32> to vector<64x32xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
}
tile.kernel @linear_few_rows_64_64_256_1_4(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 4, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 256] : !X
  %weight_tiles = tile.partition %weight by [64, 256] : !Weight
  %y_tiles = tile.partition %y by [64, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_4
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_1
    %turned = vector.transpose %b, [1, 0] : vector<64x256xbf16> to vector<256x64xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x256xbf16>, vector<256x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_3
  %narrow = arith.truncf %acc : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
}
tile.kernel @linear_few_rows_64_128_64_2_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %y_tiles = tile.partition %y by [64, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_4
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_4
}
tile.kernel @linear_few_rows_64_128_128_1_4(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 4, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 128] : !X
  %weight_tiles = tile.partition %weight by [128, 128] : !Weight
  %y_tiles = tile.partition %y by [64, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_6
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_6
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_4
    %turned = vector.transpose %b, [1, 0] : vector<128x128xbf16> to vector<128x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x128xbf16>, vector<128x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_4
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_4
}
tile.kernel @linear_few_rows_128_64_128_1_6(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 128), ceildiv(N, 64)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 128] : !X
  %weight_tiles = tile.partition %weight by [64, 128] : !Weight
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_7
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_7
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles
    %turned = vector.transpose %b, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<128x128xbf16>, vector<128x64xbf16>, vector<128x64xf32>
    scf.yield %acc_1 : vector<128x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_5
  %narrow = arith.truncf %acc : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_5
}
tile.kernel @linear_columns_128_128_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(N, 128), ceildiv(M, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_8
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_8
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %acc_1 : vector<128x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_6
  %narrow = arith.truncf %acc : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_6
}
tile.kernel @linear_columns_128_256_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(N, 256), ceildiv(M, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0, mod(ldy, 8) == 0, mod(N, 8) == 0]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [256, 64] : !Weight
  %y_tiles = tile.partition %y by [128, 256] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_8
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_8
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_5
    %turned = vector.transpose %b, [1, 0] : vector<256x64xbf16> to vector<64x256xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_7
  %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
  tile.store %narrow, %y_piece : !YPiece_7
}
tile.kernel @linear_ragged_result_64_128_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    requires [M <= 2147483647, M >= 1, N >= 1, N <= 2147483647, K >= 1, ldx >= 1, ldw >= 1, K <= 2147483647, ldx <= 2147483647, ldy >= 1, ldw <= 2147483647, ldy <= 2147483647, mod(ldx, 8) == 0, mod(ldw, 8) == 0]
    hints {sm_90 = {worker_warps = 4, occupancy = 2, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %y_tiles = tile.partition %y by [64, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_4
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_4
}
tile.kernel @linear_odd_factor_32_64_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    repack [%x when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(ldx, 2)) >= 1), %weight when (M >= 33, K >= 128, N * K >= 262144)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, grain = 16, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<32x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 64] : !X
  %weight_tiles = tile.partition %weight by [64, 64] : !Weight
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_9
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<32x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_9
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_6
    %turned = vector.transpose %b, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<32x64xbf16>, vector<64x64xbf16>, vector<32x64xf32>
    scf.yield %acc_1 : vector<32x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %narrow = arith.truncf %acc : vector<32x64xf32> to vector<32x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_1
}
tile.kernel @linear_odd_factor_64_128_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 64), ceildiv(N, 128)]
    repack [%x when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(ldx, 2)) >= 1), %weight when (M >= 33, K >= 128, N * K >= 262144)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, grain = 16, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %y_tiles = tile.partition %y by [64, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<64x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x64xbf16>, vector<64x128xbf16>, vector<64x128xf32>
    scf.yield %acc_1 : vector<64x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_4
  %narrow = arith.truncf %acc : vector<64x128xf32> to vector<64x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_4
}
tile.kernel @linear_odd_factor_256_128_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 256), ceildiv(N, 128)]
    repack [%x when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(ldx, 2)) >= 1), %weight when (M >= 33, K >= 128, N * K >= 262144)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, grain = 16, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<256x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [256, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %y_tiles = tile.partition %y by [256, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_10
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<256x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_10
    %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<256x64xbf16>, vector<64x128xbf16>, vector<256x128xf32>
    scf.yield %acc_1 : vector<256x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_8
  %narrow = arith.truncf %acc : vector<256x128xf32> to vector<256x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_8
}
tile.kernel @linear_grouped_order_128_128_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 128))]
    repack [%x when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(ldx, 2)) >= 1), %weight when (M >= 33, K >= 128, N * K >= 262144)]
    hints {sm_90 = {worker_warps = 4, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %t = tile.block_id 0
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [128, 64] : !Weight
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_8
  %gm = tile.num_tiles %y_tiles, 0 : !YTiles_6
  %gn = tile.num_tiles %y_tiles, 1 : !YTiles_6
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_6
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
      %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_8
      %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_3
      %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      scf.yield %acc_1 : vector<128x128xf32>
    }
    %narrow = arith.truncf %acc : vector<128x128xf32> to vector<128x128xbf16>
    tile.store %narrow, %out : !YPiece_6
  }
}
tile.kernel @linear_grouped_order_128_256_64(%x: !X, %weight: !Weight, %y: !Y)
    symbols [ldx : index, ldw : index, ldy : index]
    grid [ceildiv(M, 1024) * (8 * ceildiv(N, 256))]
    repack [%x when (N >= 512, K >= 128, M * K >= 32768, max(513 - M, mod(ldx, 2)) >= 1), %weight when (M >= 33, K >= 128, N * K >= 262144)]
    hints {sm_90 = {worker_warps = 8, occupancy = 1, latency = 6, early = 1}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %t = tile.block_id 0
  %x_tiles = tile.partition %x by [128, 64] : !X
  %weight_tiles = tile.partition %weight by [256, 64] : !Weight
  %y_tiles = tile.partition %y by [128, 256] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_8
  %gm = tile.num_tiles %y_tiles, 0 : !YTiles_7
  %gn = tile.num_tiles %y_tiles, 1 : !YTiles_7
  %bandTiles = arith.muli %c8, %gn : index
  %band = arith.divsi %t, %bandTiles : index
  %product = arith.muli %band, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %gm : index
  %j = arith.divsi %rest, %c8 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_7
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
      %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_8
      %b = tile.load %weight_tiles[%j, %k] pad(zero) : !WeightTiles_5
      %turned = vector.transpose %b, [1, 0] : vector<256x64xbf16> to vector<64x256xbf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
      scf.yield %acc_1 : vector<128x256xf32>
    }
    %narrow = arith.truncf %acc : vector<128x256xf32> to vector<128x256xbf16>
    tile.store %narrow, %out : !YPiece_7
  }
}
