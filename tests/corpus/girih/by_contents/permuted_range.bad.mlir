// expect: REFUTED out.covered
// twin: permuted_range.good.mlir
// All places of a range, and the rows go on behind it.
!I = !tile.tensor<[M] x i32, shared>
!X = !tile.tensor<[N, D] x f32, shared>
!Y = !tile.tensor<[N, D] x f32, out>
!PI = !tile.partition<[_], [M] x i32, shared>
!PX = !tile.partition<[_, 128], [N, D] x f32, shared>
!PY = !tile.partition<[_, 128], [N, D] x f32, out>
!P = !tile.piece<[_, 128] x f32, out>
tile.kernel @permute_rows(%perm: !I, %x: !X, %y: !Y) grid [M, ceildiv(D, 128)]
    requires [M <= N] given [within(%perm, 0, M), distinct(%perm)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pi = tile.partition %perm by [_] : !I
  %px = tile.partition %x by [_, 128] : !X
  %py = tile.partition %y by [_, 128] : !Y
  %to32 = tile.load %pi[%i] : !PI
  %to = arith.index_cast %to32 : i32 to index
  %out = tile.claim %py[%to, %j] : !PY
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  tile.store %v, %out : !P
}
