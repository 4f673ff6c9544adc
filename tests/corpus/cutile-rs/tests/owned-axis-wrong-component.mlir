// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, owned_axis_rejects_wrong_owned_component
// The row as index of the columns.
!Z = !tile.tensor<[R, N] x f32, own>
!PZ = !tile.partition<[1, 64], [R, N] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @owned_axis_wrong_component(%z: !Z) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %rows = tile.num_tiles %pz, 0 : !PZ
  %cols = tile.num_tiles %pz, 1 : !PZ
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %row = %low to %rows step %step {
    %o = tile.claim %pz[%row, %row] : !PZ
    tile.store %zero, %o : !SZ
  }
}
