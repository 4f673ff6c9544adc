// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/inferred_axis_bounds.rs, block_id_index_discharges_against_the_launch_grid
// A store at the block id, any grid.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
tile.kernel @block_id_store(%z: !Z) symbols [P : index] grid [P] {
  %pz = tile.partition %z by [16] : !Z
  %one = arith.constant dense<1.0> : vector<16xf32>
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  tile.store %one, %o : !SZ
}
