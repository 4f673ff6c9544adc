// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, reassigned_index_keeps_its_check
// A loop index that a branch replaces by 100; the fact of the loop must not
// survive the join.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @reassigned_index(%z: !Z, %x: !X) symbols [FLAG : i32] grid [ceildiv(Z, 16)] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flag = tile.symbol "FLAG" : i32
  %c0_i32 = arith.constant 0 : i32
  %c100 = arith.constant 100 : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %n = tile.num_tiles %px, 0 : !PX
  %acc_2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16xf32>) {
    %c = arith.cmpi sgt, %flag, %c0_i32 : i32
    %j = scf.if %c -> (index) {
      scf.yield %c100 : index
    } else {
      scf.yield %i : index
    }
    %t = tile.load %px[%j] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %t : vector<16xf32>
    scf.yield %acc_3 : vector<16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
