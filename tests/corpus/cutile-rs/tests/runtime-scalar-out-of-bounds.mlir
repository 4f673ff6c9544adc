// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/differential_placement.rs, placement_is_outcome_refining, row runtime_scalar_out_of_bounds
// Tile 12 of ten.
!Z = !tile.tensor<[16] x f32, own>
!PZ = !tile.partition<[16], [16] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[160] x f32, shared>
!PX = !tile.partition<[16], [160] x f32, shared>
tile.kernel @runtime_scalar_out_of_bounds(%z: !Z, %x: !X) symbols [IDX : i32] grid [1] requires [IDX == 12] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %idx = tile.symbol "IDX" : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %at = arith.index_cast %idx : i32 to index
  %t = tile.load %px[%at] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
