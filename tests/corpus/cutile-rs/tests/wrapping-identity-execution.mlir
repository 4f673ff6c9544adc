// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, generated_launcher_revalidates_explicit_grid_on_every_cached_launch
// The block id wrapped up and back as index.
!Z = !tile.tensor<[64] x f32, out>
!PZ = !tile.partition<[16], [64] x f32, out>
!SZ = !tile.piece<[16] x f32, out>
!X = !tile.tensor<[64] x f32, shared>
!PX = !tile.partition<[16], [64] x f32, shared>
tile.kernel @wrapping_identity_execution(%z: !Z, %x: !X) grid [4] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %c2147483647_i32 = arith.constant 2147483647 : i32
  %v = tile.block_id 0
  %b = arith.index_cast %v : index to i32
  %high = arith.addi %b, %c2147483647_i32 : i32
  %index = arith.subi %high, %c2147483647_i32 : i32
  %at = arith.index_cast %index : i32 to index
  %t = tile.load %px[%at] pad(zero) : !PX
  %v_2 = tile.block_id 0
  %o = tile.claim %pz[%v_2] : !PZ
  tile.store %t, %o : !SZ
}
