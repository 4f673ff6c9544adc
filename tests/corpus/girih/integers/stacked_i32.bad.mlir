// expect: REFUTED load.bounds
// twin: stacked_i32.good.mlir
// It need not fit 16 bits.
!X = !tile.tensor<[B, F, E] x bf16, shared>
!Y = !tile.tensor<[R, H, E] x bf16, own>
!PX = !tile.partition<[_, _, 4096], [B, F, E] x bf16, shared>
!PY = !tile.partition<[_, _, 4096], [R, H, E] x bf16, own>
!P = !tile.piece<[_, _, 4096] x bf16, own>
tile.kernel @stacked_i16(%x: !X, %y: !Y) symbols [L : index]
    grid [B, H, L, ceildiv(E, 4096)] requires [R == B * L, F == H * L] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %l = tile.block_id 2
  %e = tile.block_id 3
  %layers = tile.symbol "L" : index
  %h32 = arith.index_cast %h : index to i16
  %layers32 = arith.index_cast %layers : index to i16
  %above32 = arith.muli %h32, %layers32 : i16
  %above = arith.index_cast %above32 : i16 to index
  %flat = arith.addi %above, %l : index
  %before = arith.muli %b, %layers : index
  %stack = arith.addi %before, %l : index
  %px = tile.partition %x by [_, _, 4096] : !X
  %py = tile.partition %y by [_, _, 4096] : !Y
  %out = tile.claim %py[%stack, %h, %e] : !PY
  %tile = tile.load %px[%b, %flat, %e] pad(zero) : !PX
  tile.store %tile, %out : !P
}
