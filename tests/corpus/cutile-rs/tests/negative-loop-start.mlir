// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/partition_access_soundness.rs, provably_negative_loop_start_is_rejected
// A loop over tile indices that starts at -2.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[64], [Z] x f32, own>
!SZ = !tile.piece<[64] x f32, own>
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[64], [X] x f32, shared>
tile.kernel @negative_loop_start(%z: !Z, %x: !X) grid [ceildiv(Z, 64)] requires [X >= 256] {
  %pz = tile.partition %z by [64] : !Z
  %px = tile.partition %x by [64] : !X
  %cm2_i32 = arith.constant -2 : i32
  %c4_i32 = arith.constant 4 : i32
  %c1_i32 = arith.constant 1 : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  scf.for %j = %cm2_i32 to %c4_i32 step %c1_i32 : i32 {
    %at = arith.index_cast %j : i32 to index
    %t = tile.load %px[%at] pad(zero) : !PX
    tile.store %t, %o : !SZ
  }
}
