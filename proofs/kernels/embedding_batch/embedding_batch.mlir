// y[m] = row ids[m] of the table, in bf16: the first layer of a language model
// any M, V and N, zero and ragged included; every id is below V
!I = !tile.tensor<[M] x i32, shared>
!E = !tile.tensor<[V, N] x bf16, shared>
!Y = !tile.tensor<[M, N] x bf16, out>
!PI = !tile.partition<[_], [M] x i32, shared>
!PE = !tile.partition<[_, 1024], [V, N] x bf16, shared>
!PY = !tile.partition<[_, 1024], [M, N] x bf16, out>
!P = !tile.piece<[_, 1024] x bf16, out>
tile.kernel @embedding_batch(%ids: !I, %table: !E, %y: !Y) grid [M, ceildiv(N, 1024)]
    given [within(%ids, 0, V)] hints {sm_90 = {occupancy = 8}} {
  %m = tile.block_id 0
  %j = tile.block_id 1
  %pi = tile.partition %ids by [_] : !I
  %pe = tile.partition %table by [_, 1024] : !E
  %py = tile.partition %y by [_, 1024] : !Y
  %out = tile.claim %py[%m, %j] : !PY
  %id = tile.load %pi[%m] : !PI
  %row = arith.index_cast %id : i32 to index
  %tile = tile.load %pe[%row, %j] pad(zero) : !PE
  tile.store %tile, %out : !P
}
