// y[N] = row r of x[M, N], in bf16: the last token's state before the head
// any M and N, zero and ragged included; r below M
// generated from layout.cpp
!X = !tile.tensor<[M, N] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!YTiles = !tile.partition<[1024], [N] x bf16, out>
!XTiles = !tile.partition<[_, 1024], [M, N] x bf16, shared>
!YPiece = !tile.piece<[1024] x bf16, out>
tile.kernel @gather_row(%x: !X, %y: !Y) symbols [r : index] grid [ceildiv(N, 1024)]
    requires [r < M] {
  %j = tile.block_id 0
  %r = tile.symbol "r" : index
  %x_tiles = tile.partition %x by [_, 1024] : !X
  %y_tiles = tile.partition %y by [1024] : !Y
  %out = tile.claim %y_tiles[%j] : !YTiles
  %tile = tile.load %x_tiles[%r, %j] pad(zero) : !XTiles
  tile.store %tile, %out : !YPiece
}
