// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/nested_partition_mut.rs, nested_partition_mut_store_uses_cta_local_indices
// A copy, a row a block, in tiles of two.
!Z = !tile.tensor<[R, 8] x f32, out>
!PZ = !tile.partition<[1, 2], [R, 8] x f32, out>
!SZ = !tile.piece<[1, 2] x f32, out>
!X = !tile.tensor<[R, 8] x f32, shared>
!PX = !tile.partition<[1, 2], [R, 8] x f32, shared>
tile.kernel @nested_copy(%z: !Z, %x: !X) grid [R] {
  %pz = tile.partition %z by [1, 2] : !Z
  %px = tile.partition %x by [1, 2] : !X
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  scf.for %j = %c0 to %c4 step %c1 {
    %t = tile.load %px[%row, %j] pad(zero) : !PX
    %o = tile.claim %pz[%row, %j] : !PZ
    tile.store %t, %o : !SZ
  }
}
