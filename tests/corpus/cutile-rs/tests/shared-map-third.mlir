// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, shared_map_still_rejects_unrelated_partition_store
// The schedule of two results of equal grid used on a third.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[64, 64], [M, N] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
!RES = !tile.tensor<[M, N] x f32, own>
!PRES = !tile.partition<[64, 64], [M, N] x f32, own>
!SRES = !tile.piece<[64, 64] x f32, own>
!THIRD = !tile.tensor<[A, B] x f32, own>
!PTHIRD = !tile.partition<[64, 64], [A, B] x f32, own>
!STHIRD = !tile.piece<[64, 64] x f32, own>
tile.kernel @shared_map_third(%z: !Z, %res: !RES, %third: !THIRD) symbols [P : index]
    grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [64, 64] : !Z
  %pres = tile.partition %res by [64, 64] : !RES
  %pthird = tile.partition %third by [64, 64] : !THIRD
  %zero = arith.constant dense<0.0> : vector<64x64xf32>
  %gm = tile.num_tiles %pz, 0 : !PZ
  %gn = tile.num_tiles %pz, 1 : !PZ
  %total = arith.muli %gm, %gn : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %m = arith.divsi %t, %gn : index
    %n = arith.remsi %t, %gn : index
    %o = tile.claim %pthird[%m, %n] : !PTHIRD
    tile.store %zero, %o : !STHIRD
  }
}
