// y[n] = value in f16, rounded from f32
// any N, zero and ragged included
!Y = !tile.tensor<[N] x f16, out>
!PY = !tile.partition<[1024], [N] x f16, out>
!P = !tile.piece<[1024] x f16, out>
tile.kernel @fill_f16(%y: !Y, %value: f32)
    grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %narrow = arith.truncf %value : f32 to f16
  %values = vector.broadcast %narrow : f16 to vector<1024xf16>
  tile.store %values, %out : !P
}
