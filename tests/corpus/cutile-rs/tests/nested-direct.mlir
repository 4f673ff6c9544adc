// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/nested_partition_mut.rs, nested_partition_mut_store_uses_cta_local_indices
// A copy, a tile of two a block.
!Z = !tile.tensor<[R, 8] x f32, out>
!PZ = !tile.partition<[1, 2], [R, 8] x f32, out>
!SZ = !tile.piece<[1, 2] x f32, out>
!X = !tile.tensor<[R, 8] x f32, shared>
!PX = !tile.partition<[1, 2], [R, 8] x f32, shared>
tile.kernel @nested_direct(%z: !Z, %x: !X) grid [R, 4] {
  %pz = tile.partition %z by [1, 2] : !Z
  %px = tile.partition %x by [1, 2] : !X
  %row = tile.block_id 0
  %b = tile.block_id 1
  %o = tile.claim %pz[%row, %b] : !PZ
  %t = tile.load %px[%row, %b] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
