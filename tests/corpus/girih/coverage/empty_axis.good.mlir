// expect: VERIFIED
// The axis has one block.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @empty_axis(%x: !X) symbols [P : index] grid [N, P] requires [P == 1] {
  %v = arith.constant 1.0 : f32
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
