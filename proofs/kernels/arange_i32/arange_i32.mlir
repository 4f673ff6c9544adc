// y[n] = first + n * step in i32, modulo 2^32
// any N, zero and ragged included
!Y = !tile.tensor<[N] x i32, out>
!PY = !tile.partition<[1024], [N] x i32, out>
!P = !tile.piece<[1024] x i32, out>
tile.kernel @arange_i32(%y: !Y) symbols [first : i32, step : i32]
    grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %c1024 = arith.constant 1024 : index
  %first = arith.muli %i, %c1024 : index
  %first32 = arith.index_cast %first : index to i32
  %firsts = vector.broadcast %first32 : i32 to vector<1024xi32>
  %lane = tile.iota 0 : vector<1024xi32>
  %n = arith.addi %firsts, %lane : vector<1024xi32>
  %step = tile.symbol "step" : i32
  %steps = vector.broadcast %step : i32 to vector<1024xi32>
  %way = arith.muli %n, %steps : vector<1024xi32>
  %from = tile.symbol "first" : i32
  %froms = vector.broadcast %from : i32 to vector<1024xi32>
  %values = arith.addi %froms, %way : vector<1024xi32>
  tile.store %values, %out : !P
}
