// y[n] = value in f32
// any N, zero and ragged included
!Y = !tile.tensor<[N] x f32, out>
!PY = !tile.partition<[1024], [N] x f32, out>
!P = !tile.piece<[1024] x f32, out>
tile.kernel @fill(%y: !Y, %value: f32)
    grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %values = vector.broadcast %value : f32 to vector<1024xf32>
  tile.store %values, %out : !P
}
