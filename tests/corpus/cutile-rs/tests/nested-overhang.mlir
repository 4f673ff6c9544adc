// expect: VERIFIED
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/nested_partition_mut.rs, nested_partition_mut_allows_nested_tile_overhang
// A row of ten in tiles of four: the last overhangs.
!Z = !tile.tensor<[R, 10] x f32, out>
!PZ = !tile.partition<[1, 4], [R, 10] x f32, out>
!SZ = !tile.piece<[1, 4] x f32, out>
!X = !tile.tensor<[R, 10] x f32, shared>
!PX = !tile.partition<[1, 4], [R, 10] x f32, shared>
tile.kernel @nested_overhang(%z: !Z, %x: !X) grid [R] {
  %pz = tile.partition %z by [1, 4] : !Z
  %px = tile.partition %x by [1, 4] : !X
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %row = tile.block_id 0
  scf.for %j = %c0 to %c3 step %c1 {
    %t = tile.load %px[%row, %j] pad(zero) : !PX
    %o = tile.claim %pz[%row, %j] : !PZ
    tile.store %t, %o : !SZ
  }
}
