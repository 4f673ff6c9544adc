// y[M, N] = x[M, K] w[N, K]^T in f16, as skinny.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 8, zero and ragged
// included; P at least 1
// generated from skinny.cpp
!X = !tile.tensor<[M, K] x f16, shared>
!W = !tile.tensor<[N, K] x f16, shared>
!Y = !tile.tensor<[M, N] x f16, out>
!XTiles = !tile.partition<[8, 64], [M, K] x f16, shared>
!YTiles = !tile.partition<[8, 16], [M, N] x f16, out>
!WTiles = !tile.partition<[16, 64], [N, K] x f16, shared>
!YPiece = !tile.piece<[8, 16] x f16, out>
!XTiles_1 = !tile.partition<[16, 64], [M, K] x f16, shared>
!YTiles_1 = !tile.partition<[16, 16], [M, N] x f16, out>
!YPiece_1 = !tile.piece<[16, 16] x f16, out>
tile.variants @skinny_f16 [@skinny_f16_rows_8 when (M <= 8), @skinny_f16_rows_16]
tile.kernel @skinny_f16_rows_8(%x: !X, %w: !W, %y: !Y) symbols [P : index] grid [P]
    requires [M >= 1, M <= 8, P >= 1, mod(K, 8) == 0, K <= 2560] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [8, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
  %y_tiles = tile.partition %y by [8, 16] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %n_1 = tile.num_tiles %y_tiles, 1 : !YTiles
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %a = tile.load %x_tiles[%c0, %k] pad(zero) : !XTiles
      %b = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %turned = vector.transpose %b, [1, 0] : vector<16x64xf16> to vector<64x16xf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<8x64xf16>, vector<64x16xf16>, vector<8x16xf32>
      scf.yield %acc_1 : vector<8x16xf32>
    }
    %narrow = arith.truncf %acc : vector<8x16xf32> to vector<8x16xf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @skinny_f16_rows_16(%x: !X, %w: !W, %y: !Y) symbols [P : index] grid [P]
    requires [M >= 1, M <= 16, P >= 1, mod(K, 8) == 0, K <= 2560] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [16, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
  %y_tiles = tile.partition %y by [16, 16] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %n_1 = tile.num_tiles %y_tiles, 1 : !YTiles_1
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles_1
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
      %a = tile.load %x_tiles[%c0, %k] pad(zero) : !XTiles_1
      %b = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %turned = vector.transpose %b, [1, 0] : vector<16x64xf16> to vector<64x16xf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<16x64xf16>, vector<64x16xf16>, vector<16x16xf32>
      scf.yield %acc_1 : vector<16x16xf32>
    }
    %narrow = arith.truncf %acc : vector<16x16xf32> to vector<16x16xf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
