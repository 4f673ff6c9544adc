// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, reassigned_partition_keeps_its_check
// The same where the second is no shorter.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!W = !tile.tensor<[A] x f32, shared>
!PW = !tile.partition<[16], [A] x f32, shared>
!A = !tile.tensor<[A] x f32, shared>
!PA = !tile.partition<[16], [A] x f32, shared>
!B = !tile.tensor<[B] x f32, shared>
!PB = !tile.partition<[16], [B] x f32, shared>
tile.kernel @reassigned_partition(%z: !Z, %w: !W, %a: !A, %b: !B) symbols [FLAG : i32]
    grid [ceildiv(Z, 16)] requires [A <= B] {
  %pz = tile.partition %z by [16] : !Z
  %pw = tile.partition %w by [16] : !W
  %pa = tile.partition %a by [16] : !A
  %pb = tile.partition %b by [16] : !B
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flag = tile.symbol "FLAG" : i32
  %c0_i32 = arith.constant 0 : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %n = tile.num_tiles %pw, 0 : !PW
  %acc_2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16xf32>) {
    %c = arith.cmpi sgt, %flag, %c0_i32 : i32
    %acc_3 = scf.if %c -> (vector<16xf32>) {
      %t = tile.load %pb[%i] pad(zero) : !PB
      %acc_4 = arith.addf %acc, %t : vector<16xf32>
      scf.yield %acc_4 : vector<16xf32>
    } else {
      %u = tile.load %pa[%i] pad(zero) : !PA
      %acc_5 = arith.addf %acc, %u : vector<16xf32>
      scf.yield %acc_5 : vector<16xf32>
    }
    scf.yield %acc_3 : vector<16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
