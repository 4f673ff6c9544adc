// expect: REFUTED load.pad
// twin: whole_tiles.good.mlir
// The last tile is ragged and its load has no padding.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @whole_tiles(%x: !X) grid [ceildiv(N, 8)] {
  %px = tile.partition %x by [8] : !X
  %i = tile.block_id 0
  %out = tile.claim %px[%i] : !PX
  %y = tile.load %out : !P
  tile.store %y, %out : !P
}
