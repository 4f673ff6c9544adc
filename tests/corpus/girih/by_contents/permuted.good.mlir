// expect: VERIFIED
// Each row goes to the place that a permutation names: as many different numbers
// of a range as it has are all of them.
!I = !tile.tensor<[N] x i32, shared>
!X = !tile.tensor<[N, D] x f32, shared>
!Y = !tile.tensor<[N, D] x f32, out>
!PI = !tile.partition<[_], [N] x i32, shared>
!PX = !tile.partition<[_, 128], [N, D] x f32, shared>
!PY = !tile.partition<[_, 128], [N, D] x f32, out>
!P = !tile.piece<[_, 128] x f32, out>
tile.kernel @permute_rows(%perm: !I, %x: !X, %y: !Y) grid [N, ceildiv(D, 128)]
    given [within(%perm, 0, N), distinct(%perm)] {
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
