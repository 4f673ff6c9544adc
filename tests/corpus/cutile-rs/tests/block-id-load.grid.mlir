// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/inferred_axis_bounds.rs, block_id_index_discharges_against_the_launch_grid
// The same where the grid fits the tiles; a ragged last tile counts.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @block_id_load(%z: !Z, %x: !X) grid [ceildiv(Z, 16)] requires [ceildiv(Z, 16) <= ceildiv(X, 16)] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %v_2 = tile.block_id 0
  %t = tile.load %px[%v_2] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
