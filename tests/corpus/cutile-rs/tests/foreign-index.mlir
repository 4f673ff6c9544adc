// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, mapped_partition_store_rejects_foreign_index
// The tile indices of one result used on another.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
!B = !tile.tensor<[A, B] x f32, own>
!PB = !tile.partition<[64, 64], [A, B] x f32, own>
!SB = !tile.piece<[64, 64] x f32, own>
tile.kernel @foreign_index(%z: !Z, %b: !B) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [64, 64] : !Z
  %pb = tile.partition %b by [64, 64] : !B
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
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
    %o = tile.claim %pb[%m, %n] : !PB
    tile.store %zero, %o : !SB
  }
}
