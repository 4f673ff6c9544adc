// What linear_split_k leaves, added up and to a residual, in sum[M, N], which
// is rounded to bf16 once, and of that y[M, N] = sum / sqrt(mean of its squares
// + eps) weight, as add_rms_norm.
// any S and M, and N up to 8192, zero and ragged included
// generated from fused.cpp
!Partial = !tile.tensor<[S, M, N] x f32, shared>
!Residual = !tile.tensor<[M, N] x bf16, shared>
!Weight = !tile.tensor<[N] x bf16, shared>
!Sum = !tile.tensor<[M, N] x bf16, out>
!PartialTiles = !tile.partition<[_, _, 1024], [S, M, N] x f32, shared>
!SumTiles = !tile.partition<[_, 1024], [M, N] x bf16, out>
!WeightTiles = !tile.partition<[1024], [N] x bf16, shared>
!ResidualTiles = !tile.partition<[_, 1024], [M, N] x bf16, shared>
!SumPiece = !tile.piece<[_, 1024] x bf16, out>
!PartialTiles_1 = !tile.partition<[_, _, 4096], [S, M, N] x f32, shared>
!SumTiles_1 = !tile.partition<[_, 4096], [M, N] x bf16, out>
!WeightTiles_1 = !tile.partition<[4096], [N] x bf16, shared>
!ResidualTiles_1 = !tile.partition<[_, 4096], [M, N] x bf16, shared>
!SumPiece_1 = !tile.piece<[_, 4096] x bf16, out>
!PartialTiles_2 = !tile.partition<[_, _, 8192], [S, M, N] x f32, shared>
!SumTiles_2 = !tile.partition<[_, 8192], [M, N] x bf16, out>
!WeightTiles_2 = !tile.partition<[8192], [N] x bf16, shared>
!ResidualTiles_2 = !tile.partition<[_, 8192], [M, N] x bf16, shared>
!SumPiece_2 = !tile.piece<[_, 8192] x bf16, out>
tile.variants @add_rms_norm_split_k [@add_norm_of_splits_1024_4_4 when (N <= 1024), @add_norm_of_splits_4096_16_1 when (N <= 4096, M <= 128), @add_norm_of_splits_4096_8_2 when (N <= 4096), @add_norm_of_splits_8192_16_1]
tile.kernel @add_norm_of_splits_1024_4_4(%partial: !Partial, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Sum, %eps: f32)
    grid [M] requires [N <= 1024]
    hints {sm_90 = {early = 1, worker_warps = 4, occupancy = 4, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %row = tile.block_id 0
  %S = tile.symbol "S" : index
  %N = tile.symbol "N" : index
  %partial_tiles = tile.partition %partial by [_, _, 1024] : !Partial
  %residual_tiles = tile.partition %residual by [_, 1024] : !Residual
  %weight_tiles = tile.partition %weight by [1024] : !Weight
  %sum_tiles = tile.partition %sum by [_, 1024] : !Sum
  %y_tiles = tile.partition %y by [_, 1024] : !Sum
  %n = tile.num_tiles %partial_tiles, 2 : !PartialTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outSum = tile.claim %sum_tiles[%row, %c0] : !SumTiles
    %out = tile.claim %y_tiles[%row, %c0] : !SumTiles
    %acc = scf.for %s = %c0 to %S step %c1 iter_args(%acc = %zero) -> (vector<1024xf32>) {
      %tile = tile.load %partial_tiles[%s, %row, %c0] pad(zero) : !PartialTiles
      %acc_1 = arith.addf %acc, %tile : vector<1024xf32>
      scf.yield %acc_1 : vector<1024xf32>
    }
    %tile = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles
    %tile_1 = tile.load %residual_tiles[%row, %c0] pad(zero) : !ResidualTiles
    %before = arith.extf %tile_1 : vector<1024xbf16> to vector<1024xf32>
    %sum_1 = arith.addf %acc, %before : vector<1024xf32>
    %rounded = arith.truncf %sum_1 : vector<1024xf32> to vector<1024xbf16>
    tile.store %rounded, %outSum : !SumPiece
    %t = arith.extf %rounded : vector<1024xbf16> to vector<1024xf32>
    %product = arith.mulf %t, %t : vector<1024xf32>
    %sum_2 = tile.reduce add %product, 0 : vector<1024xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %mean = arith.divf %sum_2, %real : f32
    %sum_3 = arith.addf %mean, %eps : f32
    %rsqrt = math.rsqrt %sum_3 : f32
    %lanes = vector.broadcast %rsqrt : f32 to vector<1024xf32>
    %product_1 = arith.mulf %t, %lanes : vector<1024xf32>
    %w = arith.extf %tile : vector<1024xbf16> to vector<1024xf32>
    %product_2 = arith.mulf %product_1, %w : vector<1024xf32>
    %narrow = arith.truncf %product_2 : vector<1024xf32> to vector<1024xbf16>
    tile.store %narrow, %out : !SumPiece
  }
}
tile.kernel @add_norm_of_splits_4096_16_1(%partial: !Partial, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Sum, %eps: f32)
    grid [M] requires [N <= 4096]
    hints {sm_90 = {early = 1, worker_warps = 16, occupancy = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4096xf32>
  %row = tile.block_id 0
  %S = tile.symbol "S" : index
  %N = tile.symbol "N" : index
  %partial_tiles = tile.partition %partial by [_, _, 4096] : !Partial
  %residual_tiles = tile.partition %residual by [_, 4096] : !Residual
  %weight_tiles = tile.partition %weight by [4096] : !Weight
  %sum_tiles = tile.partition %sum by [_, 4096] : !Sum
  %y_tiles = tile.partition %y by [_, 4096] : !Sum
  %n = tile.num_tiles %partial_tiles, 2 : !PartialTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outSum = tile.claim %sum_tiles[%row, %c0] : !SumTiles_1
    %out = tile.claim %y_tiles[%row, %c0] : !SumTiles_1
    %acc = scf.for %s = %c0 to %S step %c1 iter_args(%acc = %zero) -> (vector<4096xf32>) {
      %tile = tile.load %partial_tiles[%s, %row, %c0] pad(zero) : !PartialTiles_1
      %acc_1 = arith.addf %acc, %tile : vector<4096xf32>
      scf.yield %acc_1 : vector<4096xf32>
    }
    %tile = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_1
    %tile_1 = tile.load %residual_tiles[%row, %c0] pad(zero) : !ResidualTiles_1
    %before = arith.extf %tile_1 : vector<4096xbf16> to vector<4096xf32>
    %sum_1 = arith.addf %acc, %before : vector<4096xf32>
    %rounded = arith.truncf %sum_1 : vector<4096xf32> to vector<4096xbf16>
    tile.store %rounded, %outSum : !SumPiece_1
    %t = arith.extf %rounded : vector<4096xbf16> to vector<4096xf32>
    %product = arith.mulf %t, %t : vector<4096xf32>
    %sum_2 = tile.reduce add %product, 0 : vector<4096xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %mean = arith.divf %sum_2, %real : f32
    %sum_3 = arith.addf %mean, %eps : f32
    %rsqrt = math.rsqrt %sum_3 : f32
    %lanes = vector.broadcast %rsqrt : f32 to vector<4096xf32>
    %product_1 = arith.mulf %t, %lanes : vector<4096xf32>
    %w = arith.extf %tile : vector<4096xbf16> to vector<4096xf32>
    %product_2 = arith.mulf %product_1, %w : vector<4096xf32>
    %narrow = arith.truncf %product_2 : vector<4096xf32> to vector<4096xbf16>
    tile.store %narrow, %out : !SumPiece_1
  }
}
tile.kernel @add_norm_of_splits_4096_8_2(%partial: !Partial, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Sum, %eps: f32)
    grid [M] requires [N <= 4096]
    hints {sm_90 = {early = 1, worker_warps = 8, occupancy = 2, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<4096xf32>
  %row = tile.block_id 0
  %S = tile.symbol "S" : index
  %N = tile.symbol "N" : index
  %partial_tiles = tile.partition %partial by [_, _, 4096] : !Partial
  %residual_tiles = tile.partition %residual by [_, 4096] : !Residual
  %weight_tiles = tile.partition %weight by [4096] : !Weight
  %sum_tiles = tile.partition %sum by [_, 4096] : !Sum
  %y_tiles = tile.partition %y by [_, 4096] : !Sum
  %n = tile.num_tiles %partial_tiles, 2 : !PartialTiles_1
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outSum = tile.claim %sum_tiles[%row, %c0] : !SumTiles_1
    %out = tile.claim %y_tiles[%row, %c0] : !SumTiles_1
    %acc = scf.for %s = %c0 to %S step %c1 iter_args(%acc = %zero) -> (vector<4096xf32>) {
      %tile = tile.load %partial_tiles[%s, %row, %c0] pad(zero) : !PartialTiles_1
      %acc_1 = arith.addf %acc, %tile : vector<4096xf32>
      scf.yield %acc_1 : vector<4096xf32>
    }
    %tile = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_1
    %tile_1 = tile.load %residual_tiles[%row, %c0] pad(zero) : !ResidualTiles_1
    %before = arith.extf %tile_1 : vector<4096xbf16> to vector<4096xf32>
    %sum_1 = arith.addf %acc, %before : vector<4096xf32>
    %rounded = arith.truncf %sum_1 : vector<4096xf32> to vector<4096xbf16>
    tile.store %rounded, %outSum : !SumPiece_1
    %t = arith.extf %rounded : vector<4096xbf16> to vector<4096xf32>
    %product = arith.mulf %t, %t : vector<4096xf32>
    %sum_2 = tile.reduce add %product, 0 : vector<4096xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %mean = arith.divf %sum_2, %real : f32
    %sum_3 = arith.addf %mean, %eps : f32
    %rsqrt = math.rsqrt %sum_3 : f32
    %lanes = vector.broadcast %rsqrt : f32 to vector<4096xf32>
    %product_1 = arith.mulf %t, %lanes : vector<4096xf32>
    %w = arith.extf %tile : vector<4096xbf16> to vector<4096xf32>
    %product_2 = arith.mulf %product_1, %w : vector<4096xf32>
    %narrow = arith.truncf %product_2 : vector<4096xf32> to vector<4096xbf16>
    tile.store %narrow, %out : !SumPiece_1
  }
}
tile.kernel @add_norm_of_splits_8192_16_1(%partial: !Partial, %residual: !Residual, %weight: !Weight, %sum: !Sum, %y: !Sum, %eps: f32)
    grid [M] requires [N <= 8192]
    hints {sm_90 = {early = 1, worker_warps = 16, occupancy = 1, tma = 0}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<8192xf32>
  %row = tile.block_id 0
  %S = tile.symbol "S" : index
  %N = tile.symbol "N" : index
  %partial_tiles = tile.partition %partial by [_, _, 8192] : !Partial
  %residual_tiles = tile.partition %residual by [_, 8192] : !Residual
  %weight_tiles = tile.partition %weight by [8192] : !Weight
  %sum_tiles = tile.partition %sum by [_, 8192] : !Sum
  %y_tiles = tile.partition %y by [_, 8192] : !Sum
  %n = tile.num_tiles %partial_tiles, 2 : !PartialTiles_2
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %outSum = tile.claim %sum_tiles[%row, %c0] : !SumTiles_2
    %out = tile.claim %y_tiles[%row, %c0] : !SumTiles_2
    %acc = scf.for %s = %c0 to %S step %c1 iter_args(%acc = %zero) -> (vector<8192xf32>) {
      %tile = tile.load %partial_tiles[%s, %row, %c0] pad(zero) : !PartialTiles_2
      %acc_1 = arith.addf %acc, %tile : vector<8192xf32>
      scf.yield %acc_1 : vector<8192xf32>
    }
    %tile = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles_2
    %tile_1 = tile.load %residual_tiles[%row, %c0] pad(zero) : !ResidualTiles_2
    %before = arith.extf %tile_1 : vector<8192xbf16> to vector<8192xf32>
    %sum_1 = arith.addf %acc, %before : vector<8192xf32>
    %rounded = arith.truncf %sum_1 : vector<8192xf32> to vector<8192xbf16>
    tile.store %rounded, %outSum : !SumPiece_2
    %t = arith.extf %rounded : vector<8192xbf16> to vector<8192xf32>
    %product = arith.mulf %t, %t : vector<8192xf32>
    %sum_2 = tile.reduce add %product, 0 : vector<8192xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %mean = arith.divf %sum_2, %real : f32
    %sum_3 = arith.addf %mean, %eps : f32
    %rsqrt = math.rsqrt %sum_3 : f32
    %lanes = vector.broadcast %rsqrt : f32 to vector<8192xf32>
    %product_1 = arith.mulf %t, %lanes : vector<8192xf32>
    %w = arith.extf %tile : vector<8192xbf16> to vector<8192xf32>
    %product_2 = arith.mulf %product_1, %w : vector<8192xf32>
    %narrow = arith.truncf %product_2 : vector<8192xf32> to vector<8192xbf16>
    tile.store %narrow, %out : !SumPiece_2
  }
}
