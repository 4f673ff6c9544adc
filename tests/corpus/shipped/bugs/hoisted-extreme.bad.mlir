// expect: REFUTED load.bounds
// twin: hoisted-extreme.good.mlir
// source: NVlabs/cutile-rs#213
// Reads of tiles 2 j + 1 behind a check of the last, 2 (N - 1) + 1, in 32 bits:
// it wraps to a negative number, and the reads do not.
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
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %n_2 = tile.symbol "N" : i32
  %c2_i32 = arith.constant 2 : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %tn = tile.num_tiles %px, 0 : !PX
  %n = arith.index_cast %tn : index to i32
  %l1 = arith.subi %n_2, %c1_i32 : i32
  %l2 = arith.muli %l1, %c2_i32 : i32
  %last = arith.addi %l2, %c1_i32 : i32
  %c = arith.cmpi slt, %last, %n : i32
  %acc = scf.if %c -> (vector<16xf32>) {
    %acc_3 = scf.for %j = %c0_i32 to %n_2 step %c1_i32 iter_args(%acc_2 = %zero) -> (vector<16xf32>) : i32 {
      %k2 = arith.muli %j, %c2_i32 : i32
      %k = arith.addi %k2, %c1_i32 : i32
      %at = arith.index_cast %k : i32 to index
      %t = tile.load %px[%at] pad(zero) : !PX
      %acc_4 = arith.addf %acc_2, %t : vector<16xf32>
      scf.yield %acc_4 : vector<16xf32>
    }
    scf.yield %acc_3 : vector<16xf32>
  } else {
    scf.yield %zero : vector<16xf32>
  }
  tile.store %acc, %o : !SZ
}
