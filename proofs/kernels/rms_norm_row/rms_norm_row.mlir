// y[m, n] = x[m, n] * weight[n] / sqrt(mean over n of x[m, n]^2 + eps), in
// bf16, a row a block, in one tile: each element of x is read once any M, and N
// up to 8192, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x bf16, shared, strides [ldx, 1]>
!Weight = !tile.tensor<[N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out, strides [ldy, 1]>
!XTiles = !tile.partition<[_, 8192], [M, N] x bf16, shared, strides [ldx, 1]>
!YTiles = !tile.partition<[_, 8192], [M, N] x bf16, out, strides [ldy, 1]>
!WeightTiles = !tile.partition<[8192], [N] x bf16, shared>
!YPiece = !tile.piece<[_, 8192] x bf16, out>
tile.kernel @rms_norm_row(%x: !X, %weight: !Weight, %y: !Y, %eps: f32)
    symbols [ldx : index, ldy : index] grid [M] requires [N <= 8192]
    hints {sm_90 = {occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %row = tile.block_id 0
  %N = tile.symbol "N" : index
  %x_tiles = tile.partition %x by [_, 8192] : !X
  %weight_tiles = tile.partition %weight by [8192] : !Weight
  %y_tiles = tile.partition %y by [_, 8192] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %is = arith.cmpi sgt, %n, %c0 : index
  scf.if %is {
    %out = tile.claim %y_tiles[%row, %c0] : !YTiles
    %tile = tile.load %x_tiles[%row, %c0] pad(zero) : !XTiles
    %t = arith.extf %tile : vector<8192xbf16> to vector<8192xf32>
    %product = arith.mulf %t, %t : vector<8192xf32>
    %sum = tile.reduce add %product, 0 : vector<8192xf32>
    %index = arith.index_cast %N : index to i64
    %real = arith.sitofp %index : i64 to f32
    %quotient = arith.divf %sum, %real : f32
    %sum_1 = arith.addf %quotient, %eps : f32
    %rsqrt = math.rsqrt %sum_1 : f32
    %lanes = vector.broadcast %rsqrt : f32 to vector<8192xf32>
    %unit = arith.mulf %t, %lanes : vector<8192xf32>
    %tile_1 = tile.load %weight_tiles[%c0] pad(zero) : !WeightTiles
    %w = arith.extf %tile_1 : vector<8192xbf16> to vector<8192xf32>
    %product_1 = arith.mulf %unit, %w : vector<8192xf32>
    %narrow = arith.truncf %product_1 : vector<8192xf32> to vector<8192xbf16>
    tile.store %narrow, %out : !YPiece
  }
}
