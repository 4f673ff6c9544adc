// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/checked_store_corpus.rs, runtime_scalar_index_keeps_a_two_sided_check
// Tile column from a launch scalar.
!Z = !tile.tensor<[R, 256] x f32, own>
!PZ = !tile.partition<[1, 64], [R, 256] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @store_runtime_scalar(%z: !Z) symbols [IDX : i32] grid [R] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %idx = tile.symbol "IDX" : i32
  %col = arith.index_cast %idx : i32 to index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v, %col] : !PZ
  tile.store %zero, %o : !SZ
}
