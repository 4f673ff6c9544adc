// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/review_probe_block_id_2026_08_18.rs, adversarial_block_id_placements_are_framed_by_the_staked_predicate
// A loop of one iteration does.
!Z = !tile.tensor<[Z] x f32, own>
!PZ = !tile.partition<[16], [Z] x f32, own>
!SZ = !tile.piece<[16] x f32, own>
!X = !tile.tensor<[Z] x f32, shared>
!PX = !tile.partition<[16], [Z] x f32, shared>
tile.kernel @loop_carried_replacement(%z: !Z, %x: !X) symbols [REP : i32] grid [ceildiv(Z, 16)] {
  %pz = tile.partition %z by [16] : !Z
  %px = tile.partition %x by [16] : !X
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  %rep = tile.symbol "REP" : i32
  %v = tile.block_id 0
  %o = tile.claim %pz[%v] : !PZ
  %v_2 = tile.block_id 0
  %index = arith.index_cast %v_2 : index to i32
  %index_3 = scf.for %k = %c0_i32 to %c1_i32 step %c1_i32 iter_args(%index_2 = %index) -> (i32) : i32 {
    scf.yield %rep : i32
  }
  %at = arith.index_cast %index_3 : i32 to index
  %t = tile.load %px[%at] pad(zero) : !PX
  tile.store %t, %o : !SZ
}
