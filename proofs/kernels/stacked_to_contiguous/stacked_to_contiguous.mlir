// Blocks of a KV cache from the stacked layout of the engine, where layer and kind
// (key or value) stand beside each other and a head inside, to the contiguous one
// of a store, where each block is one run: y[b, h * L + l, e] = x[b * L + l, h, e],
// in bf16, L layers times kinds, E elements (positions times lanes) a head
// any B, H, L and E, zero and ragged included
!X = !tile.tensor<[R, H, E] x bf16, shared>
!Y = !tile.tensor<[B, F, E] x bf16, out>
!PX = !tile.partition<[_, _, 4096], [R, H, E] x bf16, shared>
!PY = !tile.partition<[_, _, 4096], [B, F, E] x bf16, out>
!P = !tile.piece<[_, _, 4096] x bf16, out>
tile.kernel @stacked_to_contiguous(%x: !X, %y: !Y) symbols [L : index]
    grid [B, H, L, ceildiv(E, 4096)] requires [R == B * L, F == H * L] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %l = tile.block_id 2
  %e = tile.block_id 3
  %layers = tile.symbol "L" : index
  %above = arith.muli %h, %layers : index
  %flat = arith.addi %above, %l : index
  %before = arith.muli %b, %layers : index
  %stack = arith.addi %before, %l : index
  %px = tile.partition %x by [_, _, 4096] : !X
  %py = tile.partition %y by [_, _, 4096] : !Y
  %out = tile.claim %py[%b, %flat, %e] : !PY
  %tile = tile.load %px[%stack, %h, %e] pad(zero) : !PX
  tile.store %tile, %out : !P
}
