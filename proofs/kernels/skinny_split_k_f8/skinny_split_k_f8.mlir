// partial[s, M, N] = x[M, K] w[N, K]^T diag(scale[N]) over split s of S of the
// tiles of K, as skinny_split_k, of weights in f8E4M3FN with a scale a row.
// any M from 1 to 16, any N, and K up to 2560 S, a multiple of 16, zero and
// ragged included; P at least 1, S from 1 to 16
// generated from skinny.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!W = !tile.tensor<[N, K] x f8E4M3FN, shared>
!Scale = !tile.tensor<[N] x f32, shared>
!Partial = !tile.tensor<[S, M, N] x f32, out>
!XTiles = !tile.partition<[8, 64], [M, K] x bf16, shared>
!PartialTiles = !tile.partition<[_, 8, 16], [S, M, N] x f32, out>
!WTiles = !tile.partition<[16, 64], [N, K] x f8E4M3FN, shared>
!ScaleTiles = !tile.partition<[16], [N] x f32, shared>
!PartialPiece = !tile.piece<[_, 8, 16] x f32, out>
!XTiles_1 = !tile.partition<[16, 64], [M, K] x bf16, shared>
!PartialTiles_1 = !tile.partition<[_, 16, 16], [S, M, N] x f32, out>
!PartialPiece_1 = !tile.piece<[_, 16, 16] x f32, out>
tile.variants @skinny_split_k_f8 [@skinny_split_k_f8_rows_8 when (M <= 8), @skinny_split_k_f8_rows_16]
tile.kernel @skinny_split_k_f8_rows_8(%x: !X, %w: !W, %scale: !Scale, %partial: !Partial)
    symbols [P : index] grid [P, S]
    requires [M >= 1, M <= 8, P >= 1, mod(K, 16) == 0, S >= 1, S <= 16, K <= 2560 * S] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %first = tile.block_id 0
  %s = tile.block_id 1
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [8, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
  %scale_tiles = tile.partition %scale by [16] : !Scale
  %partial_tiles = tile.partition %partial by [_, 8, 16] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %n_1 = tile.num_tiles %partial_tiles, 2 : !PartialTiles
  %quotient = arith.ceildivsi %n, %S : index
  %product = arith.muli %s, %quotient : index
  %sum = arith.addi %product, %quotient : index
  %least = arith.minsi %sum, %n : index
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %partial_tiles[%s, %c0, %t] : !PartialTiles
    %acc = scf.for %k = %product to %least step %c1 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
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
    %product_1 = arith.mulf %acc, %lanes : vector<8x16xf32>
    tile.store %product_1, %out : !PartialPiece
  }
}
tile.kernel @skinny_split_k_f8_rows_16(%x: !X, %w: !W, %scale: !Scale, %partial: !Partial)
    symbols [P : index] grid [P, S]
    requires [M >= 1, M <= 16, P >= 1, mod(K, 16) == 0, S >= 1, S <= 16, K <= 2560 * S] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %first = tile.block_id 0
  %s = tile.block_id 1
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [16, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
  %scale_tiles = tile.partition %scale by [16] : !Scale
  %partial_tiles = tile.partition %partial by [_, 16, 16] : !Partial
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %n_1 = tile.num_tiles %partial_tiles, 2 : !PartialTiles_1
  %quotient = arith.ceildivsi %n, %S : index
  %product = arith.muli %s, %quotient : index
  %sum = arith.addi %product, %quotient : index
  %least = arith.minsi %sum, %n : index
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %partial_tiles[%s, %c0, %t] : !PartialTiles_1
    %acc = scf.for %k = %product to %least step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
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
    %product_1 = arith.mulf %acc, %lanes : vector<16x16xf32>
    tile.store %product_1, %out : !PartialPiece_1
  }
}
