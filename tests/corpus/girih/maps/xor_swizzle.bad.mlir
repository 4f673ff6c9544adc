// expect: REFUTED map.inverse
// twin: xor_swizzle.good.mlir
// Columns in groups of four, each at its number xor the number of the row.
// With or in place of xor two of them meet.
!C = !tile.tensor<[R, G, 4] x f32, out>
!PC = !tile.partition<[_, _, _], [R, G, 4] x f32, out>
!P = !tile.piece<[_, _, _] x f32, out>
tile.map @swizzle(%r, %c) [R] -> (index, index) from [R, 4] into [R, 4] bijective {
  %c4 = arith.constant 4 : index
  %low = arith.remsi %r, %c4 : index
  %s = arith.ori %c, %low : index
  tile.yield %r, %s
} inverse (%r, %s) {
  %c4 = arith.constant 4 : index
  %low = arith.remsi %r, %c4 : index
  %c = arith.xori %s, %low : index
  tile.yield %r, %c
}
tile.kernel @xor_swizzle(%c: !C) grid [R, G, 4] {
  %v = arith.constant 1.0 : f32
  %pc = tile.partition %c by [_, _, _] : !C
  %R = tile.symbol "R" : index
  %r = tile.block_id 0
  %g = tile.block_id 1
  %k = tile.block_id 2
  %i, %s = tile.apply @swizzle(%r, %k) [%R] : index, index
  %out = tile.claim %pc[%i, %g, %s] : !PC
  tile.store %v, %out : !P
}
