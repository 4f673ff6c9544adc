// expect: REFUTED claim.disjoint
// twin: given_distinct.good.mlir
// Each token has a row of its own to go to.
!R = !tile.tensor<[T] x i32, shared>
!X = !tile.tensor<[T, D] x f32, shared>
!C = !tile.tensor<[S, D] x f32, own>
!PR = !tile.partition<[_], [T] x i32, shared>
!PX = !tile.partition<[_, 64], [T, D] x f32, shared>
!PC = !tile.partition<[_, 64], [S, D] x f32, own>
!P = !tile.piece<[_, 64] x f32, own>
tile.kernel @scatter_rows(%rows: !R, %x: !X, %c: !C) grid [T, ceildiv(D, 64)]
    given [within(%rows, 0, S)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pr = tile.partition %rows by [_] : !R
  %px = tile.partition %x by [_, 64] : !X
  %pc = tile.partition %c by [_, 64] : !C
  %r = tile.load %pr[%i] : !PR
  %row = arith.index_cast %r : i32 to index
  %v = tile.load %px[%i, %j] pad(zero) : !PX
  %out = tile.claim %pc[%row, %j] : !PC
  tile.store %v, %out : !P
}
