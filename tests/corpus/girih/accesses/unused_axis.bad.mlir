// expect: REFUTED claim.disjoint
// twin: unused_axis.good.mlir
// Blocks that differ on an axis that nobody reads claim the same element.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @unused_axis(%x: !X) symbols [P : index] grid [N, P] {
  %v = arith.constant 1.0 : f32
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
