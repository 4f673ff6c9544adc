// y[B, H, S, D] = x[B, S, H, D]: heads before positions, in bf16
// any B, S, H and D, zero and ragged included
// generated from layout.cpp
!X = !tile.tensor<[B, S, H, D] x bf16, shared>
!Y = !tile.tensor<[B, H, S, D] x bf16, out>
!YTiles = !tile.partition<[_, _, 64, 64], [B, H, S, D] x bf16, out>
!XTiles = !tile.partition<[_, 64, _, 64], [B, S, H, D] x bf16, shared>
!YPiece = !tile.piece<[_, _, 64, 64] x bf16, out>
tile.kernel @permute_heads(%x: !X, %y: !Y) grid [B, H, ceildiv(S, 64), ceildiv(D, 64)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %s = tile.block_id 2
  %d = tile.block_id 3
  %x_tiles = tile.partition %x by [_, 64, _, 64] : !X
  %y_tiles = tile.partition %y by [_, _, 64, 64] : !Y
  %out = tile.claim %y_tiles[%b, %h, %s, %d] : !YTiles
  %tile = tile.load %x_tiles[%b, %s, %h, %d] pad(zero) : !XTiles
  tile.store %tile, %out : !YPiece
}
