// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/inferred_axis_bounds.rs, plain_loop_matches_its_dim_loop_twin
// A loop over the tiles of a tensor.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[64], [Z] x f32, own>
!SZ = !tile.piece<[64] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[64], [X] x f32, shared>
tile.kernel @plain_loop(%z: !Z, %x: !X) grid [ceildiv(Z, 64)] {
  %pz = tile.partition %z by [64] : !Z
  %px = tile.partition %x by [64] : !X
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %n = tile.num_tiles %px, 0 : !PX
  scf.for %i = %c0 to %n step %c1 {
    %t = tile.load %px[%i] pad(zero) : !PX
    tile.store %t, %o : !SZ
  }
}
