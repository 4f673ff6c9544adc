// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/checked_store_corpus.rs, constant_negative_index_is_rejected
// Tile column -1.
!Z = !tile.tensor<[R, 256] x f32, own>
!PZ = !tile.partition<[1, 64], [R, 256] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @store_constant_negative(%z: !Z) grid [R] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %cm1 = arith.constant -1 : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v, %cm1] : !PZ
  tile.store %zero, %o : !SZ
}
