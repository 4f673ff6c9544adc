// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, copy_2d_non_divisible_one_dim
// A copy of 128 by 100 in tiles of 64.
!Z = !tile.tensor<[128, 100] x f32, out>
!PZ = !tile.partition<[64, 64], [128, 100] x f32, out>
!SZ = !tile.piece<[64, 64] x f32, out>
!X = !tile.tensor<[128, 100] x f32, shared>
!PX = !tile.partition<[64, 64], [128, 100] x f32, shared>
tile.kernel @copy_2d_non_divisible_one_dim(%z: !Z, %x: !X) grid [2, 2] {
  %pz = tile.partition %z by [64, 64] : !Z
  %px = tile.partition %x by [64, 64] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %o = tile.claim %pz[%i, %j] : !PZ
  %t = tile.load %px[%i, %j] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
