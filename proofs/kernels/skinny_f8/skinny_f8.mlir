// y[M, N] = x[M, K] w[N, K]^T diag(scale[N]) in bf16, as skinny: weights are
// f8E4M3FN with a scale a row. They are multiplied in bf16, which has each of
// them, and sums in f32 are scaled before they are rounded.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 16, zero and
// ragged included; P at least 1
// generated from skinny.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!W = !tile.tensor<[N, K] x f8E4M3FN, shared>
!Scale = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!XTiles = !tile.partition<[8, 64], [M, K] x bf16, shared>
!YTiles = !tile.partition<[8, 16], [M, N] x bf16, out>
!WTiles = !tile.partition<[16, 64], [N, K] x f8E4M3FN, shared>
!ScaleTiles = !tile.partition<[16], [N] x f32, shared>
!YPiece = !tile.piece<[8, 16] x bf16, out>
!XTiles_1 = !tile.partition<[16, 64], [M, K] x bf16, shared>
!YTiles_1 = !tile.partition<[16, 16], [M, N] x bf16, out>
!YPiece_1 = !tile.piece<[16, 16] x bf16, out>
tile.variants @skinny_f8 [@skinny_f8_rows_8 when (M <= 8), @skinny_f8_rows_16]
tile.kernel @skinny_f8_rows_8(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P]
    requires [M >= 1, M <= 8, P >= 1, mod(K, 16) == 0, K <= 2560] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [8, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
  %scale_tiles = tile.partition %scale by [16] : !Scale
  %y_tiles = tile.partition %y by [8, 16] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %n_1 = tile.num_tiles %y_tiles, 1 : !YTiles
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %a = tile.load %x_tiles[%c0, %k] pad(zero) : !XTiles
      %b = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %wide = arith.extf %b : vector<16x64xf8E4M3FN> to vector<16x64xbf16>
      %turned = vector.transpose %wide, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<8x64xbf16>, vector<64x16xbf16>, vector<8x16xf32>
      scf.yield %acc_1 : vector<8x16xf32>
    }
    %ofTile = tile.load %scale_tiles[%t] pad(zero) : !ScaleTiles
    %shaped = vector.shape_cast %ofTile : vector<16xf32> to vector<1x16xf32>
    %lanes = vector.broadcast %shaped : vector<1x16xf32> to vector<8x16xf32>
    %product = arith.mulf %acc, %lanes : vector<8x16xf32>
    %narrow = arith.truncf %product : vector<8x16xf32> to vector<8x16xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @skinny_f8_rows_16(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P]
    requires [M >= 1, M <= 16, P >= 1, mod(K, 16) == 0, K <= 2560] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [16, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
  %scale_tiles = tile.partition %scale by [16] : !Scale
  %y_tiles = tile.partition %y by [16, 16] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %n_1 = tile.num_tiles %y_tiles, 1 : !YTiles_1
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles_1
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
      %a = tile.load %x_tiles[%c0, %k] pad(zero) : !XTiles_1
      %b = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %wide = arith.extf %b : vector<16x64xf8E4M3FN> to vector<16x64xbf16>
      %turned = vector.transpose %wide, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<16x64xbf16>, vector<64x16xbf16>, vector<16x16xf32>
      scf.yield %acc_1 : vector<16x16xf32>
    }
    %ofTile = tile.load %scale_tiles[%t] pad(zero) : !ScaleTiles
    %shaped = vector.shape_cast %ofTile : vector<16xf32> to vector<1x16xf32>
    %lanes = vector.broadcast %shaped : vector<1x16xf32> to vector<16x16xf32>
    %product = arith.mulf %acc, %lanes : vector<16x16xf32>
    %narrow = arith.truncf %product : vector<16x16xf32> to vector<16x16xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
