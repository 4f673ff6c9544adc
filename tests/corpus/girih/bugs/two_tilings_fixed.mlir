// expect: VERIFIED
// One tensor in tiles of 128 and in tiles of 64: the second claim is the first
// half of the block's own tile.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!PH = !tile.partition<[64], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
!H = !tile.piece<[64] x f32, own>
tile.kernel @two_tilings_fixed(%x: !X) grid [ceildiv(N, 128)] {
  %one = arith.constant dense<1.0> : vector<128xf32>
  %two = arith.constant dense<2.0> : vector<64xf32>
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %i2 = arith.muli %i, %c2 : index
  %px = tile.partition %x by [128] : !X
  %ph = tile.partition %x by [64] : !X
  %whole = tile.claim %px[%i] : !PX
  tile.store %one, %whole : !P
  %first = tile.claim %ph[%i2] : !PH
  tile.store %two, %first : !H
}
