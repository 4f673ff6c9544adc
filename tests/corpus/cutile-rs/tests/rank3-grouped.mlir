// expect: UNKNOWN index.width loop.width
// stated: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, rank3_mapped_partition_supports_grouped_inner_axes
// Three axes, the middle one in groups of four.
!Z = !tile.tensor<[A, B, D] x f32, own>
!PZ = !tile.partition<[1, 64, 64], [A, B, D] x f32, own>
!SZ = !tile.piece<[1, 64, 64] x f32, own>
tile.kernel @rank3_grouped(%z: !Z) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64x64xf32>
  %c4 = arith.constant 4 : index
  %g0 = tile.num_tiles %pz, 0 : !PZ
  %g1 = tile.num_tiles %pz, 1 : !PZ
  %g2 = tile.num_tiles %pz, 2 : !PZ
  %in0 = arith.muli %g1, %g2 : index
  %total = arith.muli %g0, %in0 : index
  %width = arith.muli %g2, %c4 : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %i0 = arith.divsi %t, %in0 : index
    %rest0 = arith.remsi %t, %in0 : index
    %group = arith.divsi %rest0, %width : index
    %first = arith.muli %group, %c4 : index
    %left = arith.subi %g1, %first : index
    %size = arith.minsi %left, %c4 : index
    %rest = arith.remsi %rest0, %width : index
    %inner = arith.remsi %rest, %size : index
    %i1 = arith.addi %first, %inner : index
    %i2 = arith.divsi %rest, %size : index
    %o = tile.claim %pz[%i0, %i1, %i2] : !PZ
    tile.store %zero, %o : !SZ
  }
}
