// Blocks of a KV cache from the stacked layout of the engine, where layer and
// kind (key or value) stand beside each other and a head inside, to the
// contiguous one of a store, where each block is one run: y[b, h * L + l, e] =
// x[b * L + l, h, e], in bf16, L layers times kinds, E elements (positions
// times lanes) a head
// any B, H, L and E, zero and ragged included
// generated from layout.cpp
!X = !tile.tensor<[R, H, E] x bf16, shared>
!Y = !tile.tensor<[B, F, E] x bf16, out>
!YTiles = !tile.partition<[_, _, 4096], [B, F, E] x bf16, out>
!XTiles = !tile.partition<[_, _, 4096], [R, H, E] x bf16, shared>
!YPiece = !tile.piece<[_, _, 4096] x bf16, out>
tile.kernel @stacked_to_contiguous(%x: !X, %y: !Y) symbols [L : index]
    grid [B, H, L, ceildiv(E, 4096)] requires [R == B * L, F == H * L] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %l = tile.block_id 2
  %e = tile.block_id 3
  %L = tile.symbol "L" : index
  %x_tiles = tile.partition %x by [_, _, 4096] : !X
  %y_tiles = tile.partition %y by [_, _, 4096] : !Y
  %product = arith.muli %h, %L : index
  %flat = arith.addi %product, %l : index
  %out = tile.claim %y_tiles[%b, %flat, %e] : !YTiles
  %product_1 = arith.muli %b, %L : index
  %stack = arith.addi %product_1, %l : index
  %tile = tile.load %x_tiles[%stack, %h, %e] pad(zero) : !XTiles
  tile.store %tile, %out : !YPiece
}
