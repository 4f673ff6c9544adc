// y[N] = alpha * x[N] + y[N] in f32, in place
// any N, zero and ragged included
// generated from elementwise.cpp
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!YTiles = !tile.partition<[1024], [N] x f32, own>
!XTiles = !tile.partition<[1024], [N] x f32, shared>
!YPiece = !tile.piece<[1024] x f32, own>
tile.kernel @saxpy(%alpha: f32, %x: !X, %y: !Y) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %x_tiles = tile.partition %x by [1024] : !X
  %y_tiles = tile.partition %y by [1024] : !Y
  %piece = tile.claim %y_tiles[%i] : !YTiles
  %lanes = vector.broadcast %alpha : f32 to vector<1024xf32>
  %a = tile.load %x_tiles[%i] pad(zero) : !XTiles
  %product = arith.mulf %lanes, %a : vector<1024xf32>
  %b = tile.load %piece pad(zero) : !YPiece
  %sum = arith.addf %product, %b : vector<1024xf32>
  tile.store %sum, %piece : !YPiece
}
