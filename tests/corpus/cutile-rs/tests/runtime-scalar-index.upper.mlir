// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, runtime_scalar_index_is_bounded_below
// The same, bounded from above alone: -1 passes.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[64], [Z] x f32, own>
!SZ = !tile.piece<[64] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[64], [X] x f32, shared>
tile.kernel @runtime_scalar_index(%z: !Z, %x: !X) symbols [IDX : i32]
    grid [ceildiv(Z, 64)] requires [IDX < ceildiv(X, 64)] {
  %pz = tile.partition %z by [64] : !Z
  %px = tile.partition %x by [64] : !X
  %idx = tile.symbol "IDX" : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %at = arith.index_cast %idx : i32 to index
  %t = tile.load %px[%at] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
