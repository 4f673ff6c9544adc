// Three axes in an order that is not its own inverse.
!X = !tile.tensor<[B, C, A] x f32, shared>
!Y = !tile.tensor<[A, B, C] x f32, out>
!PX = !tile.partition<[4, 8, 2], [B, C, A] x f32, shared>
!PY = !tile.partition<[2, 4, 8], [A, B, C] x f32, out>
!P = !tile.piece<[2, 4, 8] x f32, out>
tile.kernel @rotate(%x: !X, %y: !Y) grid [ceildiv(A, 2), ceildiv(B, 4), ceildiv(C, 8)] {
  %a = tile.block_id 0
  %b = tile.block_id 1
  %c = tile.block_id 2
  %px = tile.partition %x by [4, 8, 2] : !X
  %py = tile.partition %y by [2, 4, 8] : !Y
  %out = tile.claim %py[%a, %b, %c] : !PY
  %v = tile.load %px[%b, %c, %a] pad(zero) : !PX
  %turned = vector.transpose %v, [2, 0, 1] : vector<4x8x2xf32> to vector<2x4x8xf32>
  tile.store %turned, %out : !P
}
