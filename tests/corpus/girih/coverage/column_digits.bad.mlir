// expect: REFUTED out.covered
// twin: column_digits.good.mlir
// The same with one block too few: the last column ends early.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, _], [M, N] x f32, out>
!QX = !tile.piece<[_, _] x f32, out>
tile.kernel @column_digits(%x: !X) grid [max(N * M - 1, 0)] {
  %px = tile.partition %x by [_, _] : !X
  %id = tile.block_id 0
  %m = tile.symbol "M" : index
  %zero = arith.constant 0.0 : f32
  %column = arith.divsi %id, %m : index
  %before = arith.muli %column, %m : index
  %row = arith.subi %id, %before : index
  %out = tile.claim %px[%row, %column] : !PX
  tile.store %zero, %out : !QX
}
