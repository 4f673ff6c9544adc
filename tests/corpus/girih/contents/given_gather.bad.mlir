// expect: REFUTED load.bounds
// twin: given_gather.good.mlir
// Rows of a table, each picked by a number that is read from memory.
!I = !tile.tensor<[N] x i32, shared>
!E = !tile.tensor<[V, D] x f32, shared>
!C = !tile.tensor<[N, D] x f32, out>
!PI = !tile.partition<[_], [N] x i32, shared>
!PE = !tile.partition<[_, 64], [V, D] x f32, shared>
!PC = !tile.partition<[_, 64], [N, D] x f32, out>
!P = !tile.piece<[_, 64] x f32, out>
tile.kernel @gather_rows(%ids: !I, %e: !E, %c: !C) grid [N, ceildiv(D, 64)]
    given [within(%ids, 0, V + 1)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pi = tile.partition %ids by [_] : !I
  %pe = tile.partition %e by [_, 64] : !E
  %pc = tile.partition %c by [_, 64] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %id = tile.load %pi[%i] : !PI
  %row = arith.index_cast %id : i32 to index
  %x = tile.load %pe[%row, %j] pad(zero) : !PE
  tile.store %x, %out : !P
}
