// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, subrange_iteration_checks_dynamic_ranges_at_runtime
// The same with the check at launch.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
tile.kernel @subrange(%z: !Z) symbols [P : index, START : i32, COUNT : i32]
    grid [P] requires [P >= 1, START >= 0, COUNT >= 0, START + COUNT <= ceildiv(M, 64)] {
  %pz = tile.partition %z by [64, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %start = tile.symbol "START" : i32
  %count = tile.symbol "COUNT" : i32
  %gn = tile.num_tiles %pz, 1 : !PZ
  %start_2 = arith.index_cast %start : i32 to index
  %count_2 = arith.index_cast %count : i32 to index
  %total = arith.muli %count_2, %gn : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %r = arith.divsi %t, %gn : index
    %m = arith.addi %start_2, %r : index
    %n = arith.remsi %t, %gn : index
    %o = tile.claim %pz[%m, %n] : !PZ
    tile.store %zero, %o : !SZ
  }
}
