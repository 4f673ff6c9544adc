// y[n] = x[n] * scale where the hash of (seed, n) is at least `threshold`, else
// 0: no mask is stored, the backward pass hashes again. Element n is dropped
// with the chance (threshold + 2^63) / 2^64. In f32.
// any N, zero and ragged included
// generated from elementwise.cpp
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!YTiles = !tile.partition<[1024], [N] x f32, out>
!XTiles = !tile.partition<[1024], [N] x f32, shared>
!YPiece = !tile.piece<[1024] x f32, out>
tile.kernel @dropout(%x: !X, %y: !Y, %scale: f32)
    symbols [seed : i64, threshold : i64] grid [ceildiv(N, 1024)] {
  %c1024 = arith.constant 1024 : index
  %c_7046029254386353131 = arith.constant dense<-7046029254386353131> : vector<1024xi64>
  %c2 = arith.constant dense<2> : vector<1024xi64>
  %one = arith.constant dense<1> : vector<1024xi64>
  %c_4658895280553007687 = arith.constant dense<-4658895280553007687> : vector<1024xi64>
  %zero = arith.constant dense<0.0> : vector<1024xf32>
  %lane0 = tile.iota 0 : vector<1024xi64>
  %i = tile.block_id 0
  %seed = tile.symbol "seed" : i64
  %threshold = tile.symbol "threshold" : i64
  %x_tiles = tile.partition %x by [1024] : !X
  %y_tiles = tile.partition %y by [1024] : !Y
  %y_piece = tile.claim %y_tiles[%i] : !YTiles
  %product = arith.muli %i, %c1024 : index
  %index = arith.index_cast %product : index to i64
  %lanes = vector.broadcast %index : i64 to vector<1024xi64>
  %n = arith.addi %lanes, %lane0 : vector<1024xi64>
  %product_1 = arith.muli %n, %c_7046029254386353131 : vector<1024xi64>
  %lanes_1 = vector.broadcast %seed : i64 to vector<1024xi64>
  %spread = arith.xori %product_1, %lanes_1 : vector<1024xi64>
  %product_2 = arith.muli %spread, %c2 : vector<1024xi64>
  %sum = arith.addi %product_2, %one : vector<1024xi64>
  %product_3 = arith.muli %spread, %sum : vector<1024xi64>
  %product_4 = arith.muli %product_3, %c_4658895280553007687 : vector<1024xi64>
  %sum_1 = arith.addi %product_4, %lanes_1 : vector<1024xi64>
  %product_5 = arith.muli %sum_1, %c2 : vector<1024xi64>
  %sum_2 = arith.addi %product_5, %one : vector<1024xi64>
  %product_6 = arith.muli %sum_1, %sum_2 : vector<1024xi64>
  %lanes_2 = vector.broadcast %threshold : i64 to vector<1024xi64>
  %is = arith.cmpi sge, %product_6, %lanes_2 : vector<1024xi64>
  %v = tile.load %x_tiles[%i] pad(zero) : !XTiles
  %lanes_3 = vector.broadcast %scale : f32 to vector<1024xf32>
  %product_7 = arith.mulf %v, %lanes_3 : vector<1024xf32>
  %chosen = arith.select %is, %product_7, %zero : vector<1024xi1>, vector<1024xf32>
  tile.store %chosen, %y_piece : !YPiece
}
