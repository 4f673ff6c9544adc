// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_index_schedules.rs, invariant_checks_hoist_across_nested_loops
// The same with the check that it hoists.
!Z = !tile.tensor<[A, B] x f32, own>
!PZ = !tile.partition<[16, 64], [A, B] x f32, own>
!SZ = !tile.piece<[16, 64] x f32, own>
!X = !tile.tensor<[C, D] x f32, shared>
!PX = !tile.partition<[16, 64], [C, D] x f32, shared>
tile.kernel @nested_invariant(%z: !Z, %x: !X) symbols [HEAD : i32, N : i32]
    grid [ceildiv(A, 16), ceildiv(B, 64)] requires [HEAD >= 0, HEAD < ceildiv(C, 16), 2 <= ceildiv(D, 64)] {
  %pz = tile.partition %z by [16, 64] : !Z
  %px = tile.partition %x by [16, 64] : !X
  %zero = arith.constant dense<0.0> : vector<16x64xf32>
  %head = tile.symbol "HEAD" : i32
  %n = tile.symbol "N" : i32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %v = tile.block_id 0
  %v_2 = tile.block_id 1
  %o = tile.claim %pz[%v, %v_2] : !PZ
  %head_2 = arith.index_cast %head : i32 to index
  %n_2 = arith.index_cast %n : i32 to index
  %acc_2 = scf.for %a = %c0 to %n_2 step %c1 iter_args(%acc = %zero) -> (vector<16x64xf32>) {
    %acc_4 = scf.for %b = %c0 to %c2 step %c1 iter_args(%acc_3 = %acc) -> (vector<16x64xf32>) {
      %t = tile.load %px[%head_2, %b] pad(zero) : !PX
      %acc_5 = arith.addf %acc_3, %t : vector<16x64xf32>
      scf.yield %acc_5 : vector<16x64xf32>
    }
    scf.yield %acc_4 : vector<16x64xf32>
  }
  tile.store %acc_2, %o : !SZ
}
