// expect: VERIFIED
// The row is id - column * M: the equation of the row alone looks like two
// digits of a number, that of the column says which one.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, _], [M, N] x f32, out>
!QX = !tile.piece<[_, _] x f32, out>
tile.kernel @column_digits(%x: !X) grid [N * M] {
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
