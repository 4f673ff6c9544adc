// expect: VERIFIED
// Rows without a gap between them.
!X = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
!Y = !tile.tensor<[L] x f32, out>
!F = !tile.tensor<[?] x f32, shared>
!PX = !tile.partition<[256], [?] x f32, shared>
!PY = !tile.partition<[256], [L] x f32, out>
!P = !tile.piece<[256] x f32, out>
tile.kernel @packed(%x: !X, %y: !Y) symbols [ld : index] grid [ceildiv(L, 256)]
    requires [L == M * N, ld == N] {
  %i = tile.block_id 0
  %f = tile.view %x flatten 0 : !X
  %px = tile.partition %f by [256] : !F
  %py = tile.partition %y by [256] : !Y
  %v = tile.load %px[%i] pad(zero) : !PX
  %out = tile.claim %py[%i] : !PY
  tile.store %v, %out : !P
}
