// y[N] = w[N, K] x[K] in f16, sums in f32, by P programs, as gemv_by_depth.
// any N and K up to 32768, multiples of 8, zero and ragged included; P at least
// 1
// generated from gemv.cpp
!W = !tile.tensor<[N, K] x f16, shared>
!X = !tile.tensor<[K] x f16, shared>
!Y = !tile.tensor<[N] x f16, out>
!WTiles = !tile.partition<[4, 512], [N, K] x f16, shared>
!YTiles = !tile.partition<[4], [N] x f16, out>
!XTiles = !tile.partition<[512], [K] x f16, shared>
!YPiece = !tile.piece<[4] x f16, out>
!WTiles_1 = !tile.partition<[2, 512], [N, K] x f16, shared>
!YTiles_1 = !tile.partition<[2], [N] x f16, out>
!YPiece_1 = !tile.piece<[2] x f16, out>
!WTiles_2 = !tile.partition<[1, 512], [N, K] x f16, shared>
!YTiles_2 = !tile.partition<[1], [N] x f16, out>
!YPiece_2 = !tile.piece<[1] x f16, out>
tile.variants @gemv_f16 [@gemv_f16_rows_4_2560_4 when (K <= 2560), @gemv_f16_rows_2_5120_4 when (K <= 5120), @gemv_f16_rows_1_10240_4 when (K <= 10240), @gemv_f16_rows_1_32768_4]
tile.kernel @gemv_f16_rows_4_2560_4(%w: !W, %x: !X, %y: !Y) symbols [P : index]
    grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 2560] hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [4, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %y_tiles = tile.partition %y by [4] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<4xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles
      %wide = arith.extf %a : vector<4x512xf16> to vector<4x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<4x512xf32>
      %product = arith.mulf %wide, %lanes : vector<4x512xf32>
      %sum = tile.reduce add %product, 1 : vector<4x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<4xf32>
      scf.yield %acc_1 : vector<4xf32>
    }
    %narrow = arith.truncf %acc : vector<4xf32> to vector<4xf16>
    tile.store %narrow, %out : !YPiece
  }
}
tile.kernel @gemv_f16_rows_2_5120_4(%w: !W, %x: !X, %y: !Y) symbols [P : index]
    grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 5120] hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [2, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %y_tiles = tile.partition %y by [2] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_1
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_1
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_1
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<2xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_1
      %wide = arith.extf %a : vector<2x512xf16> to vector<2x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<2x512xf32>
      %product = arith.mulf %wide, %lanes : vector<2x512xf32>
      %sum = tile.reduce add %product, 1 : vector<2x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<2xf32>
      scf.yield %acc_1 : vector<2xf32>
    }
    %narrow = arith.truncf %acc : vector<2xf32> to vector<2xf16>
    tile.store %narrow, %out : !YPiece_1
  }
}
tile.kernel @gemv_f16_rows_1_10240_4(%w: !W, %x: !X, %y: !Y) symbols [P : index]
    grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 10240] hints {sm_90 = {slots = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [1, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %y_tiles = tile.partition %y by [1] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_2
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_2
      %wide = arith.extf %a : vector<1x512xf16> to vector<1x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<1x512xf32>
      %product = arith.mulf %wide, %lanes : vector<1x512xf32>
      %sum = tile.reduce add %product, 1 : vector<1x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<1xf32>
      scf.yield %acc_1 : vector<1xf32>
    }
    %narrow = arith.truncf %acc : vector<1xf32> to vector<1xf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
tile.kernel @gemv_f16_rows_1_32768_4(%w: !W, %x: !X, %y: !Y) symbols [P : index]
    grid [P] requires [P >= 1, mod(K, 8) == 0, K <= 32768]
    hints {sm_90 = {slots = 4, slot_bytes = 3584}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1xf32>
  %first = tile.block_id 0
  %P = tile.symbol "P" : index
  %w_tiles = tile.partition %w by [1, 512] : !W
  %x_tiles = tile.partition %x by [512] : !X
  %y_tiles = tile.partition %y by [1] : !Y
  %n = tile.num_tiles %w_tiles, 1 : !WTiles_2
  %rows = tile.num_tiles %y_tiles, 0 : !YTiles_2
  scf.for %t = %first to %rows step %P {
    %out = tile.claim %y_tiles[%t] : !YTiles_2
    %acc = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<1xf32>) {
      %a = tile.load %w_tiles[%t, %k] pad(zero) : !WTiles_2
      %wide = arith.extf %a : vector<1x512xf16> to vector<1x512xf32>
      %b = tile.load %x_tiles[%k] pad(zero) : !XTiles
      %wide_1 = arith.extf %b : vector<512xf16> to vector<512xf32>
      %lanes = vector.broadcast %wide_1 : vector<512xf32> to vector<1x512xf32>
      %product = arith.mulf %wide, %lanes : vector<1x512xf32>
      %sum = tile.reduce add %product, 1 : vector<1x512xf32>
      %acc_1 = arith.addf %acc, %sum : vector<1xf32>
      scf.yield %acc_1 : vector<1xf32>
    }
    %narrow = arith.truncf %acc : vector<1xf32> to vector<1xf16>
    tile.store %narrow, %out : !YPiece_2
  }
}
