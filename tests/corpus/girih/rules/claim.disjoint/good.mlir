// expect: VERIFIED
// The second grid axis picks the row.
!X = !tile.tensor<[H, N] x f32, out>
!PX = !tile.partition<[_, 128], [H, N] x f32, out>
!P = !tile.piece<[_, 128] x f32, out>
tile.kernel @claim_disjoint(%x: !X) grid [ceildiv(N, 128), H] requires [H >= 1] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %px = tile.partition %x by [_, 128] : !X
  %out = tile.claim %px[%h, %i] : !PX
  tile.store %v, %out : !P
}
