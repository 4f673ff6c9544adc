// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, copy_2d_one_short_of_tile
// A copy of 63 by 63 in tiles of 64.
!Z = !tile.tensor<[63, 63] x f32, out>
!PZ = !tile.partition<[64, 64], [63, 63] x f32, out>
!SZ = !tile.piece<[64, 64] x f32, out>
!X = !tile.tensor<[63, 63] x f32, shared>
!PX = !tile.partition<[64, 64], [63, 63] x f32, shared>
tile.kernel @copy_2d_one_short_of_tile(%z: !Z, %x: !X) grid [1, 1] {
  %pz = tile.partition %z by [64, 64] : !Z
  %px = tile.partition %x by [64, 64] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %pz[%i, %j] : !PZ
  %t = tile.load %px[%i, %j] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
