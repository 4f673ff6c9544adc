// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, adversarial_block_id_placements_are_framed_by_the_staked_predicate
// A branch replaces the block id by a launch scalar.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[Z] x f32, shared>
!PX = !tile.partition<[16], [Z] x f32, shared>
tile.kernel @joined_reassignment(%z: !Z, %x: !X) symbols [REP : i32] grid [ceildiv(Z, 16)] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %rep = tile.symbol "REP" : i32
  %c0_i32 = arith.constant 0 : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %v_2 = tile.block_id 0
  %index = arith.index_cast %v_2 : index to i32
  %c = arith.cmpi sge, %rep, %c0_i32 : i32
  %index_2 = scf.if %c -> (i32) {
    scf.yield %rep : i32
  } else {
    scf.yield %index : i32
  }
  %at = arith.index_cast %index_2 : i32 to index
  %t = tile.load %px[%at] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
