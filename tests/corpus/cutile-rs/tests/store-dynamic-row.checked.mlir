// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/checked_store_corpus.rs, dynamic_row_extent_moves_the_check_to_launch
// The same where it has one.
!Z = !tile.tensor<[R, 256] x f32, own>
!PZ = !tile.partition<[1, 64], [R, 256] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @store_dynamic_row(%z: !Z) grid [1] requires [R >= 1] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %pz, 1 : !PZ
  scf.for %j = %c0 to %n step %c1 {
    %o = tile.claim %pz[%c0, %j] : !PZ
    tile.store %zero, %o : !SZ
  }
}
