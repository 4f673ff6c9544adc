// y[M, N] = x[M, G, 2, 64] w[N, G, 64]^T in bf16, as skinny: weights are of 4
// bits with a scale for each row and group, scale[N, G], as those of
// gemv_add_int4. They are multiplied in bf16, which has each of them; the sum
// of a group is in f32, and so is what it is scaled and added to. any M from 1
// to 16, any N, and G up to 20, zero and ragged included; P at least 1
// generated from skinny.cpp
!X = !tile.tensor<[M, G, 2, 64] x bf16, shared>
!W = !tile.tensor<[N, G, 64] x i8, shared>
!Scale = !tile.tensor<[N, G] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!YTiles = !tile.partition<[8, 16], [M, N] x bf16, out>
!XTiles = !tile.partition<[8, _, _, 64], [M, G, 2, 64] x bf16, shared>
!WTiles = !tile.partition<[16, _, 64], [N, G, 64] x i8, shared>
!ScaleTiles = !tile.partition<[16, _], [N, G] x bf16, shared>
!YPiece = !tile.piece<[8, 16] x bf16, out>
!YTiles_1 = !tile.partition<[16, 16], [M, N] x bf16, out>
!XTiles_1 = !tile.partition<[16, _, _, 64], [M, G, 2, 64] x bf16, shared>
!YPiece_1 = !tile.piece<[16, 16] x bf16, out>
tile.variants @skinny_int4 [@skinny_int4_rows_8 when (M <= 8), @skinny_int4_rows_16]
tile.kernel @skinny_int4_rows_8(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P] requires [M >= 1, M <= 8, P >= 1, G <= 20] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x16xf32>
  %c4 = arith.constant dense<4> : vector<16x64xi16>
  %c15 = arith.constant dense<15> : vector<16x64xi16>
  %c17152 = arith.constant dense<17152> : vector<16x64xi16>
  %c136 = arith.constant dense<136.0> : vector<16x64xbf16>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [8, _, _, 64] : !X
  %w_tiles = tile.partition %w by [16, _, 64] : !W
  %scale_tiles = tile.partition %scale by [16, _] : !Scale
  %y_tiles = tile.partition %y by [8, 16] : !Y
  %n = tile.num_tiles %y_tiles, 1 : !YTiles
  scf.for %t = %first to %n step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles
    %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<8x16xf32>) {
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
      %product = tile.mma %high, %turned, %sums : vector<8x64xbf16>, vector<64x16xbf16>, vector<8x16xf32>
      %tile = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %ofTile = arith.extf %tile : vector<16xbf16> to vector<16xf32>
      %shaped = vector.shape_cast %ofTile : vector<16xf32> to vector<1x16xf32>
      %lanes = vector.broadcast %shaped : vector<1x16xf32> to vector<8x16xf32>
      %product_1 = arith.mulf %product, %lanes : vector<8x16xf32>
      %acc_1 = arith.addf %acc, %product_1 : vector<8x16xf32>
      scf.yield %acc_1 : vector<8x16xf32>
    }
    %narrow = arith.truncf %acc : vector<8x16xf32> to vector<8x16xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @skinny_int4_rows_16(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P] requires [M >= 1, M <= 16, P >= 1, G <= 20]
    hints {sm_90 = {schedule = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c4 = arith.constant dense<4> : vector<16x64xi16>
  %c15 = arith.constant dense<15> : vector<16x64xi16>
  %c17152 = arith.constant dense<17152> : vector<16x64xi16>
  %c136 = arith.constant dense<136.0> : vector<16x64xbf16>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [16, _, _, 64] : !X
  %w_tiles = tile.partition %w by [16, _, 64] : !W
  %scale_tiles = tile.partition %scale by [16, _] : !Scale
  %y_tiles = tile.partition %y by [16, 16] : !Y
  %n = tile.num_tiles %y_tiles, 1 : !YTiles_1
  scf.for %t = %first to %n step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles_1
    %acc = scf.for %g = %c0 to %G step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
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
      %product = tile.mma %high, %turned, %sums : vector<16x64xbf16>, vector<64x16xbf16>, vector<16x16xf32>
      %tile = tile.load %scale_tiles[%t, %g] pad(zero) : !ScaleTiles
      %ofTile = arith.extf %tile : vector<16xbf16> to vector<16xf32>
      %shaped = vector.shape_cast %ofTile : vector<16xf32> to vector<1x16xf32>
      %lanes = vector.broadcast %shaped : vector<1x16xf32> to vector<16x16xf32>
      %product_1 = arith.mulf %product, %lanes : vector<16x16xf32>
      %acc_1 = arith.addf %acc, %product_1 : vector<16x16xf32>
      scf.yield %acc_1 : vector<16x16xf32>
    }
    %narrow = arith.truncf %acc : vector<16x16xf32> to vector<16x16xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
