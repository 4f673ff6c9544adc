// expect: REFUTED map.count
// twin: map_half.good.mlir
// Half of the output is nobody's: the map is onto fewer than it says.
!X = !tile.tensor<[M] x f32, out>
!PX = !tile.partition<[_], [M] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.map @turn(%p) [n, m] -> (index) from [n] into [m] bijective {
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
tile.kernel @map_half(%x: !X) symbols [N : index] grid [N] requires [M == 2 * N] {
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %m = tile.symbol "M" : index
  %px = tile.partition %x by [_] : !X
  %j = tile.apply @turn(%i) [%n, %m] : index
  %out = tile.claim %px[%j] : !PX
  tile.store %v, %out : !P
}
