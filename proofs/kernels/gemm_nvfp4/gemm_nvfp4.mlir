// z[M, N] = alpha * x[M, K] y[N, K]^T by block-scaled products: every 32
// elements of a row share a scale that is a power of two (MXFP8), or every 16
// one in e4m3 (NVFP4).
// any M, N and K, a multiple of those that share, zero and ragged included
// generated from scaled.cpp
!X = !tile.tensor<[M, K] x f4E2M1FN, shared>
!X_scales = !tile.tensor<[M, KS] x f8E4M3FN, shared>
!Y = !tile.tensor<[N, K] x f4E2M1FN, shared>
!Y_scales = !tile.tensor<[N, KS] x f8E4M3FN, shared>
!Z = !tile.tensor<[M, N] x f32, out>
!XTiles = !tile.partition<[128, 128], [M, K] x f4E2M1FN, shared>
!ZTiles = !tile.partition<[128, 128], [M, N] x f32, out>
!YTiles = !tile.partition<[128, 128], [N, K] x f4E2M1FN, shared>
!X_scalesTiles = !tile.partition<[128, 8], [M, KS] x f8E4M3FN, shared>
!Y_scalesTiles = !tile.partition<[128, 8], [N, KS] x f8E4M3FN, shared>
!ZPiece = !tile.piece<[128, 128] x f32, out>
tile.kernel @gemm_nvfp4(%x: !X, %x_scales: !X_scales, %y: !Y, %y_scales: !Y_scales, %z: !Z, %alpha: f32)
    grid [ceildiv(M, 128), ceildiv(N, 128)] requires [K == 16 * KS] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [128, 128] : !X
  %x_scales_tiles = tile.partition %x_scales by [128, 8] : !X_scales
  %y_tiles = tile.partition %y by [128, 128] : !Y
  %y_scales_tiles = tile.partition %y_scales by [128, 8] : !Y_scales
  %z_tiles = tile.partition %z by [128, 128] : !Z
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %out = tile.claim %z_tiles[%i, %j] : !ZTiles
  %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<128x128xf32>) {
    %a = tile.load %x_tiles[%i, %k] pad(zero) : !XTiles
    %b = tile.load %y_tiles[%j, %k] pad(zero) : !YTiles
    %turned = vector.transpose %b, [1, 0] : vector<128x128xf4E2M1FN> to vector<128x128xf4E2M1FN>
    %as = tile.load %x_scales_tiles[%i, %k] pad(zero) : !X_scalesTiles
    %bs = tile.load %y_scales_tiles[%j, %k] pad(zero) : !Y_scalesTiles
    %turned_1 = vector.transpose %bs, [1, 0] : vector<128x8xf8E4M3FN> to vector<8x128xf8E4M3FN>
    %acc_1 = tile.mma_scaled %a, %turned, %acc, %as, %turned_1 : vector<128x128xf4E2M1FN>, vector<128x128xf4E2M1FN>, vector<128x128xf32>, vector<128x8xf8E4M3FN>, vector<8x128xf8E4M3FN>
    scf.yield %acc_1 : vector<128x128xf32>
  }
  %lanes = vector.broadcast %alpha : f32 to vector<128x128xf32>
  %product = arith.mulf %acc, %lanes : vector<128x128xf32>
  tile.store %product, %out : !ZPiece
}
