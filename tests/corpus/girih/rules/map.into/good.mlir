// expect: VERIFIED
// The first becomes the last.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.map @turn(%p) [n] -> (index) from [n] into [n] bijective {
  %n = tile.symbol "n" : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %q = arith.subi %last, %p : index
  tile.yield %q
} inverse (%q) {
  %n = tile.symbol "n" : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %p = arith.subi %last, %q : index
  tile.yield %p
}
tile.kernel @map_into(%x: !X) grid [N] {
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %j = tile.apply @turn(%i) [%n] : index
  %out = tile.claim %px[%j] : !PX
  tile.store %v, %out : !P
}
