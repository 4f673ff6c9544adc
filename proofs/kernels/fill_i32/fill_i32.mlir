// y[n] = value in i32
// any N, zero and ragged included
!Y = !tile.tensor<[N] x i32, out>
!PY = !tile.partition<[1024], [N] x i32, out>
!P = !tile.piece<[1024] x i32, out>
tile.kernel @fill_i32(%y: !Y) symbols [value : i32]
    grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %value = tile.symbol "value" : i32
  %values = vector.broadcast %value : i32 to vector<1024xi32>
  tile.store %values, %out : !P
}
