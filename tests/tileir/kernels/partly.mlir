// Tiles that divide their extents, by the contract along one axis and not along
// the other, of which the contract says less.
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[4, 32], [M, N] x f32, shared>
!PY = !tile.partition<[4, 32], [M, N] x f32, out>
!P = !tile.piece<[4, 32] x f32, out>
tile.kernel @partly(%x: !X, %y: !Y) grid [ceildiv(M, 4), ceildiv(N, 32)]
    requires [mod(M, 8) == 0, mod(N, 16) == 0] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %px = tile.partition %x by [4, 32] : !X
  %py = tile.partition %y by [4, 32] : !Y
  %out = tile.claim %py[%i, %j] : !PY
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  tile.store %v, %out : !P
}
