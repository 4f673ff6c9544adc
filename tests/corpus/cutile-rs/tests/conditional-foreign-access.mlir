// expect: REFUTED load.bounds
// source: NVlabs/cutile-rs@0839fe4 cutile/tests/inferred_axis_bounds.rs, control_dependent_access_still_imposes_an_unconditional_launch_check
// A read of another tensor under a flag, extents unrelated.
!Z = !tile.tensor<[A, B] x f32, own>
!PZ = !tile.partition<[32, 32], [A, B] x f32, own>
!SZ = !tile.piece<[32, 32] x f32, own>
!X = !tile.tensor<[M, K] x f32, shared>
!PX = !tile.partition<[32, 32], [M, K] x f32, shared>
!Y = !tile.tensor<[L, N] x f32, shared>
!PY = !tile.partition<[32, 32], [L, N] x f32, shared>
tile.kernel @conditional_foreign_access(%z: !Z, %x: !X, %y: !Y) symbols [FLAG : i32]
    grid [ceildiv(A, 32), ceildiv(B, 32)] {
  %pz = tile.partition %z by [32, 32] : !Z
  %px = tile.partition %x by [32, 32] : !X
  %py = tile.partition %y by [32, 32] : !Y
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %flag = tile.symbol "FLAG" : i32
  %c0_i32 = arith.constant 0 : i32
  %v = tile.block_id 0
  %v_2 = tile.block_id 1
  %o = tile.claim %pz[%v, %v_2] : !PZ
  %n = tile.num_tiles %px, 1 : !PX
  scf.for %k = %c0 to %n step %c1 {
    %c = arith.cmpi sgt, %flag, %c0_i32 : i32
    scf.if %c {
      %t = tile.load %py[%k, %c0] pad(zero) : !PY
      tile.store %t, %o : !SZ
    }
  }
}
