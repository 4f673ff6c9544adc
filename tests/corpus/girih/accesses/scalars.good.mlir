// expect: VERIFIED
// Tiles of one element.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @scalars(%x: !X)
    grid [N] requires [N <= 2147483647] {
  %v = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [_] : !X
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
