// partial[s, M, N] = x[M, G, 2, 64] w[N, G, 64]^T over split s of S of the
// groups, as skinny_split_k, of weights of 4 bits with a scale for each row and
// group.
// any M from 1 to 16, any N, and G up to 20 S, zero and ragged included; P at
// least 1, S from 1 to 16
// generated from skinny.cpp
!X = !tile.tensor<[M, G, 2, 64] x bf16, shared>
!W = !tile.tensor<[N, G, 64] x i8, shared>
!Scale = !tile.tensor<[N, G] x bf16, shared>
!Partial = !tile.tensor<[S, M, N] x f32, out>
!PartialTiles = !tile.partition<[_, 8, 16], [S, M, N] x f32, out>
!XTiles = !tile.partition<[8, _, _, 64], [M, G, 2, 64] x bf16, shared>
!WTiles = !tile.partition<[16, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles = !tile.partition<[16, _], [N, G] x bf16, shared>
!PartialPiece = !tile.piece<[_, 8, 16] x f32, out>
!PartialTiles_1 = !tile.partition<[_, 16, 16], [S, M, N] x f32, out>
!XTiles_1 = !tile.partition<[16, _, _, 64], [M, G, 2, 64] x bf16, shared>
!PartialPiece_1 = !tile.piece<[_, 16, 16] x f32, out>
tile.variants @skinny_split_k_int4 [@skinny_split_k_int4_rows_8 when (M <= 8), @skinny_split_k_int4_rows_16]
tile.kernel @skinny_split_k_int4_rows_8(%x: !X, %w: !W, %scale: !Scale, %partial: !Partial)
    symbols [P : index] grid [P, S]
    requires [M >= 1, M <= 8, P >= 1, S >= 1, S <= 16, G <= 20 * S] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %c4 = arith.constant dense<4> : vector<16x64xi16>
  %c15 = arith.constant dense<15> : vector<16x64xi16>
  %c17152 = arith.constant dense<17152> : vector<16x64xi16>
  %c136 = arith.constant dense<136.0> : vector<16x64xbf16>
  %first = tile.block_id 0
  %s = tile.block_id 1
  %G = tile.symbol "G" : index
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [8, _, _, 64] : !X
  %w_tiles = tile.partition %w by [16, _, 64] : !W
  %scale_tiles = tile.partition %scale by [16, _] : !Scale
  %partial_tiles = tile.partition %partial by [_, 8, 16] : !Partial
  %n = tile.num_tiles %partial_tiles, 2 : !PartialTiles
  %share = arith.ceildivsi %G, %S : index
  %product = arith.muli %s, %share : index
  %sum = arith.addi %product, %share : index
  %least = arith.minsi %sum, %G : index
  scf.for %t = %first to %n step %P {
    %out = tile.claim %partial_tiles[%s, %c0, %t] : !PartialTiles
    %acc = scf.for %g = %product to %least step %c1 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
      %high = tile.load %x_tiles[%c0, %g, %c1, %c0] pad(zero) : !XTiles
      %bytes = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %bits = arith.extui %bytes : vector<16x64xi8> to vector<16x64xi16>
      %shrui = arith.shrui %bits, %c4 : vector<16x64xi16>
      %both = arith.andi %shrui, %c15 : vector<16x64xi16>
      %either = arith.ori %both, %c17152 : vector<16x64xi16>
      %bitcast = arith.bitcast %either : vector<16x64xi16> to vector<16x64xbf16>
      %less = arith.subf %bitcast, %c136 : vector<16x64xbf16>
      %turned = vector.transpose %less, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %low = tile.load %x_tiles[%c0, %g, %c0, %c0] pad(zero) : !XTiles
      %both_1 = arith.andi %bits, %c15 : vector<16x64xi16>
      %either_1 = arith.ori %both_1, %c17152 : vector<16x64xi16>
      %bitcast_1 = arith.bitcast %either_1 : vector<16x64xi16> to vector<16x64xbf16>
      %less_1 = arith.subf %bitcast_1, %c136 : vector<16x64xbf16>
      %turned_1 = vector.transpose %less_1, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %sums = tile.mma %low, %turned_1, %zero : vector<8x64xbf16>, vector<64x16xbf16>, vector<8x16xf32>
      %product_1 = tile.mma %high, %turned, %sums : vector<8x64xbf16>, vector<64x16xbf16>, vector<8x16xf32>
      %tile = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %ofTile = arith.extf %tile : vector<16xbf16> to vector<16xf32>
      %shaped = vector.shape_cast %ofTile : vector<16xf32> to vector<1x16xf32>
      %lanes = vector.broadcast %shaped : vector<1x16xf32> to vector<8x16xf32>
      %product_2 = arith.mulf %product_1, %lanes : vector<8x16xf32>
      %acc_1 = arith.addf %acc, %product_2 : vector<8x16xf32>
      scf.yield %acc_1 : vector<8x16xf32>
    }
    tile.store %acc, %out : !PartialPiece
  }
}
tile.kernel @skinny_split_k_int4_rows_16(%x: !X, %w: !W, %scale: !Scale, %partial: !Partial)
    symbols [P : index] grid [P, S]
    requires [M >= 1, M <= 16, P >= 1, S >= 1, S <= 16, G <= 20 * S]
    hints {sm_90 = {schedule = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c4 = arith.constant dense<4> : vector<16x64xi16>
  %c15 = arith.constant dense<15> : vector<16x64xi16>
  %c17152 = arith.constant dense<17152> : vector<16x64xi16>
  %c136 = arith.constant dense<136.0> : vector<16x64xbf16>
  %first = tile.block_id 0
  %s = tile.block_id 1
  %G = tile.symbol "G" : index
  %S = tile.symbol "S" : index
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [16, _, _, 64] : !X
  %w_tiles = tile.partition %w by [16, _, 64] : !W
  %scale_tiles = tile.partition %scale by [16, _] : !Scale
  %partial_tiles = tile.partition %partial by [_, 16, 16] : !Partial
  %n = tile.num_tiles %partial_tiles, 2 : !PartialTiles_1
  %share = arith.ceildivsi %G, %S : index
  %product = arith.muli %s, %share : index
  %sum = arith.addi %product, %share : index
  %least = arith.minsi %sum, %G : index
  scf.for %t = %first to %n step %P {
    %out = tile.claim %partial_tiles[%s, %c0, %t] : !PartialTiles_1
    %acc = scf.for %g = %product to %least step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
      %high = tile.load %x_tiles[%c0, %g, %c1, %c0] pad(zero) : !XTiles_1
      %bytes = tile.load %w_tiles[%t, %g, %c0] pad(zero) : !WTiles
      %bits = arith.extui %bytes : vector<16x64xi8> to vector<16x64xi16>
      %shrui = arith.shrui %bits, %c4 : vector<16x64xi16>
      %both = arith.andi %shrui, %c15 : vector<16x64xi16>
      %either = arith.ori %both, %c17152 : vector<16x64xi16>
      %bitcast = arith.bitcast %either : vector<16x64xi16> to vector<16x64xbf16>
      %less = arith.subf %bitcast, %c136 : vector<16x64xbf16>
      %turned = vector.transpose %less, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %low = tile.load %x_tiles[%c0, %g, %c0, %c0] pad(zero) : !XTiles_1
      %both_1 = arith.andi %bits, %c15 : vector<16x64xi16>
      %either_1 = arith.ori %both_1, %c17152 : vector<16x64xi16>
      %bitcast_1 = arith.bitcast %either_1 : vector<16x64xi16> to vector<16x64xbf16>
      %less_1 = arith.subf %bitcast_1, %c136 : vector<16x64xbf16>
      %turned_1 = vector.transpose %less_1, [1, 0] : vector<16x64xbf16> to vector<64x16xbf16>
      %sums = tile.mma %low, %turned_1, %zero : vector<16x64xbf16>, vector<64x16xbf16>, vector<16x16xf32>
      %product_1 = tile.mma %high, %turned, %sums : vector<16x64xbf16>, vector<64x16xbf16>, vector<16x16xf32>
      %tile = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %ofTile = arith.extf %tile : vector<16xbf16> to vector<16xf32>
      %shaped = vector.shape_cast %ofTile : vector<16xf32> to vector<1x16xf32>
      %lanes = vector.broadcast %shaped : vector<1x16xf32> to vector<16x16xf32>
      %product_2 = arith.mulf %product_1, %lanes : vector<16x16xf32>
      %acc_1 = arith.addf %acc, %product_2 : vector<16x16xf32>
      scf.yield %acc_1 : vector<16x16xf32>
    }
    tile.store %acc, %out : !PartialPiece_1
  }
}
