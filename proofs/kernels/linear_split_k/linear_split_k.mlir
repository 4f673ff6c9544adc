// partial[s, M, N] = x[M, K] w[N, K]^T in bf16, sums in f32, over split s of S
// of the tiles of K (split-K): for products with too few tiles to keep all
// multiprocessors busy. add_rms_norm_split_k adds them up. 3 splits are best
// for most.
// any M, N and K, multiples of 8 but for M, zero and ragged included, rows of x
// at multiples of 16 bytes; S at least 1
// generated from fused.cpp
!X = !tile.tensor<[M, K] x bf16, shared, strides [ldx, 1]>
!W = !tile.tensor<[N, K] x bf16, shared>
!Partial = !tile.tensor<[S, M, N] x f32, out>
!XTiles = !tile.partition<[16, 256], [M, K] x bf16, shared, strides [ldx, 1]>
!PartialTiles = !tile.partition<[_, 16, 64], [S, M, N] x f32, out>
!WTiles = !tile.partition<[64, 256], [N, K] x bf16, shared>
!PartialPiece = !tile.piece<[_, 16, 64] x f32, out>
!XTiles_1 = !tile.partition<[32, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!PartialTiles_1 = !tile.partition<[_, 32, 64], [S, M, N] x f32, out>
!WTiles_1 = !tile.partition<[64, 128], [N, K] x bf16, shared>
!PartialPiece_1 = !tile.piece<[_, 32, 64] x f32, out>
!XTiles_2 = !tile.partition<[64, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!PartialTiles_2 = !tile.partition<[_, 64, 64], [S, M, N] x f32, out>
!PartialPiece_2 = !tile.piece<[_, 64, 64] x f32, out>
!XTiles_3 = !tile.partition<[128, 128], [M, K] x bf16, shared, strides [ldx, 1]>
!PartialTiles_3 = !tile.partition<[_, 128, 64], [S, M, N] x f32, out>
!PartialPiece_3 = !tile.piece<[_, 128, 64] x f32, out>
!XTiles_4 = !tile.partition<[128, 64], [M, K] x bf16, shared, strides [ldx, 1]>
!PartialTiles_4 = !tile.partition<[_, 128, 128], [S, M, N] x f32, out>
!WTiles_2 = !tile.partition<[128, 64], [N, K] x bf16, shared>
!PartialPiece_4 = !tile.piece<[_, 128, 128] x f32, out>
!PartialTiles_5 = !tile.partition<[_, 128, 256], [S, M, N] x f32, out>
!WTiles_3 = !tile.partition<[256, 64], [N, K] x bf16, shared>
!PartialPiece_5 = !tile.piece<[_, 128, 256] x f32, out>
tile.variants @linear_split_k [@split_turned_16_64_256_1_4 when (M <= 16), @split_turned_32_64_128_2_4 when (M <= 32), @split_rows_64_64_128_4_2_4 when (M <= 64), @split_rows_128_64_128_4_1_4 when (M <= 128, N <= 2560), @split_rows_128_128_64_4_1_6 when (M <= 256), @split_rows_128_256_64_8_1_6]
tile.kernel @split_turned_16_64_256_1_4(%x: !X, %w: !W, %partial: !Partial)
    symbols [ldx : index] grid [ceildiv(N, 64), S, ceildiv(M, 16)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(ldx, 8) == 0, ldx <= 2147483647, S >= 1]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 4}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x16xf32>
  %j = tile.block_id 0
  %s = tile.block_id 1
  %i = tile.block_id 2
  %S = tile.symbol "S" : index
  %x_tiles = tile.partition %x by [16, 256] : !X
  %w_tiles = tile.partition %w by [64, 256] : !W
  %partial_tiles = tile.partition %partial by [_, 16, 64] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %out = tile.claim %partial_tiles[%s, %i, %j] : !PartialTiles
  %quotient = arith.ceildivsi %n, %S : index
  %from = arith.muli %s, %quotient : index
  %sum = arith.addi %from, %quotient : index
  %least = arith.minsi %sum, %n : index
  %acc = scf.for %k = %from to %least step %c1 iter_args(%acc = %zero) -> (vector<64x16xf32>) {
    %b = tile.load %w_tiles[%j, %k] pad(zero) : !WTiles
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %turned = vector.transpose %a, [1, 0] : vector<16x256xbf16> to vector<256x16xbf16>
    %acc_1 = tile.mma %b, %turned, %acc : vector<64x256xbf16>, vector<256x16xbf16>, vector<64x16xf32>
    scf.yield %acc_1 : vector<64x16xf32>
  }
  %turned = vector.transpose %acc, [1, 0] : vector<64x16xf32> to vector<16x64xf32>
  tile.store %turned, %out : !PartialPiece
}
tile.kernel @split_turned_32_64_128_2_4(%x: !X, %w: !W, %partial: !Partial)
    symbols [ldx : index] grid [ceildiv(N, 64), S, ceildiv(M, 32)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(ldx, 8) == 0, ldx <= 2147483647, S >= 1]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 2, latency = 4}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x32xf32>
  %j = tile.block_id 0
  %s = tile.block_id 1
  %i = tile.block_id 2
  %S = tile.symbol "S" : index
  %x_tiles = tile.partition %x by [32, 128] : !X
  %w_tiles = tile.partition %w by [64, 128] : !W
  %partial_tiles = tile.partition %partial by [_, 32, 64] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %out = tile.claim %partial_tiles[%s, %i, %j] : !PartialTiles_1
  %quotient = arith.ceildivsi %n, %S : index
  %from = arith.muli %s, %quotient : index
  %sum = arith.addi %from, %quotient : index
  %least = arith.minsi %sum, %n : index
  %acc = scf.for %k = %from to %least step %c1 iter_args(%acc = %zero) -> (vector<64x32xf32>) {
    %b = tile.load %w_tiles[%j, %k] pad(zero) : !WTiles_1
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_1
    %turned = vector.transpose %a, [1, 0] : vector<32x128xbf16> to vector<128x32xbf16>
    %acc_1 = tile.mma %b, %turned, %acc : vector<64x128xbf16>, vector<128x32xbf16>, vector<64x32xf32>
    scf.yield %acc_1 : vector<64x32xf32>
  }
  %turned = vector.transpose %acc, [1, 0] : vector<64x32xf32> to vector<32x64xf32>
  tile.store %turned, %out : !PartialPiece_1
}
tile.kernel @split_rows_64_64_128_4_2_4(%x: !X, %w: !W, %partial: !Partial)
    symbols [ldx : index] grid [ceildiv(N, 64), S, ceildiv(M, 64)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(ldx, 8) == 0, ldx <= 2147483647, S >= 1]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 2, latency = 4}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %j = tile.block_id 0
  %s = tile.block_id 1
  %i = tile.block_id 2
  %S = tile.symbol "S" : index
  %x_tiles = tile.partition %x by [64, 128] : !X
  %w_tiles = tile.partition %w by [64, 128] : !W
  %partial_tiles = tile.partition %partial by [_, 64, 64] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_2
  %out = tile.claim %partial_tiles[%s, %i, %j] : !PartialTiles_2
  %quotient = arith.ceildivsi %n, %S : index
  %from = arith.muli %s, %quotient : index
  %sum = arith.addi %from, %quotient : index
  %least = arith.minsi %sum, %n : index
  %acc = scf.for %k = %from to %least step %c1 iter_args(%acc = %zero) -> (vector<64x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_2
    %b = tile.load %w_tiles[%j, %k] pad(zero) : !WTiles_1
    %turned = vector.transpose %b, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<64x128xbf16>, vector<128x64xbf16>, vector<64x64xf32>
    scf.yield %acc_1 : vector<64x64xf32>
  }
  tile.store %acc, %out : !PartialPiece_2
}
tile.kernel @split_rows_128_64_128_4_1_4(%x: !X, %w: !W, %partial: !Partial)
    symbols [ldx : index] grid [ceildiv(N, 64), S, ceildiv(M, 128)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(ldx, 8) == 0, ldx <= 2147483647, S >= 1]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 4}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x64xf32>
  %j = tile.block_id 0
  %s = tile.block_id 1
  %i = tile.block_id 2
  %S = tile.symbol "S" : index
  %x_tiles = tile.partition %x by [128, 128] : !X
  %w_tiles = tile.partition %w by [64, 128] : !W
  %partial_tiles = tile.partition %partial by [_, 128, 64] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_3
  %out = tile.claim %partial_tiles[%s, %i, %j] : !PartialTiles_3
  %quotient = arith.ceildivsi %n, %S : index
  %from = arith.muli %s, %quotient : index
  %sum = arith.addi %from, %quotient : index
  %least = arith.minsi %sum, %n : index
  %acc = scf.for %k = %from to %least step %c1 iter_args(%acc = %zero) -> (vector<128x64xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_3
    %b = tile.load %w_tiles[%j, %k] pad(zero) : !WTiles_1
    %turned = vector.transpose %b, [1, 0] : vector<64x128xbf16> to vector<128x64xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<128x128xbf16>, vector<128x64xbf16>, vector<128x64xf32>
    scf.yield %acc_1 : vector<128x64xf32>
  }
  tile.store %acc, %out : !PartialPiece_3
}
tile.kernel @split_rows_128_128_64_4_1_6(%x: !X, %w: !W, %partial: !Partial)
    symbols [ldx : index] grid [ceildiv(N, 128), S, ceildiv(M, 128)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(ldx, 8) == 0, ldx <= 2147483647, S >= 1]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 1, latency = 6}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %j = tile.block_id 0
  %s = tile.block_id 1
  %i = tile.block_id 2
  %S = tile.symbol "S" : index
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [128, 64] : !W
  %partial_tiles = tile.partition %partial by [_, 128, 128] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %out = tile.claim %partial_tiles[%s, %i, %j] : !PartialTiles_4
  %quotient = arith.ceildivsi %n, %S : index
  %from = arith.muli %s, %quotient : index
  %sum = arith.addi %from, %quotient : index
  %least = arith.minsi %sum, %n : index
  %acc = scf.for %k = %from to %least step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_4
    %b = tile.load %w_tiles[%j, %k] pad(zero) : !WTiles_2
    %turned = vector.transpose %b, [1, 0] : vector<128x64xbf16> to vector<64x128xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<128x64xbf16>, vector<64x128xbf16>, vector<128x128xf32>
    scf.yield %acc_1 : vector<128x128xf32>
  }
  tile.store %acc, %out : !PartialPiece_4
}
tile.kernel @split_rows_128_256_64_8_1_6(%x: !X, %w: !W, %partial: !Partial)
    symbols [ldx : index] grid [ceildiv(N, 256), S, ceildiv(M, 128)]
    requires [mod(N, 8) == 0, mod(K, 8) == 0, M <= 2147483647, N <= 2147483647, K <= 2147483647, mod(ldx, 8) == 0, ldx <= 2147483647, S >= 1]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 1, latency = 6}} {
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x256xf32>
  %j = tile.block_id 0
  %s = tile.block_id 1
  %i = tile.block_id 2
  %S = tile.symbol "S" : index
  %x_tiles = tile.partition %x by [128, 64] : !X
  %w_tiles = tile.partition %w by [256, 64] : !W
  %partial_tiles = tile.partition %partial by [_, 128, 256] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_4
  %out = tile.claim %partial_tiles[%s, %i, %j] : !PartialTiles_5
  %quotient = arith.ceildivsi %n, %S : index
  %from = arith.muli %s, %quotient : index
  %sum = arith.addi %from, %quotient : index
  %least = arith.minsi %sum, %n : index
  %acc = scf.for %k = %from to %least step %c1 iter_args(%acc = %zero) -> (vector<128x256xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles_4
    %b = tile.load %w_tiles[%j, %k] pad(zero) : !WTiles_3
    %turned = vector.transpose %b, [1, 0] : vector<256x64xbf16> to vector<64x256xbf16>
    %acc_1 = tile.mma %a, %turned, %acc : vector<128x64xbf16>, vector<64x256xbf16>, vector<128x256xf32>
    scf.yield %acc_1 : vector<128x256xf32>
  }
  tile.store %acc, %out : !PartialPiece_5
}
