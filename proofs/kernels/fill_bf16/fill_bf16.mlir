// y[n] = value, rounded from f32
// any N, zero and ragged included
// generated from creation.cpp
!Y = !tile.tensor<[N] x bf16, out>
!YTiles = !tile.partition<[1024], [N] x bf16, out>
!YPiece = !tile.piece<[1024] x bf16, out>
tile.kernel @fill_bf16(%y: !Y, %value: f32) grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %narrow = arith.truncf %value : f32 to bf16
  %lanes = vector.broadcast %narrow : bf16 to vector<1024xbf16>
  tile.store %lanes, %y_piece : !YPiece
}
