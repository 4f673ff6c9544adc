// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, wrapping_intermediate_arithmetic_keeps_its_check
// i * -2000000000 wraps at i = 2, and max keeps what comes of it.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @wrapped_product_masked_by_max(%z: !Z, %x: !X) grid [ceildiv(Z, 16)] requires [X >= 48] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %c0_i32 = arith.constant 0 : i32
  %c3_i32 = arith.constant 3 : i32
  %c1_i32 = arith.constant 1 : i32
  %cm2000000000_i32 = arith.constant -2000000000 : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %acc_2 = scf.for %i = %c0_i32 to %c3_i32 step %c1_i32 iter_args(%acc = %zero) -> (vector<16xf32>) : i32 {
    %product = arith.muli %i, %cm2000000000_i32 : i32
    %index = arith.maxsi %product, %i : i32
    %at = arith.index_cast %index : i32 to index
    %t = tile.load %px[%at] pad(zero) : !PX
    %acc_3 = arith.addf %acc, %t : vector<16xf32>
    scf.yield %acc_3 : vector<16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
