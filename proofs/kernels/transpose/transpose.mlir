// y[N, M] = transpose of x[M, N] in f32
// any M and N, zero and ragged included
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[N, M] x f32, out>
!PX = !tile.partition<[64, 64], [M, N] x f32, shared>
!PY = !tile.partition<[64, 64], [N, M] x f32, out>
!P = !tile.piece<[64, 64] x f32, out>
tile.kernel @transpose(%x: !X, %y: !Y) grid [ceildiv(M, 64), ceildiv(N, 64)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [64, 64] : !X
  %py = tile.partition %y by [64, 64] : !Y
  %out = tile.claim %py[%j, %i] : !PY
  %tile = tile.load %px[%i, %j] pad(zero) : !PX
  %turned = vector.transpose %tile, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
  tile.store %turned, %out : !P
}
