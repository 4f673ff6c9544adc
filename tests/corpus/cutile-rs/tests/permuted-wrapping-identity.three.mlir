// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, adversarial_block_id_placements_are_framed_by_the_staked_predicate
// The same with three tiles.
!Z = !tile.tensor<[16, 64] x f32, own>
!PZ = !tile.partition<[16, 16], [16, 64] x f32, own>
!SZ = !tile.piece<[16, 16] x f32, own>
!X = !tile.tensor<[16, 48] x f32, shared>
!PX = !tile.partition<[16, 16], [16, 48] x f32, shared>
tile.kernel @permuted_wrapping_identity(%z: !Z, %x: !X) grid [1, 4] {
  %pz = tile.partition %z by [16, 16] : !Z
  %px = tile.partition %x by [16, 16] : !X
  %c2147483647_i32 = arith.constant 2147483647 : i32
  %c0 = arith.constant 0 : index
  %v = tile.block_id 1
  %y1 = arith.index_cast %v : index to i32
  %high = arith.addi %y1, %c2147483647_i32 : i32
  %index = arith.subi %high, %c2147483647_i32 : i32
  %at = arith.index_cast %index : i32 to index
  %v_2 = tile.load %px[%c0, %at] pad(zero) : !PX
  %w = vector.transpose %v_2, [1, 0] : vector<16x16xf32> to vector<16x16xf32>
  %v_3 = tile.block_id 0
  %v_4 = tile.block_id 1
  %o = tile.claim %pz[%v_3, %v_4] : !PZ
  tile.store %w, %o : !SZ
}
