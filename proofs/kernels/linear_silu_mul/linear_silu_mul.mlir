// y[M, N] = silu(x w[0]^T) (x w[1]^T) of x[M, K] and w[2, N, K] in bf16, sums
// and silu in f32: two layers and the gate between them, as in models like
// Llama and Qwen; silu(z) is z / (1 + exp(-z)).
// any M, N and K, multiples of 8 but for M, zero and ragged included
// generated from fused.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!W = !tile.tensor<[2, N, K] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!XTiles = !tile.partition<[16, 256], [M, K] x bf16, shared>
!WTiles = !tile.partition<[_, 64, 256], [2, N, K] x bf16, shared>
!YTiles = !tile.partition<[16, 64], [M, N] x bf16, out>
!YPiece = !tile.piece<[16, 64] x bf16, out>
!XTiles_1 = !tile.partition<[32, 256], [M, K] x bf16, shared>
!YTiles_1 = !tile.partition<[32, 64], [M, N] x bf16, out>
!YPiece_1 = !tile.piece<[32, 64] x bf16, out>
!XTiles_2 = !tile.partition<[32, 128], [M, K] x bf16, shared>
!WTiles_1 = !tile.partition<[_, 64, 128], [2, N, K] x bf16, shared>
!XTiles_3 = !tile.partition<[64, 128], [M, K] x bf16, shared>
!YTiles_2 = !tile.partition<[64, 64], [M, N] x bf16, out>
!YPiece_2 = !tile.piece<[64, 64] x bf16, out>
!XTiles_4 = !tile.partition<[64, 64], [M, K] x bf16, shared>
!WTiles_2 = !tile.partition<[_, 64, 64], [2, N, K] x bf16, shared>
!XTiles_5 = !tile.partition<[128, 64], [M, K] x bf16, shared>
!YTiles_3 = !tile.partition<[128, 64], [M, N] x bf16, out>
!YPiece_3 = !tile.piece<[128, 64] x bf16, out>
!XTiles_6 = !tile.partition<[256, 64], [M, K] x bf16, shared>
!YTiles_4 = !tile.partition<[256, 128], [M, N] x bf16, out>
!WTiles_3 = !tile.partition<[_, 128, 64], [2, N, K] x bf16, shared>
!YPiece_4 = !tile.piece<[256, 128] x bf16, out>
!YTiles_5 = !tile.partition<[128, 128], [M, N] x bf16, out>
!YPiece_5 = !tile.piece<[128, 128] x bf16, out>
tile.variants @linear_silu_mul [@gated_turned_16_64_256_1_3 when (M <= 16), @gated_turned_32_64_256_1_3 when (M <= 32, N <= 8448), @gated_turned_32_64_128_2_4 when (M <= 32), @gated_rows_64_64_128_1_6 when (min(ceildiv(M, 64) * ceildiv(N, 64) - 132, max(M - 64, 16897 - N)) <= 0), @gated_rows_64_64_64_2_6 when (M <= 64), @gated_rows_128_64_64_1_6 when (ceildiv(M, 128) * ceildiv(N, 64) <= 132), @gated_rows_128_64_64_2_4 when (M <= 128), @gated_bands_256_128_64_8 when (M > 256, N >= 16000), @gated_columns_128_64_64_4 when (M <= 896, 23 * ceildiv(ceildiv(M, 128) * ceildiv(N, 64), 132) < 40 * ceildiv(ceildiv(M, 128) * ceildiv(N, 128), 132)), @gated_columns_128_128_64_8 when (M <= 896), @gated_bands_128_128_64_8]
tile.kernel @gated_turned_16_64_256_1_3(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 16), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 3}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %one = arith.constant dense<1.0> : vector<64x16xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [16, 256] : !X
  %w_tiles = tile.partition %w by [_, 64, 256] : !W
  %y_tiles = tile.partition %y by [16, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<64x16xf32>, vector<64x16xf32>) {
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles
    %tile = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %columns = vector.transpose %tile, [1, 0] : vector<16x256xbf16> to vector<256x16xbf16>
    %gate_1 = tile.mma %ofGate, %columns, %gate : vector<64x256xbf16>, vector<256x16xbf16>, vector<64x16xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles
    %up_1 = tile.mma %ofUp, %columns, %up : vector<64x256xbf16>, vector<256x16xbf16>, vector<64x16xf32>
    scf.yield %gate_1, %up_1 : vector<64x16xf32>, vector<64x16xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles
  %minus = arith.negf %gate : vector<64x16xf32>
  %exp = math.exp %minus : vector<64x16xf32>
  %sum = arith.addf %one, %exp : vector<64x16xf32>
  %quotient = arith.divf %gate, %sum : vector<64x16xf32>
  %product = arith.mulf %quotient, %up : vector<64x16xf32>
  %narrow = arith.truncf %product : vector<64x16xf32> to vector<64x16xbf16>
  %turned = vector.transpose %narrow, [1, 0] : vector<64x16xbf16> to vector<16x64xbf16>
  tile.store %turned, %y_piece : !YPiece
}
tile.kernel @gated_turned_32_64_256_1_3(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 3}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %one = arith.constant dense<1.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 256] : !X
  %w_tiles = tile.partition %w by [_, 64, 256] : !W
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<64x32xf32>, vector<64x32xf32>) {
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles
    %tile = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_1
    %columns = vector.transpose %tile, [1, 0] : vector<32x256xbf16> to vector<256x32xbf16>
    %gate_1 = tile.mma %ofGate, %columns, %gate : vector<64x256xbf16>, vector<256x32xbf16>, vector<64x32xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles
    %up_1 = tile.mma %ofUp, %columns, %up : vector<64x256xbf16>, vector<256x32xbf16>, vector<64x32xf32>
    scf.yield %gate_1, %up_1 : vector<64x32xf32>, vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %minus = arith.negf %gate : vector<64x32xf32>
  %exp = math.exp %minus : vector<64x32xf32>
  %sum = arith.addf %one, %exp : vector<64x32xf32>
  %quotient = arith.divf %gate, %sum : vector<64x32xf32>
  %product = arith.mulf %quotient, %up : vector<64x32xf32>
  %narrow = arith.truncf %product : vector<64x32xf32> to vector<64x32xbf16>
  %turned = vector.transpose %narrow, [1, 0] : vector<64x32xbf16> to vector<32x64xbf16>
  tile.store %turned, %y_piece : !YPiece_1
}
tile.kernel @gated_turned_32_64_128_2_4(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 32), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 2, latency = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %one = arith.constant dense<1.0> : vector<64x32xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [32, 128] : !X
  %w_tiles = tile.partition %w by [_, 64, 128] : !W
  %y_tiles = tile.partition %y by [32, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<64x32xf32>, vector<64x32xf32>) {
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_1
    %tile = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_2
    %columns = vector.transpose %tile, [1, 0] : vector<32x128xbf16> to vector<128x32xbf16>
    %gate_1 = tile.mma %ofGate, %columns, %gate : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_1
    %up_1 = tile.mma %ofUp, %columns, %up : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    scf.yield %gate_1, %up_1 : vector<64x32xf32>, vector<64x32xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_1
  %minus = arith.negf %gate : vector<64x32xf32>
  %exp = math.exp %minus : vector<64x32xf32>
  %sum = arith.addf %one, %exp : vector<64x32xf32>
  %quotient = arith.divf %gate, %sum : vector<64x32xf32>
  %product = arith.mulf %quotient, %up : vector<64x32xf32>
  %narrow = arith.truncf %product : vector<64x32xf32> to vector<64x32xbf16>
  %turned = vector.transpose %narrow, [1, 0] : vector<64x32xbf16> to vector<32x64xbf16>
  tile.store %turned, %y_piece : !YPiece_1
}
tile.kernel @gated_rows_64_64_128_1_6(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %one = arith.constant dense<1.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 128] : !X
  %w_tiles = tile.partition %w by [_, 64, 128] : !W
  %y_tiles = tile.partition %y by [64, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_3
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_1
    %turned = vector.transpose %ofGate, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %gate_1 = tile.mma %a, %turned, %gate : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_1
    %turned_1 = vector.transpose %ofUp, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %up_1 = tile.mma %a, %turned_1, %up : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %gate_1, %up_1 : vector<64x64xf32>, vector<64x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_2
  %minus = arith.negf %gate : vector<64x64xf32>
  %exp = math.exp %minus : vector<64x64xf32>
  %sum = arith.addf %one, %exp : vector<64x64xf32>
  %quotient = arith.divf %gate, %sum : vector<64x64xf32>
  %product = arith.mulf %quotient, %up : vector<64x64xf32>
  %narrow = arith.truncf %product : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
}
tile.kernel @gated_rows_64_64_64_2_6(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 64), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 2, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %one = arith.constant dense<1.0> : vector<64x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 64] : !X
  %w_tiles = tile.partition %w by [_, 64, 64] : !W
  %y_tiles = tile.partition %y by [64, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<64x64xf32>, vector<64x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_4
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_2
    %turned = vector.transpose %ofGate, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %gate_1 = tile.mma %a, %turned, %gate : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_2
    %turned_1 = vector.transpose %ofUp, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %up_1 = tile.mma %a, %turned_1, %up : vector<64x64xbf16>, vector<64x64xbf16>, vector<64x64xf32>
    scf.yield %gate_1, %up_1 : vector<64x64xf32>, vector<64x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_2
  %minus = arith.negf %gate : vector<64x64xf32>
  %exp = math.exp %minus : vector<64x64xf32>
  %sum = arith.addf %one, %exp : vector<64x64xf32>
  %quotient = arith.divf %gate, %sum : vector<64x64xf32>
  %product = arith.mulf %quotient, %up : vector<64x64xf32>
  %narrow = arith.truncf %product : vector<64x64xf32> to vector<64x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_2
}
tile.kernel @gated_rows_128_64_64_1_6(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 128), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %one = arith.constant dense<1.0> : vector<128x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [_, 64, 64] : !W
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<128x64xf32>, vector<128x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_2
    %turned = vector.transpose %ofGate, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %gate_1 = tile.mma %a, %turned, %gate : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_2
    %turned_1 = vector.transpose %ofUp, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %up_1 = tile.mma %a, %turned_1, %up : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    scf.yield %gate_1, %up_1 : vector<128x64xf32>, vector<128x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_3
  %minus = arith.negf %gate : vector<128x64xf32>
  %exp = math.exp %minus : vector<128x64xf32>
  %sum = arith.addf %one, %exp : vector<128x64xf32>
  %quotient = arith.divf %gate, %sum : vector<128x64xf32>
  %product = arith.mulf %quotient, %up : vector<128x64xf32>
  %narrow = arith.truncf %product : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
}
tile.kernel @gated_rows_128_64_64_2_4(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 128), ceildiv(N, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 2, latency = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %one = arith.constant dense<1.0> : vector<128x64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [_, 64, 64] : !W
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<128x64xf32>, vector<128x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_2
    %turned = vector.transpose %ofGate, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %gate_1 = tile.mma %a, %turned, %gate : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_2
    %turned_1 = vector.transpose %ofUp, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %up_1 = tile.mma %a, %turned_1, %up : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    scf.yield %gate_1, %up_1 : vector<128x64xf32>, vector<128x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_3
  %minus = arith.negf %gate : vector<128x64xf32>
  %exp = math.exp %minus : vector<128x64xf32>
  %sum = arith.addf %one, %exp : vector<128x64xf32>
  %quotient = arith.divf %gate, %sum : vector<128x64xf32>
  %product = arith.mulf %quotient, %up : vector<128x64xf32>
  %narrow = arith.truncf %product : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
}
tile.kernel @gated_bands_256_128_64_8(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 2048) * (8 * ceildiv(N, 128))]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1, latency = 6, ctas = 2}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<256x128xf32>
  %one = arith.constant dense<1.0> : vector<256x128xf32>
  %t = tile.block_id 0
  %x_tiles = tile.partition %x by [256, 64] : !X
  %w_tiles = tile.partition %w by [_, 128, 64] : !W
  %y_tiles = tile.partition %y by [256, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_6
  %n_1 = tile.num_tiles %y_tiles, 0 : !YTiles_4
  %n_2 = tile.num_tiles %y_tiles, 1 : !YTiles_4
  %bandTiles = arith.muli %c8, %n_2 : index
  %quotient = arith.divsi %t, %bandTiles : index
  %product = arith.muli %quotient, %c8 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c8 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %n_1 : index
  %rest_2 = arith.remsi %t, %bandTiles : index
  %j = arith.divsi %rest_2, %c8 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_4
    %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<256x128xf32>, vector<256x128xf32>) {
      %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_6
      %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_3
      %turned = vector.transpose %ofGate, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %gate_1 = tile.mma %a, %turned, %gate : vector<256x64xbf16>, vector<64x128xbf16>, vector<256x128xf32>
      %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_3
      %turned_1 = vector.transpose %ofUp, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %up_1 = tile.mma %a, %turned_1, %up : vector<256x64xbf16>, vector<64x128xbf16>, vector<256x128xf32>
      scf.yield %gate_1, %up_1 : vector<256x128xf32>, vector<256x128xf32>
    }
    %minus = arith.negf %gate : vector<256x128xf32>
    %exp = math.exp %minus : vector<256x128xf32>
    %sum = arith.addf %one, %exp : vector<256x128xf32>
    %quotient_1 = arith.divf %gate, %sum : vector<256x128xf32>
    %product_1 = arith.mulf %quotient_1, %up : vector<256x128xf32>
    %narrow = arith.truncf %product_1 : vector<256x128xf32> to vector<256x128xbf16>
    tile.store %narrow, %out : !YPiece_4
  }
}
tile.kernel @gated_columns_128_64_64_4(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(N, 64), ceildiv(M, 128)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %one = arith.constant dense<1.0> : vector<128x64xf32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [_, 64, 64] : !W
  %y_tiles = tile.partition %y by [128, 64] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<128x64xf32>, vector<128x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_2
    %turned = vector.transpose %ofGate, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %gate_1 = tile.mma %a, %turned, %gate : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_2
    %turned_1 = vector.transpose %ofUp, [1, 0] : vector<64x64xbf16> to vector<64x64xbf16>
    %up_1 = tile.mma %a, %turned_1, %up : vector<128x64xbf16>, vector<64x64xbf16>, vector<128x64xf32>
    scf.yield %gate_1, %up_1 : vector<128x64xf32>, vector<128x64xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_3
  %minus = arith.negf %gate : vector<128x64xf32>
  %exp = math.exp %minus : vector<128x64xf32>
  %sum = arith.addf %one, %exp : vector<128x64xf32>
  %quotient = arith.divf %gate, %sum : vector<128x64xf32>
  %product = arith.mulf %quotient, %up : vector<128x64xf32>
  %narrow = arith.truncf %product : vector<128x64xf32> to vector<128x64xbf16>
  tile.store %narrow, %y_piece : !YPiece_3
}
tile.kernel @gated_columns_128_128_64_8(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(N, 128), ceildiv(M, 128)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %one = arith.constant dense<1.0> : vector<128x128xf32>
  %j = tile.block_id 0
  %i = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [_, 128, 64] : !W
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<128x128xf32>, vector<128x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
    %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_3
    %turned = vector.transpose %ofGate, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %gate_1 = tile.mma %a, %turned, %gate : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_3
    %turned_1 = vector.transpose %ofUp, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %up_1 = tile.mma %a, %turned_1, %up : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %gate_1, %up_1 : vector<128x128xf32>, vector<128x128xf32>
  }
  %y_piece = tile.claim %y_tiles[%i, %j] : !YTiles_5
  %minus = arith.negf %gate : vector<128x128xf32>
  %exp = math.exp %minus : vector<128x128xf32>
  %sum = arith.addf %one, %exp : vector<128x128xf32>
  %quotient = arith.divf %gate, %sum : vector<128x128xf32>
  %product = arith.mulf %quotient, %up : vector<128x128xf32>
  %narrow = arith.truncf %product : vector<128x128xf32> to vector<128x128xbf16>
  tile.store %narrow, %y_piece : !YPiece_5
}
tile.kernel @gated_bands_128_128_64_8(%x: !X, %w: !W, %y: !Y)
    grid [ceildiv(M, 2048) * (16 * ceildiv(N, 128))]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1, latency = 6}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %one = arith.constant dense<1.0> : vector<128x128xf32>
  %t = tile.block_id 0
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [_, 128, 64] : !W
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_5
  %n_1 = tile.num_tiles %y_tiles, 0 : !YTiles_5
  %n_2 = tile.num_tiles %y_tiles, 1 : !YTiles_5
  %bandTiles = arith.muli %c16, %n_2 : index
  %quotient = arith.divsi %t, %bandTiles : index
  %product = arith.muli %quotient, %c16 : index
  %rest = arith.remsi %t, %bandTiles : index
  %rest_1 = arith.remsi %rest, %c16 : index
  %i = arith.addi %product, %rest_1 : index
  %is = arith.cmpi slt, %i, %n_1 : index
  %rest_2 = arith.remsi %t, %bandTiles : index
  %j = arith.divsi %rest_2, %c16 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%i, %j] : !YTiles_5
    %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<128x128xf32>, vector<128x128xf32>) {
      %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_5
      %ofGate = tile.load %w_tiles[%c0, %j, %k] pad(zero) : !WTiles_3
      %turned = vector.transpose %ofGate, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %gate_1 = tile.mma %a, %turned, %gate : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      %ofUp = tile.load %w_tiles[%c1, %j, %k] pad(zero) : !WTiles_3
      %turned_1 = vector.transpose %ofUp, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
      %up_1 = tile.mma %a, %turned_1, %up : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
      scf.yield %gate_1, %up_1 : vector<128x128xf32>, vector<128x128xf32>
    }
    %minus = arith.negf %gate : vector<128x128xf32>
    %exp = math.exp %minus : vector<128x128xf32>
    %sum = arith.addf %one, %exp : vector<128x128xf32>
    %quotient_1 = arith.divf %gate, %sum : vector<128x128xf32>
    %product_1 = arith.mulf %quotient_1, %up : vector<128x128xf32>
    %narrow = arith.truncf %product_1 : vector<128x128xf32> to vector<128x128xbf16>
    tile.store %narrow, %out : !YPiece_5
  }
}
