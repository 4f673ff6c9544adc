// y[n] = value in i32
// any N, zero and ragged included
// generated from creation.cpp
!Y = !tile.tensor<[N] x i32, out>
!YTiles = !tile.partition<[1024], [N] x i32, out>
!YPiece = !tile.piece<[1024] x i32, out>
tile.kernel @fill_i32(%y: !Y) symbols [value : i32] grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %value = tile.symbol "value" : i32
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %lanes = vector.broadcast %value : i32 to vector<1024xi32>
  tile.store %lanes, %y_piece : !YPiece
}
