// expect: VERIFIED
// Both halves of the guard: the load lies inside, whatever wraps.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[1], [N] x f32, shared>
tile.kernel @booked_wrap(%x: !X) grid [N] {
  %scale = arith.constant 55 : i32
  %offset = arith.constant 95 : i32
  %b = tile.block_id 0
  %px = tile.partition %x by [1] : !X
  %tiles = tile.num_tiles %px, 0 : !PX
  %n = tile.symbol "N" : index
  %one = arith.constant 1 : i32
  %narrow = arith.index_cast %b : index to i32
  %count = arith.index_cast %n : index to i32
  %last = arith.subi %count, %one : i32
  %back = arith.subi %last, %narrow : i32
  %wide = arith.index_cast %back : i32 to index
  %again = arith.index_cast %wide : index to i32
  %scaled = arith.muli %again, %scale : i32
  %shifted = arith.subi %scaled, %offset : i32
  %at = arith.index_cast %shifted : i32 to index
  %below = arith.cmpi slt, %at, %tiles : index
  %c0 = arith.constant 0 : index
  %above = arith.cmpi sge, %at, %c0 : index
  %inside = arith.andi %below, %above : i1
  scf.if %inside {
    %v = tile.load %px[%at] pad(zero) : !PX
  }
}
