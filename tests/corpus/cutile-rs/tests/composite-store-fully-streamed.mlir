// expect: REFUTED claim.disjoint
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, composite_store_rejected_on_fully_streamed_map
// All tiles are dealt to blocks, and each block stores to all columns of its
// row.
!Z = !tile.tensor<[R, N] x f32, own>
!PZ = !tile.partition<[1, 64], [R, N] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
!X = !tile.tensor<[R, N] x f32, shared>
!PX = !tile.partition<[1, 64], [R, N] x f32, shared>
tile.kernel @composite_store_fully_streamed(%z: !Z, %x: !X) symbols [P : index] grid [P] requires [P >= 1] {
  %pz = tile.partition %z by [1, 64] : !Z
  %px = tile.partition %x by [1, 64] : !X
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tile.num_tiles %pz, 0 : !PZ
  %cols = tile.num_tiles %pz, 1 : !PZ
  %total = arith.muli %rows, %cols : index
  %low = tile.block_id 0
  %step = tile.grid_dim 0
  scf.for %t = %low to %total step %step {
    %row = arith.divsi %t, %cols : index
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
