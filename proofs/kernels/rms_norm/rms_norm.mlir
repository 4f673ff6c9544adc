// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in bf16
// any M and N, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x bf16, shared>
!Weight = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!XTiles = !tile.partition<[_, 2048], [M, N] x bf16, shared>
!YTiles = !tile.partition<[_, 2048], [M, N] x bf16, out>
!WeightTiles = !tile.partition<[2048], [N] x bf16, shared>
!YPiece = !tile.piece<[_, 2048] x bf16, out>
tile.kernel @rms_norm(%x: !X, %weight: !Weight, %y: !Y, %eps: f32) grid [M]
    hints {sm_90 = {occupancy = 8}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<2048xf32>
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 2048] : !X
  %weight_tiles = tile.partition %weight by [2048] : !Weight
  %y_tiles = tile.partition %y by [_, 2048] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %squares = scf.for %k = %c0 to %n step %c1 iter_args(%squares = %zero) -> (vector<2048xf32>) {
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %t = arith.extf %tile : vector<2048xbf16> to vector<2048xf32>
    %product = arith.mulf %t, %t : vector<2048xf32>
    %squares_1 = arith.addf %squares, %product : vector<2048xf32>
    scf.yield %squares_1 : vector<2048xf32>
  }
  %sum = tile.reduce add %squares, 0 : vector<2048xf32>
  %index = arith.index_cast %N : index to i64
  %real = arith.sitofp %index : i64 to f32
  %quotient = arith.divf %sum, %real : f32
  %sum_1 = arith.addf %quotient, %eps : f32
  %rsqrt = math.rsqrt %sum_1 : f32
  %scale = vector.broadcast %rsqrt : f32 to vector<2048xf32>
  scf.for %k = %c0 to %n step %c1 {
    %y_piece = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(zero) : !XTiles
    %wide = arith.extf %tile : vector<2048xbf16> to vector<2048xf32>
    %unit = arith.mulf %wide, %scale : vector<2048xf32>
    %tile_1 = tile.load %weight_tiles[%k] pad(zero) : !WeightTiles
    %w = arith.extf %tile_1 : vector<2048xbf16> to vector<2048xf32>
    %product = arith.mulf %unit, %w : vector<2048xf32>
    %narrow = arith.truncf %product : vector<2048xf32> to vector<2048xbf16>
    tile.store %narrow, %y_piece : !YPiece
  }
}
