// expect: VERIFIED
// All block ids fit an i8.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @narrow(%x: !X) grid [N] requires [N <= 128] {
  %v = arith.constant 1.0 : f32
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %byte = arith.index_cast %i : index to i8
  %j = arith.index_cast %byte : i8 to index
  %out = tile.claim %px[%j] : !PX
  tile.store %v, %out : !P
}
