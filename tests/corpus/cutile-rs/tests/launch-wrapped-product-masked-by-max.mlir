// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/differential_placement.rs, placement_is_outcome_refining, row wrapped_product_masked_by_max
// The launch of the test: 48 elements.
!Z = !tile.tensor<[16] x f32, own>
!PZ = !tile.partition<[16], [16] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[48] x f32, shared>
!PX = !tile.partition<[16], [48] x f32, shared>
tile.kernel @launch_wrapped_product_masked_by_max(%z: !Z, %x: !X) grid [1] {
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
