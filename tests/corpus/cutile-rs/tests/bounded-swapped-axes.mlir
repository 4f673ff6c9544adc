// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, bounded_partition_rejects_swapped_coordinate_axes
// Rows and columns exchanged in a load.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
!X = !tile.tensor<[M, N] x f32, shared>
!PX = !tile.partition<[64, 64], [M, N] x f32, shared>
tile.kernel @bounded_swapped_axes(%z: !Z, %x: !X) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [64, 64] : !Z
  %px = tile.partition %x by [64, 64] : !X
  %c4 = arith.constant 4 : index
  %gm = tile.num_tiles %pz, 0 : !PZ
  %gn = tile.num_tiles %pz, 1 : !PZ
  %total = arith.muli %gm, %gn : index
  %width = arith.muli %gn, %c4 : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %group = arith.divsi %t, %width : index
    %first = arith.muli %group, %c4 : index
    %left = arith.subi %gm, %first : index
    %size = arith.minsi %left, %c4 : index
    %rest = arith.remsi %t, %width : index
    %inner = arith.remsi %rest, %size : index
    %m = arith.addi %first, %inner : index
    %n = arith.divsi %rest, %size : index
    %v = tile.load %px[%n, %m] pad(zero) : !PX
    %o = tile.claim %pz[%m, %n] : !PZ
    tile.store %v, %o : !SZ
  }
}
