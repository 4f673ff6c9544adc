// expect: VERIFIED
// The grid is rounded down: every tile is whole.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @whole_tiles(%x: !X) grid [div(N, 8)] {
  %px = tile.partition %x by [8] : !X
  %i = tile.block_id 0
  %out = tile.claim %px[%i] : !PX
  %y = tile.load %out : !P
  tile.store %y, %out : !P
}
