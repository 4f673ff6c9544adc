// y[n] = value, rounded from f32
// any N, zero and ragged included
// generated from creation.cpp
!Y = !tile.tensor<[N] x f32, out>
!YTiles = !tile.partition<[1024], [N] x f32, out>
!YPiece = !tile.piece<[1024] x f32, out>
tile.kernel @fill(%y: !Y, %value: f32) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %lanes = vector.broadcast %value : f32 to vector<1024xf32>
  tile.store %lanes, %y_piece : !YPiece
}
