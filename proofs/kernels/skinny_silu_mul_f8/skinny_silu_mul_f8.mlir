// y[M, N] = silu(x w[0]^T diag(scale[0])) (x w[1]^T diag(scale[1])) of
// w[2, N, K] in f8E4M3FN with a scale a row, as skinny_silu_mul.
// any M from 1 to 16, any N, and K up to 2560, a multiple of 16, zero and
// ragged included; P at least 1
// generated from skinny.cpp
!X = !tile.tensor<[M, K] x bf16, shared>
!W = !tile.tensor<[2, N, K] x f8E4M3FN, shared>
!Scale = !tile.tensor<[2, N] x f32, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!XTiles = !tile.partition<[8, 64], [M, K] x bf16, shared>
!YTiles = !tile.partition<[8, 8], [M, N] x bf16, out>
!WTiles = !tile.partition<[_, 8, 64], [2, N, K] x f8E4M3FN, shared>
!ScaleTiles = !tile.partition<[_, 8], [2, N] x f32, shared>
!YPiece = !tile.piece<[8, 8] x bf16, out>
!XTiles_1 = !tile.partition<[16, 64], [M, K] x bf16, shared>
!YTiles_1 = !tile.partition<[16, 8], [M, N] x bf16, out>
!YPiece_1 = !tile.piece<[16, 8] x bf16, out>
tile.variants @skinny_silu_mul_f8 [@skinny_silu_mul_f8_rows_8 when (M <= 8), @skinny_silu_mul_f8_rows_16]
tile.kernel @skinny_silu_mul_f8_rows_8(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P]
    requires [M >= 1, M <= 8, P >= 1, mod(K, 16) == 0, K <= 2560] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8x8xf32>
  %one = arith.constant dense<1.0> : vector<8x8xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [8, 64] : !X
  %w_tiles = tile.partition %w by [_, 8, 64] : !W
  %scale_tiles = tile.partition %scale by [_, 8] : !Scale
  %y_tiles = tile.partition %y by [8, 8] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %n_1 = tile.num_tiles %y_tiles, 1 : !YTiles
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles
    %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<8x8xf32>, vector<8x8xf32>) {
      %a = tile.load %x_tiles[%c0, %k] pad(zero) : !XTiles
      %ofGate = tile.load %w_tiles[%c0, %t, %k] pad(zero) : !WTiles
      %wide = arith.extf %ofGate : vector<8x64xf8E4M3FN> to vector<8x64xbf16>
      %turned = vector.transpose %wide, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %gate_1 = tile.mma %a, %turned, %gate : vector<8x64xbf16>, vector<64x8xbf16>, vector<8x8xf32>
      %ofUp = tile.load %w_tiles[%c1, %t, %k] pad(zero) : !WTiles
      %wide_1 = arith.extf %ofUp : vector<8x64xf8E4M3FN> to vector<8x64xbf16>
      %turned_1 = vector.transpose %wide_1, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %up_1 = tile.mma %a, %turned_1, %up : vector<8x64xbf16>, vector<64x8xbf16>, vector<8x8xf32>
      scf.yield %gate_1, %up_1 : vector<8x8xf32>, vector<8x8xf32>
    }
    %gateScale = tile.load %scale_tiles[%c0, %t] pad(zero) : !ScaleTiles
    %shaped = vector.shape_cast %gateScale : vector<8xf32> to vector<1x8xf32>
    %lanes = vector.broadcast %shaped : vector<1x8xf32> to vector<8x8xf32>
    %product = arith.mulf %gate, %lanes : vector<8x8xf32>
    %minus = arith.negf %product : vector<8x8xf32>
    %exp = math.exp %minus : vector<8x8xf32>
    %sum = arith.addf %one, %exp : vector<8x8xf32>
    %quotient = arith.divf %product, %sum : vector<8x8xf32>
    %upScale = tile.load %scale_tiles[%c1, %t] pad(zero) : !ScaleTiles
    %shaped_1 = vector.shape_cast %upScale : vector<8xf32> to vector<1x8xf32>
    %lanes_1 = vector.broadcast %shaped_1 : vector<1x8xf32> to vector<8x8xf32>
    %product_1 = arith.mulf %up, %lanes_1 : vector<8x8xf32>
    %product_2 = arith.mulf %quotient, %product_1 : vector<8x8xf32>
    %narrow = arith.truncf %product_2 : vector<8x8xf32> to vector<8x8xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @skinny_silu_mul_f8_rows_16(%x: !X, %w: !W, %scale: !Scale, %y: !Y)
    symbols [P : index] grid [P]
    requires [M >= 1, M <= 16, P >= 1, mod(K, 16) == 0, K <= 2560] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<16x8xf32>
  %one = arith.constant dense<1.0> : vector<16x8xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %x_tiles = tile.partition %x by [16, 64] : !X
  %w_tiles = tile.partition %w by [_, 8, 64] : !W
  %scale_tiles = tile.partition %scale by [_, 8] : !Scale
  %y_tiles = tile.partition %y by [16, 8] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles_1
  %n_1 = tile.num_tiles %y_tiles, 1 : !YTiles_1
  scf.for %t = %first to %n_1 step %P {
    %out = tile.claim %y_tiles[%c0, %t] : !YTiles_1
    %gate, %up = scf.for %k = %c0 to %n step %c1 iter_args(%gate = %zero, %up = %zero) -> (vector<16x8xf32>, vector<16x8xf32>) {
      %a = tile.load %x_tiles[%c0, %k] pad(zero) : !XTiles_1
      %ofGate = tile.load %w_tiles[%c0, %t, %k] pad(zero) : !WTiles
      %wide = arith.extf %ofGate : vector<8x64xf8E4M3FN> to vector<8x64xbf16>
      %turned = vector.transpose %wide, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %gate_1 = tile.mma %a, %turned, %gate : vector<16x64xbf16>, vector<64x8xbf16>, vector<16x8xf32>
      %ofUp = tile.load %w_tiles[%c1, %t, %k] pad(zero) : !WTiles
      %wide_1 = arith.extf %ofUp : vector<8x64xf8E4M3FN> to vector<8x64xbf16>
      %turned_1 = vector.transpose %wide_1, [1, 0] : vector<8x64xbf16> to vector<64x8xbf16>
      %up_1 = tile.mma %a, %turned_1, %up : vector<16x64xbf16>, vector<64x8xbf16>, vector<16x8xf32>
      scf.yield %gate_1, %up_1 : vector<16x8xf32>, vector<16x8xf32>
    }
    %gateScale = tile.load %scale_tiles[%c0, %t] pad(zero) : !ScaleTiles
    %shaped = vector.shape_cast %gateScale : vector<8xf32> to vector<1x8xf32>
    %lanes = vector.broadcast %shaped : vector<1x8xf32> to vector<16x8xf32>
    %product = arith.mulf %gate, %lanes : vector<16x8xf32>
    %minus = arith.negf %product : vector<16x8xf32>
    %exp = math.exp %minus : vector<16x8xf32>
    %sum = arith.addf %one, %exp : vector<16x8xf32>
    %quotient = arith.divf %product, %sum : vector<16x8xf32>
    %upScale = tile.load %scale_tiles[%c1, %t] pad(zero) : !ScaleTiles
    %shaped_1 = vector.shape_cast %upScale : vector<8xf32> to vector<1x8xf32>
    %lanes_1 = vector.broadcast %shaped_1 : vector<1x8xf32> to vector<16x8xf32>
    %product_1 = arith.mulf %up, %lanes_1 : vector<16x8xf32>
    %product_2 = arith.mulf %quotient, %product_1 : vector<16x8xf32>
    %narrow = arith.truncf %product_2 : vector<16x8xf32> to vector<16x8xbf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
