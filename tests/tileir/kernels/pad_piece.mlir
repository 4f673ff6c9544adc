// What is stored comes back from a piece, padded with a number.
!X = !tile.tensor<[B, M, N] x i16, own>
!PX = !tile.partition<[_, 4, 8], [B, M, N] x i16, own>
!P = !tile.piece<[_, 4, 8] x i16, own>
!Y = !tile.tensor<[B, 4, 8] x i16, out>
!PY = !tile.partition<[_, 4, 8], [B, 4, 8] x i16, out>
!Q = !tile.piece<[_, 4, 8] x i16, out>
tile.kernel @pad_piece(%x: !X, %y: !Y) grid [B] requires [B <= 50, M >= 1, N >= 1, M * N <= 2000] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %b = tile.block_id 0
  %px = tile.partition %x by [_, 4, 8] : !X
  %py = tile.partition %y by [_, 4, 8] : !Y
  %m = tile.num_tiles %px, 1 : !PX
  %n = tile.num_tiles %px, 2 : !PX
  %i = arith.subi %m, %c1 : index
  %j = arith.subi %n, %c1 : index
  %o = tile.claim %px[%b, %i, %j] : !PX
  %q = tile.claim %py[%b, %c0, %c0] : !PY
  %v = tile.load %o pad(-300) : !P
  tile.store %v, %q : !Q
  tile.store %v, %o : !P
}
