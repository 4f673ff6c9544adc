// y[n] = first + n * step in f32, where n is rounded to f32 before
// any N, zero and ragged included
// generated from creation.cpp
!Y = !tile.tensor<[N] x f32, out>
!YTiles = !tile.partition<[1024], [N] x f32, out>
!YPiece = !tile.piece<[1024] x f32, out>
tile.kernel @arange(%y: !Y, %first: f32, %step: f32) grid [ceildiv(N, 1024)] {
  %c1024 = arith.constant 1024 : index
  %lane0 = tile.iota 0 : vector<1024xi64>
  %i = tile.block_id 0
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %product = arith.muli %i, %c1024 : index
  %index = arith.index_cast %product : index to i64
  %lanes = vector.broadcast %index : i64 to vector<1024xi64>
  %sum = arith.addi %lanes, %lane0 : vector<1024xi64>
  %real = arith.sitofp %sum : vector<1024xi64> to vector<1024xf32>
  %lanes_1 = vector.broadcast %step : f32 to vector<1024xf32>
  %lanes_2 = vector.broadcast %first : f32 to vector<1024xf32>
  %fma = math.fma %real, %lanes_1, %lanes_2 : vector<1024xf32>
  tile.store %fma, %y_piece : !YPiece
}
