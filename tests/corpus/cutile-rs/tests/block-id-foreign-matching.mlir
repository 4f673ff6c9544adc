// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/differential_placement.rs, placement_is_outcome_refining, row block_id_foreign_matching
// The block id as tile index of another tensor, four blocks and four tiles.
!Z = !tile.tensor<[64] x f32, own>
!PZ = !tile.partition<[16], [64] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[64] x f32, shared>
!PX = !tile.partition<[16], [64] x f32, shared>
tile.kernel @block_id_foreign_matching(%z: !Z, %x: !X) grid [4] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %v_2 = tile.block_id 0
  %t = tile.load %px[%v_2] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
