// y[n] = value, rounded from f32
// any N, zero and ragged included
// generated from creation.cpp
!Y = !tile.tensor<[N] x f16, out>
!YTiles = !tile.partition<[1024], [N] x f16, out>
!YPiece = !tile.piece<[1024] x f16, out>
tile.kernel @fill_f16(%y: !Y, %value: f32) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %narrow = arith.truncf %value : f32 to f16
  %lanes = vector.broadcast %narrow : f16 to vector<1024xf16>
  tile.store %lanes, %y_piece : !YPiece
}
