// expect: VERIFIED
// Its twin: every tile of the row.
!Y = !tile.tensor<[M, N] x i32, out>
!PY = !tile.partition<[_, 64], [M, N] x i32, out>
!P = !tile.piece<[_, 64] x i32, out>
tile.kernel @every_tile(%y: !Y) grid [M] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<7> : vector<64xi32>
  %row = tile.block_id 0
  %py = tile.partition %y by [_, 64] : !Y
  %n = tile.num_tiles %py, 1 : !PY
  scf.for %k = %c0 to %n step %c1 {
    %out = tile.claim %py[%row, %k] : !PY
    tile.store %v, %out : !P
  }
}
