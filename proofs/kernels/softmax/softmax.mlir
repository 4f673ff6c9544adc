// y[M, N] = softmax over each row of x[M, N] in f32, in three passes over tiles
// of a row; a row of -inf gives nan
// any M and N, zero and ragged included
// generated from norm.cpp
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!XTiles = !tile.partition<[_, 4096], [M, N] x f32, shared>
!YTiles = !tile.partition<[_, 4096], [M, N] x f32, out>
!YPiece = !tile.piece<[_, 4096] x f32, out>
tile.kernel @softmax(%x: !X, %y: !Y) grid [M]
    hints {sm_90 = {worker_warps = 8, occupancy = 4}} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %neg_infinity = arith.constant dense<0xFF800000> : vector<4096xf32>
  %zero = arith.constant dense<0.0> : vector<4096xf32>
  %row = tile.block_id 0
  %x_tiles = tile.partition %x by [_, 4096] : !X
  %y_tiles = tile.partition %y by [_, 4096] : !Y
  %n = tile.num_tiles %x_tiles, 1 : !XTiles
  %maxima = scf.for %k = %c0 to %n step %c1 iter_args(%maxima = %neg_infinity) -> (vector<4096xf32>) {
    %tile = tile.load %x_tiles[%row, %k] pad(neg_inf) : !XTiles
    %maxima_1 = arith.maximumf %maxima, %tile : vector<4096xf32>
    scf.yield %maxima_1 : vector<4096xf32>
  }
  %max = tile.reduce max %maxima, 0 : vector<4096xf32>
  %shift = vector.broadcast %max : f32 to vector<4096xf32>
  %sums = scf.for %k = %c0 to %n step %c1 iter_args(%sums = %zero) -> (vector<4096xf32>) {
    %tile = tile.load %x_tiles[%row, %k] pad(neg_inf) : !XTiles
    %less = arith.subf %tile, %shift : vector<4096xf32>
    %exp = math.exp %less : vector<4096xf32>
    %sums_1 = arith.addf %sums, %exp : vector<4096xf32>
    scf.yield %sums_1 : vector<4096xf32>
  }
  %sum = tile.reduce add %sums, 0 : vector<4096xf32>
  %scale = vector.broadcast %sum : f32 to vector<4096xf32>
  scf.for %k = %c0 to %n step %c1 {
    %y_piece = tile.claim %y_tiles[%row, %k] : !YTiles
    %tile = tile.load %x_tiles[%row, %k] pad(neg_inf) : !XTiles
    %less = arith.subf %tile, %shift : vector<4096xf32>
    %e = math.exp %less : vector<4096xf32>
    %quotient = arith.divf %e, %scale : vector<4096xf32>
    tile.store %quotient, %y_piece : !YPiece
  }
}
