// expect: VERIFIED
// Counted down in 32 bits: the block that writes an element is found through
// four values that might wrap, and do not.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, out>
!QX = !tile.piece<[_] x f32, out>
tile.kernel @reversed_i32(%x: !X) grid [N] {
  %px = tile.partition %x by [_] : !X
  %b = tile.block_id 0
  %n = tile.num_tiles %px, 0 : !PX
  %b32 = arith.index_cast %b : index to i32
  %n32 = arith.index_cast %n : index to i32
  %one = arith.constant 1 : i32
  %zero = arith.constant 0.0 : f32
  %last = arith.subi %n32, %one : i32
  %i32 = arith.subi %last, %b32 : i32
  %i = arith.index_cast %i32 : i32 to index
  %out = tile.claim %px[%i] : !PX
  tile.store %zero, %out : !QX
}
