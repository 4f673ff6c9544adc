// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, copy_2d_non_divisible_both_dims
// A copy of 192 by 134 in tiles of 128.
!Z = !tile.tensor<[192, 134] x f32, out>
!PZ = !tile.partition<[128, 128], [192, 134] x f32, out>
!SZ = !tile.piece<[128, 128] x f32, out>
!X = !tile.tensor<[192, 134] x f32, shared>
!PX = !tile.partition<[128, 128], [192, 134] x f32, shared>
tile.kernel @copy_2d_non_divisible_both_dims(%z: !Z, %x: !X) grid [2, 2] {
  %pz = tile.partition %z by [128, 128] : !Z
  %px = tile.partition %x by [128, 128] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %pz[%i, %j] : !PZ
  %t = tile.load %px[%i, %j] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
