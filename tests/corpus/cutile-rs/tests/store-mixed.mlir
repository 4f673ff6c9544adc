// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/checked_store_corpus.rs, mixed_constant_and_inferred_coordinates_fully_discharge
// A loop over the tile columns of a block's row.
!Z = !tile.tensor<[R, 256] x f32, own>
!PZ = !tile.partition<[1, 64], [R, 256] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @store_mixed(%z: !Z) grid [R] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.num_tiles %pz, 1 : !PZ
  %row = tile.block_id 0
  scf.for %j = %c0 to %n step %c1 {
    %o = tile.claim %pz[%row, %j] : !PZ
    tile.store %zero, %o : !SZ
  }
}
