// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/differential_placement.rs, placement_is_outcome_refining, row guarded_foreign_flag_on_short_target
// A walk along the columns of one tensor reads rows of another, under a flag.
// On, three tiles for four.
!Z = !tile.tensor<[16, 16] x f32, own>
!PZ = !tile.partition<[16, 16], [16, 16] x f32, own>
!SZ = !tile.piece<[16, 16] x f32, own>
!X = !tile.tensor<[16, 64] x f32, shared>
!PX = !tile.partition<[16, 16], [16, 64] x f32, shared>
!Y = !tile.tensor<[48, 16] x f32, shared>
!PY = !tile.partition<[16, 16], [48, 16] x f32, shared>
tile.kernel @guarded_foreign_flag_on_short_target(%z: !Z, %x: !X, %y: !Y) symbols [FLAG : i32]
    grid [1, 1] requires [FLAG == 1] {
  %pz = tile.partition %z by [16, 16] : !Z
  %px = tile.partition %x by [16, 16] : !X
  %py = tile.partition %y by [16, 16] : !Y
  %zero = arith.constant dense<0.0> : vector<16x16xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flag = tile.symbol "FLAG" : i32
  %c0_i32 = arith.constant 0 : i32
  %v = tile.block_id 0
  %v_2 = tile.block_id 1
  %o = tile.claim %pz[%v, %v_2] : !PZ
  %n = tile.num_tiles %px, 1 : !PX
  %acc_2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> (vector<16x16xf32>) {
    %c = arith.cmpi sgt, %flag, %c0_i32 : i32
    %acc_3 = scf.if %c -> (vector<16x16xf32>) {
      %t = tile.load %py[%k, %c0] pad(zero) : !PY
      %acc_4 = arith.addf %acc, %t : vector<16x16xf32>
      scf.yield %acc_4 : vector<16x16xf32>
    } else {
      scf.yield %acc : vector<16x16xf32>
    }
    scf.yield %acc_3 : vector<16x16xf32>
  }
  tile.store %acc_2, %o : !SZ
}
