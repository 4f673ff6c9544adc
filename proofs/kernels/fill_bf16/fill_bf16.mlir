// y[n] = value in bf16, rounded from f32
// any N, zero and ragged included
!Y = !tile.tensor<[N] x bf16, out>
!PY = !tile.partition<[1024], [N] x bf16, out>
!P = !tile.piece<[1024] x bf16, out>
tile.kernel @fill_bf16(%y: !Y, %value: f32)
    grid [ceildiv(N, 1024)] {
  %i = tile.block_id 0
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%i] : !PY
  %narrow = arith.truncf %value : f32 to bf16
  %values = vector.broadcast %narrow : bf16 to vector<1024xbf16>
  tile.store %values, %out : !P
}
