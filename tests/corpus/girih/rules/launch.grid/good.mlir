// expect: VERIFIED
// The grid stops at 0.
!X = !tile.tensor<[N] x f32, out partial>
!PX = !tile.partition<[128], [N] x f32, out partial>
!P = !tile.piece<[128] x f32, out>
tile.kernel @launch_grid(%x: !X) grid [max(ceildiv(N, 128) - 1, 0)] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
