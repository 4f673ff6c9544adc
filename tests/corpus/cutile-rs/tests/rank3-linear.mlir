// expect: UNKNOWN index.width loop.width
// stated: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, rank3_mapped_partition_lowers_to_persistent_loop
// All tiles of three axes in row-major order.
!Z = !tile.tensor<[A, B, D] x f32, out>
!PZ = !tile.partition<[1, 64, 64], [A, B, D] x f32, out>
!SZ = !tile.piece<[1, 64, 64] x f32, out>
tile.kernel @rank3_linear(%z: !Z) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64x64xf32>
  %g0 = tile.num_tiles %pz, 0 : !PZ
  %g1 = tile.num_tiles %pz, 1 : !PZ
  %g2 = tile.num_tiles %pz, 2 : !PZ
  %in0 = arith.muli %g1, %g2 : index
  %total = arith.muli %g0, %in0 : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %i0 = arith.divsi %t, %in0 : index
    %r = arith.remsi %t, %in0 : index
    %i1 = arith.divsi %r, %g2 : index
    %i2 = arith.remsi %r, %g2 : index
    %o = tile.claim %pz[%i0, %i1, %i2] : !PZ
    tile.store %zero, %o : !SZ
  }
}
