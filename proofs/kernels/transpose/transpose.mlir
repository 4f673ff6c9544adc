// y[N, M] = transpose of x[M, N] in f32
// any M and N, zero and ragged included
// generated from layout.cpp
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[N, M] x f32, out>
!YTiles = !tile.partition<[64, 64], [N, M] x f32, out>
!XTiles = !tile.partition<[64, 64], [M, N] x f32, shared>
!YPiece = !tile.piece<[64, 64] x f32, out>
tile.kernel @transpose(%x: !X, %y: !Y) grid [ceildiv(M, 64), ceildiv(N, 64)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %x_tiles = tile.partition %x by [64, 64] : !X
  %y_tiles = tile.partition %y by [64, 64] : !Y
  %out = tile.claim %y_tiles[%j, %i] : !YTiles
  %tile = tile.load %x_tiles[%i, %j] pad(zero) : !XTiles
  %turned = vector.transpose %tile, [1, 0] : vector<64x64xf32> to vector<64x64xf32>
  tile.store %turned, %out : !YPiece
}
