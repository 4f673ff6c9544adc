// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/differential_placement.rs, placement_is_outcome_refining, row continue_before_limit_in_bounds
// A loop to 64 that skips what is not below a limit of 4, ten tiles.
!Z = !tile.tensor<[16] x f32, own>
!PZ = !tile.partition<[16], [16] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[160] x f32, shared>
!PX = !tile.partition<[16], [160] x f32, shared>
tile.kernel @continue_before_limit_in_bounds(%z: !Z, %x: !X) symbols [LIMIT : i32]
    grid [1] requires [LIMIT == 4] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0_i32 = arith.constant 0 : i32
  %c64_i32 = arith.constant 64 : i32
  %c1_i32 = arith.constant 1 : i32
  %limit = tile.symbol "LIMIT" : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %acc_2 = scf.for %k = %c0_i32 to %c64_i32 step %c1_i32 iter_args(%acc = %zero) -> (vector<16xf32>) : i32 {
    %c = arith.cmpi slt, %k, %limit : i32
    %acc_3 = scf.if %c -> (vector<16xf32>) {
      %at = arith.index_cast %k : i32 to index
      %t = tile.load %px[%at] pad(zero) : !PX
      %acc_4 = arith.addf %acc, %t : vector<16xf32>
      scf.yield %acc_4 : vector<16xf32>
    } else {
      scf.yield %acc : vector<16xf32>
    }
    scf.yield %acc_3 : vector<16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
