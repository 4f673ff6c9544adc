// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, affine_induction_checks_stay_in_place_without_an_overflow_proof
// Row 2 j + 1 in 32 bits for a launch scalar of trips: wraps before the last.
!Z = !tile.tensor<[A, B] x f32, own>
!PZ = !tile.partition<[16, 64], [A, B] x f32, own>
!SZ = !tile.piece<[16, 64] x f32, own>
!X = !tile.tensor<[C, D] x f32, shared>
!PX = !tile.partition<[16, 64], [C, D] x f32, shared>
tile.kernel @affine_index(%z: !Z, %x: !X) symbols [N : i32]
    grid [ceildiv(A, 16), ceildiv(B, 64)] requires [D >= 1] {
  %pz = tile.partition %z by [16, 64] : !Z
  %px = tile.partition %x by [16, 64] : !X
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %c0 = arith.constant 0 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %n = tile.symbol "N" : i32
  %c2_i32 = arith.constant 2 : i32
  %v = tile.block_id 0
  %v_2 = tile.block_id 1
  %o = tile.claim %pz[%v, %v_2] : !PZ
  %acc_2 = scf.for %j = %c0_i32 to %n step %c1_i32 iter_args(%acc = %zero) -> (vector<16x64xf32>) : i32 {
    %twice = arith.muli %j, %c2_i32 : i32
    %odd = arith.addi %twice, %c1_i32 : i32
    %row = arith.index_cast %odd : i32 to index
    %t = tile.load %px[%row, %c0] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %t : vector<16x64xf32>
    scf.yield %acc_3 : vector<16x64xf32>
  }
  tile.store %acc_2, %o : !SZ
}
