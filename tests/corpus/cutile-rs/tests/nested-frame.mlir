// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, nested_nondivisible_frame_does_not_spill_into_the_next_row
// The tile index that a frame of 50 columns in tiles of 16 gives, on rows of
// 200: outside for the last block.
!Z = !tile.tensor<[2, 200] x f32, own>
!PZ = !tile.partition<[1, 16], [2, 200] x f32, own>
!SZ = !tile.piece<[1, 16] x f32, own>
tile.kernel @nested_frame(%z: !Z) grid [2, 4] {
  %pz = tile.partition %z by [1, 16] : !Z
  %fill = arith.constant dense<7.0> : vector<1x16xf32>
  %c4 = arith.constant 4 : index
  %y = tile.block_id 1
  %frame = arith.muli %y, %c4 : index
  %col = arith.addi %frame, %y : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v, %col] : !PZ
  tile.store %fill, %o : !SZ
}
