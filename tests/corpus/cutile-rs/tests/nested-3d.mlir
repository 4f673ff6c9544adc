// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/nested_partition_mut.rs, nested_partition_mut_3d_store_uses_cta_local_indices
// Rows and heads as blocks, ten columns in tiles of four.
!Z = !tile.tensor<[R, H, 10] x f32, out>
!PZ = !tile.partition<[1, 1, 4], [R, H, 10] x f32, out>
!SZ = !tile.piece<[1, 1, 4] x f32, out>
!X = !tile.tensor<[R, H, 10] x f32, shared>
!PX = !tile.partition<[1, 1, 4], [R, H, 10] x f32, shared>
tile.kernel @nested_3d(%z: !Z, %x: !X) grid [R, H] {
  %pz = tile.partition %z by [1, 1, 4] : !Z
  %px = tile.partition %x by [1, 1, 4] : !X
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  %head = tile.block_id 1
  scf.for %j = %c0 to %c3 step %c1 {
    %t = tile.load %px[%row, %head, %j] pad(zero) : !PX
    %o = tile.claim %pz[%row, %head, %j] : !PZ
    tile.store %t, %o : !SZ
  }
}
