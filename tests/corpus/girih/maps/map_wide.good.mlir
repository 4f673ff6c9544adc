// expect: VERIFIED
// The map takes all blocks.
!X = !tile.tensor<[M] x f32, own>
!PX = !tile.partition<[_], [M] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.map @same(%p) [n, m] -> (index) from [n] into [m] {
  tile.yield %p
}
tile.kernel @map_wide(%x: !X) grid [M] {
  %v = arith.constant 1.0 : f32
  %i = tile.block_id 0
  %n = tile.symbol "M" : index
  %m = tile.symbol "M" : index
  %px = tile.partition %x by [_] : !X
  %j = tile.apply @same(%i) [%n, %m] : index
  %out = tile.claim %px[%j] : !PX
  tile.store %v, %out : !P
}
