// expect: VERIFIED
// source: NVlabs/cutile-rs#213
// The check in exact arithmetic.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @hoisted_extreme(%z: !Z, %x: !X) symbols [N : i32]
    grid [ceildiv(Z, 16)] requires [N >= 1, X <= 1048576] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %n_2 = tile.symbol "N" : i32
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %n = tile.num_tiles %px, 0 : !PX
  %count = arith.index_cast %n_2 : i32 to index
  %l1 = arith.subi %count, %c1 : index
  %l2 = arith.muli %l1, %c2 : index
  %last = arith.addi %l2, %c1 : index
  %c = arith.cmpi slt, %last, %n : index
  %acc = scf.if %c -> (vector<16xf32>) {
    %acc_3 = scf.for %j = %c0 to %count step %c1 iter_args(%acc_2 = %zero) -> (vector<16xf32>) {
      %k2 = arith.muli %j, %c2 : index
      %k = arith.addi %k2, %c1 : index
      %t = tile.load %px[%k] pad(zero) : !PX
      %acc_4 = arith.addf %acc_2, %t : vector<16xf32>
      scf.yield %acc_4 : vector<16xf32>
    }
    scf.yield %acc_3 : vector<16xf32>
  } else {
    scf.yield %zero : vector<16xf32>
  }
  tile.store %acc, %o : !SZ
}
