// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, constant_if_preserves_facts_from_the_only_feasible_path
// Branches on constants that assign the same index again.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
tile.kernel @constant_if_mapped_index(%z: !Z) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [16] : !Z
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %true = arith.constant true
  %false = arith.constant false
  %n = tile.num_tiles %pz, 0 : !PZ
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %i = %low to %n step %step {
    %same = scf.if %true -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %i : index
    }
    %same_2 = scf.if %false -> (index) {
      scf.yield %i : index
    } else {
      scf.yield %i : index
    }
    %o = tile.claim %pz[%same_2] : !PZ
    tile.store %zero, %o : !SZ
  }
}
