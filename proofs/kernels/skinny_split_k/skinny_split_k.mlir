// partial[s, M, N] = x[M, K] w[N, K]^T in bf16, sums in f32, over split s of S
// of the tiles of K (split-K), of at most 16 rows, by P programs a split:
// add_rms_norm_split_k adds them up.
// any M from 1 to 16, any N, and K up to 2560 S, a multiple of 8, zero and
// ragged included; P at least 1, S from 1 to 16
// generated from skinny.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!W = !tile.tensor<[N, K] x bf16, shared>
!Partial = !tile.tensor<[S, M, N] x f32, out>
!XTiles = !tile.partition<[8, 64], [M, K] x bf16, shared>
!PartialTiles = !tile.partition<[_, 8, 16], [S, M, N] x f32, out>
!WTiles = !tile.partition<[16, 64], [N, K] x bf16, shared>
!PartialPiece = !tile.piece<[_, 8, 16] x f32, out>
!XTiles_1 = !tile.partition<[16, 64], [M, K] x bf16, shared>
!PartialTiles_1 = !tile.partition<[_, 16, 16], [S, M, N] x f32, out>
!PartialPiece_1 = !tile.piece<[_, 16, 16] x f32, out>
tile.variants @skinny_split_k [@skinny_split_k_rows_8 when (M <= 8), @skinny_split_k_rows_16]
tile.kernel @skinny_split_k_rows_8(%x: !X, %w: !W, %partial: !Partial)
    symbols [P : index] grid [P, S]
    requires [M >= 1, M <= 8, P >= 1, mod(K, 8) == 0, S >= 1, S <= 16, K <= 2560 * S] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %first = tile.block_id 0
  %s = tile.block_id 1
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [8, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
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
      %turned = vector.transpose %b, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<8x64xbf16>, vector<64x16xbf16>, vector<8x16xf32>
      scf.yield %acc_1 : vector<8x16xf32>
    }
    tile.store %acc, %out : !PartialPiece
  }
}
tile.kernel @skinny_split_k_rows_16(%x: !X, %w: !W, %partial: !Partial)
    symbols [P : index] grid [P, S]
    requires [M >= 1, M <= 16, P >= 1, mod(K, 8) == 0, S >= 1, S <= 16, K <= 2560 * S] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %first = tile.block_id 0
  %s = tile.block_id 1
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [16, 64] : !X
  %w_tiles = tile.partition %w by [16, 64] : !W
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
      %turned = vector.transpose %b, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %acc_1 = tile.mma %a, %turned, %acc : vector<16x64xbf16>, vector<64x16xbf16>, vector<16x16xf32>
      scf.yield %acc_1 : vector<16x16xf32>
    }
    tile.store %acc, %out : !PartialPiece_1
  }
}
