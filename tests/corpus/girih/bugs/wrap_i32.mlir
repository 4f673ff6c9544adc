// expect: REFUTED claim.bounds
// twin: wrap_i32_fixed.mlir
// Fills a tensor of bytes, 128 a block, with offsets in i32: the offset of block
// 2^24 wraps to -2^31, so every tensor of more than 2^31 elements is hit.
!X = !tile.tensor<[N] x i8, own>
!PX = !tile.partition<[_], [N] x i8, own>
!P = !tile.piece<[_] x i8, own>
tile.kernel @wrap_i32(%x: !X) grid [ceildiv(N, 128)] {
  %one = arith.constant 1 : i8
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c128 = arith.constant 128 : i32
  %block = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %b = arith.index_cast %block : index to i32
  %start = arith.muli %b, %c128 : i32
  scf.for %k = %c0 to %c128 step %c1 : i32 {
    %offset = arith.addi %start, %k : i32
    %at = arith.index_cast %offset : i32 to index
    %inside = arith.cmpi slt, %at, %n : index
    scf.if %inside {
      %out = tile.claim %px[%at] : !PX
      tile.store %one, %out : !P
    }
  }
}
