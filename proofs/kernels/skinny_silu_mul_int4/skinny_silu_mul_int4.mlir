// y[M, N] = silu(x w[0]^T) (x w[1]^T) of w[2, N, G, 64] of 4 bits, as
// skinny_silu_mul, with a scale for each row and group, scale[2, N, G].
// any M from 1 to 16, any N, and G up to 20, zero and ragged included; P at
// least 1
// generated from skinny.cpp
!X = !tile.tensor<[M, G, 2, 64] x bf16, shared>
!W = !tile.tensor<[2, N, G, 64] x i8, shared>
!Scale = !tile.tensor<[2, N, G] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!YTiles = !tile.partition<[8, 8], [M, N] x bf16, out>
!XTiles = !tile.partition<[8, _, _, 64], [M, G, 2, 64] x bf16, shared>
!WTiles = !tile.partition<[_, 8, _, 64], [2, N, G, 64] x i8, shared>
!ScaleTiles = !tile.partition<[_, 8, _], [2, N, G] x bf16, shared>
!YPiece = !tile.piece<[8, 8] x bf16, out>
!YTiles_1 = !tile.partition<[16, 8], [M, N] x bf16, out>
!XTiles_1 = !tile.partition<[16, _, _, 64], [M, G, 2, 64] x bf16, shared>
!YPiece_1 = !tile.piece<[16, 8] x bf16, out>
tile.variants @skinny_silu_mul_int4 [@skinny_silu_mul_int4_rows_8 when (M <= 8), @skinny_silu_mul_int4_rows_16]
tile.kernel @skinny_silu_mul_int4_rows_8(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P] requires [M >= 1, M <= 8, P >= 1, G <= 20] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x8xf32>
  %c4 = arith.constant dense<4> : vector<8x64xi16>
  %c15 = arith.constant dense<15> : vector<8x64xi16>
  %c17152 = arith.constant dense<17152> : vector<8x64xi16>
  %c136 = arith.constant dense<136.0> : vector<8x64xbf16>
  %one = arith.constant dense<1.0> : vector<8x8xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [8, _, _, 64] : !X
  %w_tiles = tile.partition %w by [_, 8, _, 64] : !W
  %scale_tiles = tile.partition %scale by [_, 8, _] : !Scale
  %y_tiles = tile.partition %y by [8, 8] : !Y
  %n = tile.num_tiles %y_tiles, 1 : !YTiles
  scf.for %t = %first to %n step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles
    %gate, %up = scf.for %g = %c0 to %G step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<8x8xf32>, vector<8x8xf32>) {
      %high = tile.load %x_tiles[%c0, %g, %c1, %c0] pad(zero) : !XTiles
      %bytes = tile.load %w_tiles[%c0, %t, %g, %c0] pad(zero) : !WTiles
      %bits = arith.extui %bytes : vector<8x64xi8> to vector<8x64xi16>
      %shrui = arith.shrui %bits, %c4 : vector<8x64xi16>
      %both = arith.andi %shrui, %c15 : vector<8x64xi16>
      %either = arith.ori %both, %c17152 : vector<8x64xi16>
      %bitcast = arith.bitcast %either : vector<8x64xi16> to vector<8x64xbf16>
      %less = arith.subf %bitcast, %c136 : vector<8x64xbf16>
      %turned = vector.transpose %less, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %low = tile.load %x_tiles[%c0, %g, %c0, %c0] pad(zero) : !XTiles
      %both_1 = arith.andi %bits, %c15 : vector<8x64xi16>
      %either_1 = arith.ori %both_1, %c17152 : vector<8x64xi16>
      %bitcast_1 = arith.bitcast %either_1 : vector<8x64xi16> to vector<8x64xbf16>
      %less_1 = arith.subf %bitcast_1, %c136 : vector<8x64xbf16>
      %turned_1 = vector.transpose %less_1, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %sums = tile.mma %low, %turned_1, %zero : vector<8x64xbf16>, vector<64x8xbf16>, vector<8x8xf32>
      %product = tile.mma %high, %turned, %sums : vector<8x64xbf16>, vector<64x8xbf16>, vector<8x8xf32>
      %tile = tile.load %scale_tiles[%c0, %t, %g] pad(zero) : !ScaleTiles
      %ofGate = arith.extf %tile : vector<8xbf16> to vector<8xf32>
      %shaped = vector.shape_cast %ofGate : vector<8xf32> to vector<1x8xf32>
      %lanes = vector.broadcast %shaped : vector<1x8xf32> to vector<8x8xf32>
      %product_1 = arith.mulf %product, %lanes : vector<8x8xf32>
      %gate_1 = arith.addf %gate, %product_1 : vector<8x8xf32>
      %high_1 = tile.load %x_tiles[%c0, %g, %c1, %c0] pad(zero) : !XTiles
      %more = tile.load %w_tiles[%c1, %t, %g, %c0] pad(zero) : !WTiles
      %bits_1 = arith.extui %more : vector<8x64xi8> to vector<8x64xi16>
      %shrui_1 = arith.shrui %bits_1, %c4 : vector<8x64xi16>
      %both_2 = arith.andi %shrui_1, %c15 : vector<8x64xi16>
      %either_2 = arith.ori %both_2, %c17152 : vector<8x64xi16>
      %bitcast_2 = arith.bitcast %either_2 : vector<8x64xi16> to vector<8x64xbf16>
      %less_2 = arith.subf %bitcast_2, %c136 : vector<8x64xbf16>
      %turned_2 = vector.transpose %less_2, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %low_1 = tile.load %x_tiles[%c0, %g, %c0, %c0] pad(zero) : !XTiles
      %both_3 = arith.andi %bits_1, %c15 : vector<8x64xi16>
      %either_3 = arith.ori %both_3, %c17152 : vector<8x64xi16>
      %bitcast_3 = arith.bitcast %either_3 : vector<8x64xi16> to vector<8x64xbf16>
      %less_3 = arith.subf %bitcast_3, %c136 : vector<8x64xbf16>
      %turned_3 = vector.transpose %less_3, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %sums_1 = tile.mma %low_1, %turned_3, %zero : vector<8x64xbf16>, vector<64x8xbf16>, vector<8x8xf32>
      %product_2 = tile.mma %high_1, %turned_2, %sums_1 : vector<8x64xbf16>, vector<64x8xbf16>, vector<8x8xf32>
      %tile_1 = tile.load %scale_tiles[%c1, %t, %g] pad(zero) : !ScaleTiles
      %ofUp = arith.extf %tile_1 : vector<8xbf16> to vector<8xf32>
      %shaped_1 = vector.shape_cast %ofUp : vector<8xf32> to vector<1x8xf32>
      %lanes_1 = vector.broadcast %shaped_1 : vector<1x8xf32> to vector<8x8xf32>
      %product_3 = arith.mulf %product_2, %lanes_1 : vector<8x8xf32>
      %up_1 = arith.addf %up, %product_3 : vector<8x8xf32>
      scf.yield %gate_1, %up_1 : vector<8x8xf32>, vector<8x8xf32>
    }
    %minus = arith.negf %gate : vector<8x8xf32>
    %exp = math.exp %minus : vector<8x8xf32>
    %sum = arith.addf %one, %exp : vector<8x8xf32>
    %quotient = arith.divf %gate, %sum : vector<8x8xf32>
    %product = arith.mulf %quotient, %up : vector<8x8xf32>
    %narrow = arith.truncf %product : vector<8x8xf32> to vector<8x8xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @skinny_silu_mul_int4_rows_16(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P] requires [M >= 1, M <= 16, P >= 1, G <= 20]
    hints {sm_90 = {schedule = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x8xf32>
  %c4 = arith.constant dense<4> : vector<8x64xi16>
  %c15 = arith.constant dense<15> : vector<8x64xi16>
  %c17152 = arith.constant dense<17152> : vector<8x64xi16>
  %c136 = arith.constant dense<136.0> : vector<8x64xbf16>
  %one = arith.constant dense<1.0> : vector<16x8xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %G = tile.symbol "G" : index
  %x_tiles = tile.partition %x by [16, _, _, 64] : !X
  %w_tiles = tile.partition %w by [_, 8, _, 64] : !W
  %scale_tiles = tile.partition %scale by [_, 8, _] : !Scale
  %y_tiles = tile.partition %y by [16, 8] : !Y
  %n = tile.num_tiles %y_tiles, 1 : !YTiles_1
  scf.for %t = %first to %n step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles_1
    %gate, %up = scf.for %g = %c0 to %G step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<16x8xf32>, vector<16x8xf32>) {
      %high = tile.load %x_tiles[%c0, %g, %c1, %c0] pad(zero) : !XTiles_1
      %bytes = tile.load %w_tiles[%c0, %t, %g, %c0] pad(zero) : !WTiles
      %bits = arith.extui %bytes : vector<8x64xi8> to vector<8x64xi16>
      %shrui = arith.shrui %bits, %c4 : vector<8x64xi16>
      %both = arith.andi %shrui, %c15 : vector<8x64xi16>
      %either = arith.ori %both, %c17152 : vector<8x64xi16>
      %bitcast = arith.bitcast %either : vector<8x64xi16> to vector<8x64xbf16>
      %less = arith.subf %bitcast, %c136 : vector<8x64xbf16>
      %turned = vector.transpose %less, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %low = tile.load %x_tiles[%c0, %g, %c0, %c0] pad(zero) : !XTiles_1
      %both_1 = arith.andi %bits, %c15 : vector<8x64xi16>
      %either_1 = arith.ori %both_1, %c17152 : vector<8x64xi16>
      %bitcast_1 = arith.bitcast %either_1 : vector<8x64xi16> to vector<8x64xbf16>
      %less_1 = arith.subf %bitcast_1, %c136 : vector<8x64xbf16>
      %turned_1 = vector.transpose %less_1, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %sums = tile.mma %low, %turned_1, %zero : vector<16x64xbf16>, vector<64x8xbf16>, vector<16x8xf32>
      %product = tile.mma %high, %turned, %sums : vector<16x64xbf16>, vector<64x8xbf16>, vector<16x8xf32>
      %tile = tile.load %scale_tiles[%c0, %t, %g] pad(zero) : !ScaleTiles
      %ofGate = arith.extf %tile : vector<8xbf16> to vector<8xf32>
      %shaped = vector.shape_cast %ofGate : vector<8xf32> to vector<1x8xf32>
      %lanes = vector.broadcast %shaped : vector<1x8xf32> to vector<16x8xf32>
      %product_1 = arith.mulf %product, %lanes : vector<16x8xf32>
      %gate_1 = arith.addf %gate, %product_1 : vector<16x8xf32>
      %high_1 = tile.load %x_tiles[%c0, %g, %c1, %c0] pad(zero) : !XTiles_1
      %more = tile.load %w_tiles[%c1, %t, %g, %c0] pad(zero) : !WTiles
      %bits_1 = arith.extui %more : vector<8x64xi8> to vector<8x64xi16>
      %shrui_1 = arith.shrui %bits_1, %c4 : vector<8x64xi16>
      %both_2 = arith.andi %shrui_1, %c15 : vector<8x64xi16>
      %either_2 = arith.ori %both_2, %c17152 : vector<8x64xi16>
      %bitcast_2 = arith.bitcast %either_2 : vector<8x64xi16> to vector<8x64xbf16>
      %less_2 = arith.subf %bitcast_2, %c136 : vector<8x64xbf16>
      %turned_2 = vector.transpose %less_2, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %low_1 = tile.load %x_tiles[%c0, %g, %c0, %c0] pad(zero) : !XTiles_1
      %both_3 = arith.andi %bits_1, %c15 : vector<8x64xi16>
      %either_3 = arith.ori %both_3, %c17152 : vector<8x64xi16>
      %bitcast_3 = arith.bitcast %either_3 : vector<8x64xi16> to vector<8x64xbf16>
      %less_3 = arith.subf %bitcast_3, %c136 : vector<8x64xbf16>
      %turned_3 = vector.transpose %less_3, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %sums_1 = tile.mma %low_1, %turned_3, %zero : vector<16x64xbf16>, vector<64x8xbf16>, vector<16x8xf32>
      %product_2 = tile.mma %high_1, %turned_2, %sums_1 : vector<16x64xbf16>, vector<64x8xbf16>, vector<16x8xf32>
      %tile_1 = tile.load %scale_tiles[%c1, %t, %g] pad(zero) : !ScaleTiles
      %ofUp = arith.extf %tile_1 : vector<8xbf16> to vector<8xf32>
      %shaped_1 = vector.shape_cast %ofUp : vector<8xf32> to vector<1x8xf32>
      %lanes_1 = vector.broadcast %shaped_1 : vector<1x8xf32> to vector<16x8xf32>
      %product_3 = arith.mulf %product_2, %lanes_1 : vector<16x8xf32>
      %up_1 = arith.addf %up, %product_3 : vector<16x8xf32>
      scf.yield %gate_1, %up_1 : vector<16x8xf32>, vector<16x8xf32>
    }
    %minus = arith.negf %gate : vector<16x8xf32>
    %exp = math.exp %minus : vector<16x8xf32>
    %sum = arith.addf %one, %exp : vector<16x8xf32>
    %quotient = arith.divf %gate, %sum : vector<16x8xf32>
    %product = arith.mulf %quotient, %up : vector<16x8xf32>
    %narrow = arith.truncf %product : vector<16x8xf32> to vector<16x8xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
