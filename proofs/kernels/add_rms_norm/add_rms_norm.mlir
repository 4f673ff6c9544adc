// sum = x + residual, y[m, n] = sum[m, n] * weight[n] / sqrt(mean over n of
// sum[m, n]^2 + eps), in bf16; the sum is rounded once, and the norm is of what
// was rounded, so that y is the norm of the residual that the next layer reads
// any M and N, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x bf16, shared>
!Weight = !tile.tensor<[N] x bf16, shared>
!Sum = !tile.tensor<[M, N] x bf16, out>
!XTiles = !tile.partition<[_, 2048], [M, N] x bf16, shared>
!SumTiles = !tile.partition<[_, 2048], [M, N] x bf16, out>
!SumPiece = !tile.piece<[_, 2048] x bf16, out>
!WeightTiles = !tile.partition<[2048], [N] x bf16, shared>
tile.kernel @add_rms_norm(%x: !X, %residual: !X, %weight: !Weight, %sum: !Sum, %y: !Sum, %eps: f32)
    grid [M] hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2048xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 2048] : !X
  %residual_tiles = tile.partition %residual by [_, 2048] : !X
  %weight_tiles = tile.partition %weight by [2048] : !Weight
  %sum_tiles = tile.partition %sum by [_, 2048] : !Sum
  %y_tiles = tile.partition %y by [_, 2048] : !Sum
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<2048xf32>) {
    %out = tile.claim %sum_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<2048xbf16> to vector<2048xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !XTiles
    %b = arith.extf %tile_1 : vector<2048xbf16> to vector<2048xf32>
    %sum_1 = arith.addf %a, %b : vector<2048xf32>
    %narrow = arith.truncf %sum_1 : vector<2048xf32> to vector<2048xbf16>
    tile.store %narrow, %out : !SumPiece
    %t = arith.extf %narrow : vector<2048xbf16> to vector<2048xf32>
    %product = arith.mulf %t, %t : vector<2048xf32>
    %squares_1 = arith.addf %squares, %product : vector<2048xf32>
    scf.yield %squares_1 : vector<2048xf32>
  }
  %sum_1 = tile.reduce add %squares, 0 : vector<2048xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum_1, %real : f32
  %sum_2 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_2 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<2048xf32>
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %y_tiles[%row, %k] : !SumTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %a = arith.extf %tile : vector<2048xbf16> to vector<2048xf32>
    %tile_1 = tile.load %residual_tiles[%row, %k] pad(zero) : !XTiles
    %b = arith.extf %tile_1 : vector<2048xbf16> to vector<2048xf32>
    %sum_3 = arith.addf %a, %b : vector<2048xf32>
    %narrow = arith.truncf %sum_3 : vector<2048xf32> to vector<2048xbf16>
    %wide = arith.extf %narrow : vector<2048xbf16> to vector<2048xf32>
    %product = arith.mulf %wide, %scale : vector<2048xf32>
    %tile_2 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_2 : vector<2048xbf16> to vector<2048xf32>
    %product_1 = arith.mulf %product, %w : vector<2048xf32>
    %narrow_1 = arith.truncf %product_1 : vector<2048xf32> to vector<2048xbf16>
    tile.store %narrow_1, %out : !SumPiece
  }
}
