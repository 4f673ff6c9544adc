// expect: VERIFIED
// y[B, H, S, D] = x[B, S, H, D]: heads before positions, in bf16
// any B, S, H and D, zero and ragged included
!X = !tile.tensor<[B, S, H, D] x bf16, shared>
!Y = !tile.tensor<[B, H, S, D] x bf16, out>
!PX = !tile.partition<[_, 64, _, 64], [B, S, H, D] x bf16, shared>
!PY = !tile.partition<[_, _, 64, 64], [B, H, S, D] x bf16, out>
!P = !tile.piece<[_, _, 64, 64] x bf16, out>
tile.kernel @permute(%x: !X, %y: !Y) grid [B, H, ceildiv(S, 64), ceildiv(D, 64)] {
  %b = tile.block_id 0
  %h = tile.block_id 1
  %s = tile.block_id 2
  %d = tile.block_id 3
  %px = tile.partition %x by [_, 64, _, 64] : !X
  %py = tile.partition %y by [_, _, 64, 64] : !Y
  %out = tile.claim %py[%b, %h, %s, %d] : !PY
  %tile = tile.load %px[%b, %s, %h, %d] pad(zero) : !PX
  tile.store %tile, %out : !P
}
