// expect: REFUTED claim.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/checked_store_corpus.rs, block_id_index_discharges_by_staking_a_grid_check
// The block id as tile column, five blocks and four columns.
!Z = !tile.tensor<[5, 256] x f32, own>
!PZ = !tile.partition<[1, 64], [5, 256] x f32, own>
!SZ = !tile.piece<[1, 64] x f32, own>
tile.kernel @store_block_id(%z: !Z) grid [5] {
  %pz = tile.partition %z by [1, 64] : !Z
  %zero = arith.constant dense<0.0> : vector<1x64xf32>
  %row = tile.block_id 0
  %o = tile.claim %pz[%row, %row] : !PZ
  tile.store %zero, %o : !SZ
}
