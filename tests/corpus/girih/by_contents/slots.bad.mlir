// expect: REFUTED out.covered
// twin: slots.good.mlir
// One slot more than the table has room for.
!I = !tile.tensor<[A, B] x i32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PI = !tile.partition<[_, _], [A, B] x i32, shared>
!PY = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @fill(%slots: !I, %y: !Y) grid [A, B] requires [N == A * B + 1]
    given [within(%slots, 0, N), distinct(%slots)] {
  %v = arith.constant 1.0 : f32
  %a = tile.block_id 0
  %b = tile.block_id 1
  %pi = tile.partition %slots by [_, _] : !I
  %py = tile.partition %y by [_] : !Y
  %to32 = tile.load %pi[%a, %b] : !PI
  %to = arith.index_cast %to32 : i32 to index
  %out = tile.claim %py[%to] : !PY
  tile.store %v, %out : !P
}
