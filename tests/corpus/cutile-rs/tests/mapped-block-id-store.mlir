// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, mapped_blockid_store_is_rejected
// The block id as row, with a number of blocks that has nothing to do with the
// rows.
!Z = !tile.tensor<[R, N] x f32, own>
!PZ = !tile.partition<[1, 64], [R, N] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @mapped_block_id_store(%z: !Z) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.num_tiles %pz, 0 : !PZ
  %cols = tile.num_tiles %pz, 1 : !PZ
  %row = tile.block_id 0
  scf.for %j = %c0 to %cols step %c1 {
    %o = tile.claim %pz[%row, %j] : !PZ
    tile.store %zero, %o : !SZ
  }
}
