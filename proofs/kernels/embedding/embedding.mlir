// y = row id of the table, in bf16, where the id is what sampling left in device
// memory: the first layer of a decode step that is replayed as a graph
// any V and N, zero and ragged included; the id is below V
!I = !tile.tensor<[1] x i32, shared>
!E = !tile.tensor<[V, N] x bf16, shared>
!Y = !tile.tensor<[N] x bf16, out>
!PI = !tile.partition<[_], [1] x i32, shared>
!PE = !tile.partition<[_, 1024], [V, N] x bf16, shared>
!PY = !tile.partition<[1024], [N] x bf16, out>
!P = !tile.piece<[1024] x bf16, out>
tile.kernel @embedding(%id: !I, %table: !E, %y: !Y) grid [ceildiv(N, 1024)]
    given [within(%id, 0, V)] {
  %c0 = arith.constant 0 : index
  %j = tile.block_id 0
  %pi = tile.partition %id by [_] : !I
  %pe = tile.partition %table by [_, 1024] : !E
  %py = tile.partition %y by [1024] : !Y
  %out = tile.claim %py[%j] : !PY
  %token = tile.load %pi[%c0] : !PI
  %row = arith.index_cast %token : i32 to index
  %tile = tile.load %pe[%row, %j] pad(zero) : !PE
  tile.store %tile, %out : !P
}
