// expect: REFUTED load.bounds
// twin: minus-one.good.mlir
// source: NVlabs/cutile-rs review of 2026-08-04
// A launch scalar below the number of tiles.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[16], [X] x f32, shared>
tile.kernel @minus_one(%z: !Z, %x: !X) symbols [IDX : i32]
    grid [ceildiv(Z, 16)] requires [IDX < ceildiv(X, 16)] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %idx = tile.symbol "IDX" : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %at = arith.index_cast %idx : i32 to index
  %t = tile.load %px[%at] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
