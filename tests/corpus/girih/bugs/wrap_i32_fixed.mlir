// expect: VERIFIED
// Fills a tensor of bytes, 128 a block, with offsets in index.
!X = !tile.tensor<[N] x i8, own>
!PX = !tile.partition<[_], [N] x i8, own>
!P = !tile.piece<[_] x i8, own>
tile.kernel @wrap_i32_fixed(%x: !X) grid [ceildiv(N, 128)] {
  %one = arith.constant 1 : i8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c128 = arith.constant 128 : index
  %block = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %start = arith.muli %block, %c128 : index
  scf.for %k = %c0 to %c128 step %c1 {
    %at = arith.addi %start, %k : index
    %inside = arith.cmpi slt, %at, %n : index
    scf.if %inside {
      %out = tile.claim %px[%at] : !PX
      tile.store %one, %out : !P
    }
  }
}
