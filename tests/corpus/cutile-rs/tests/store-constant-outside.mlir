// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/checked_store_corpus.rs, constant_past_the_end_is_rejected
// The second row of a piece of one. A piece is a block's row here.
!Z = !tile.tensor<[1, 256] x f32, own>
!PZ = !tile.partition<[1, 64], [1, 256] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @store_constant_outside(%z: !Z) grid [1] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %o = tile.claim %pz[%c1, %c0] : !PZ
  tile.store %zero, %o : !SZ
}
