// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, owned_axis_composite_store_discharges_all_checks
// Two passes over a row: sum, then a store to every column.
!Z = !tile.tensor<[R, N] x f32, out>
!PZ = !tile.partition<[1, 64], [R, N] x f32, out>
!SZ = !tile.piece<[1, 64] x f32, out>
!X = !tile.tensor<[R, N] x f32, shared>
!PX = !tile.partition<[1, 64], [R, N] x f32, shared>
tile.kernel @owned_axis_composite_store(%z: !Z, %x: !X) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64] : !Z
  %px = tile.partition %x by [1, 64] : !X
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.num_tiles %pz, 0 : !PZ
  %cols = tile.num_tiles %pz, 1 : !PZ
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %row = %low to %rows step %step {
    %acc_2 = scf.for %j = %c0 to %cols step %c1 iter_args(%acc = %zero) -> (vector<1x64xf32>) {
      %u = tile.load %px[%row, %j] pad(zero) : !PX
      %acc_3 = arith.addf %acc, %u : vector<1x64xf32>
      scf.yield %acc_3 : vector<1x64xf32>
    }
    scf.for %j_2 = %c0 to %cols step %c1 {
      %o = tile.claim %pz[%row, %j_2] : !PZ
      tile.store %acc_2, %o : !SZ
    }
  }
}
