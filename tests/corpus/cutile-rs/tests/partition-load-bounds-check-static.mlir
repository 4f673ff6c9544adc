// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/slice_non_divisible.rs, partition_load_bounds_check_static
// Eight tiles of 128 of an extent of 1000, into a tile that is read first.
!Z = !tile.tensor<[128] x f32, own>
!PZ = !tile.partition<[128], [128] x f32, own>
!SZ = !tile.piece<[128] x f32, own>
!X = !tile.tensor<[1000] x f32, shared>
!PX = !tile.partition<[128], [1000] x f32, shared>
tile.kernel @partition_load_bounds_check_static(%z: !Z, %x: !X) grid [1] {
  %pz = tile.partition %z by [128] : !Z
  %px = tile.partition %x by [128] : !X
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %acc = tile.load %o pad(zero) : !SZ
  %acc_3 = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc_2 = %acc) -> (vector<128xf32>) {
    %t = tile.load %px[%i] pad(zero) : !PX
    %acc_4 = arith.addf %acc_2, %t : vector<128xf32>
    scf.yield %acc_4 : vector<128xf32>
  }
  tile.store %acc_3, %o : !SZ
}
