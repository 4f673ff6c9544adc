// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/inferred_axis_bounds.rs, plain_loop_2d_matches_its_bounded_twin
// Two loops over the tiles of two axes.
!Z = !tile.tensor<[A, B] x f32, own>
!PZ = !tile.partition<[64, 64], [A, B] x f32, own>
!SZ = !tile.piece<[64, 64] x f32, own>
!X = !tile.tensor<[C, D] x f32, shared>
!PX = !tile.partition<[64, 64], [C, D] x f32, shared>
tile.kernel @plain_loop_2d(%z: !Z, %x: !X) grid [ceildiv(A, 64), ceildiv(B, 64)] {
  %pz = tile.partition %z by [64, 64] : !Z
  %px = tile.partition %x by [64, 64] : !X
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %v_2 = tile.block_id 1
  %o = tile.claim %pz[%v, %v_2] : !PZ
  %rows = tile.num_tiles %px, 0 : !PX
  %cols = tile.num_tiles %px, 1 : !PX
  scf.for %i = %c0 to %rows step %c1 {
    scf.for %j = %c0 to %cols step %c1 {
      %t = tile.load %px[%i, %j] pad(zero) : !PX
      tile.store %t, %o : !SZ
    }
  }
}
