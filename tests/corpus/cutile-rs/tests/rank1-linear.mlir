// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, rank1_mapped_partition_lowers_to_persistent_loop
// All tiles of one axis.
!Z = !tile.tensor<[N] x f32, out>
!PZ = !tile.partition<[128], [N] x f32, out>
!SZ = !tile.piece<[128] x f32, out>
tile.kernel @rank1_linear(%z: !Z) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [128] : !Z
  %zero = arith.constant dense<0.0> : vector<128xf32>
  %n = tile.num_tiles %pz, 0 : !PZ
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %n step %step {
    %o = tile.claim %pz[%t] : !PZ
    tile.store %zero, %o : !SZ
  }
}
