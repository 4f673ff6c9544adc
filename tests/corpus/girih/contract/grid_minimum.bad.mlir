// expect: REFUTED out.covered
// twin: grid_minimum.good.mlir
// Three blocks at most, and as many elements as you like.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[_], [N] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @grid_minimum(%x: !X) grid [min(N, 3)] {
  %v = arith.constant 1.0 : f32
  %px = tile.partition %x by [_] : !X
  %i = tile.block_id 0
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
