// y[N] = row r of x[M, N], in bf16: the last token's state before the head
// any M and N, zero and ragged included; r below M
!X = !tile.tensor<[M, N] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!PX = !tile.partition<[_, 1024], [M, N] x bf16, shared>
!PY = !tile.partition<[1024], [N] x bf16, out>
!P = !tile.piece<[1024] x bf16, out>
tile.kernel @gather_row(%x: !X, %y: !Y) symbols [r : index] grid [ceildiv(N, 1024)]
    requires [r < M] {
  %row = tile.symbol "r" : index
  %j = tile.block_id 0
  %px = tile.partition %x by [_, 1024] : !X
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%j] : !PY
  %tile = tile.load %px[%row, %j] pad(zero) : !PX
  tile.store %tile, %out : !P
}
