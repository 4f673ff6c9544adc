// y[n] = first + n * step in i32, modulo 2^32
// any N, zero and ragged included
// generated from creation.cpp
!Y = !tile.tensor<[N] x i32, out>
!YTiles = !tile.partition<[1024], [N] x i32, out>
!YPiece = !tile.piece<[1024] x i32, out>
tile.kernel @arange_i32(%y: !Y) symbols [first : i32, step : i32]
    grid [ceildiv(N, 1024)] {
  %c1024 = arith.constant 1024 : index
  %lane0 = tile.iota 0 : vector<1024xi32>
  %i = tile.block_id 0
  %first = tile.symbol "first" : i32
  %step = tile.symbol "step" : i32
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %lanes = vector.broadcast %first : i32 to vector<1024xi32>
  %product = arith.muli %i, %c1024 : index
  %index = arith.index_cast %product : index to i32
  %lanes_1 = vector.broadcast %index : i32 to vector<1024xi32>
  %sum = arith.addi %lanes_1, %lane0 : vector<1024xi32>
  %lanes_2 = vector.broadcast %step : i32 to vector<1024xi32>
  %product_1 = arith.muli %sum, %lanes_2 : vector<1024xi32>
  %sum_1 = arith.addi %lanes, %product_1 : vector<1024xi32>
  tile.store %sum_1, %y_piece : !YPiece
}
