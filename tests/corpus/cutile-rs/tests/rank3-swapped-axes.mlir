// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, rank3_bounded_rejects_swapped_coordinate_axes
// First and last index exchanged.
!Z = !tile.tensor<[A, B, D] x f32, own>
!PZ = !tile.partition<[1, 64, 64], [A, B, D] x f32, own>
!SZ = !tile.piece<[1, 64, 64] x f32, own>
!X = !tile.tensor<[A, 64, D] x f32, shared>
!PX = !tile.partition<[1, 64, 64], [A, 64, D] x f32, shared>
tile.kernel @rank3_swapped_axes(%z: !Z, %x: !X) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64, 64] : !Z
  %px = tile.partition %x by [1, 64, 64] : !X
  %c0 = arith.constant 0 : index
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
    %v = tile.load %px[%i2, %c0, %i0] pad(zero) : !PX
    %o = tile.claim %pz[%i0, %i1, %i2] : !PZ
    tile.store %v, %o : !SZ
  }
}
