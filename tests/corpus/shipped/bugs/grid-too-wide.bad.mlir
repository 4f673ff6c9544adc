// expect: REFUTED claim.bounds
// twin: grid-too-wide.good.mlir
// source: NVlabs/cutile-rs, a store that reached the hardware
// As many blocks as the launch says.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
tile.kernel @grid_too_wide(%z: !Z) symbols [P : index] grid [P] {
  %pz = tile.partition %z by [16] : !Z
  %one = arith.constant dense<1.0> : vector<16xf32>
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  tile.store %one, %o : !SZ
}
