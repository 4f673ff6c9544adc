// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-shared-scalar.cu, test.ml
// Every thread writes one shared scalar, one CUDA block of 32. Rewritten: a
// thread is a block of one element.
!DATA = !tile.tensor<[1] x i32, own>
!PDATA = !tile.partition<[_], [1] x i32, own>
!SDATA = !tile.piece<[_] x i32, own>
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PY = !tile.partition<[_], [N] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_shared_scalar(%data: !DATA, %x: !X, %y: !Y, %a: f32) symbols [BX : index]
    grid [32] requires [BX <= 1048576] {
  %pdata = tile.partition %data by [_] : !DATA
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %bx = tile.symbol "BX" : index
  %c32 = arith.constant 32 : index
  %c0 = arith.constant 0 : index
  %n = tile.symbol "N" : index
  %c7_i32 = arith.constant 7 : i32
  %v = arith.muli %bx, %c32 : index
  %v_2 = tile.block_id 0
  %i = arith.addi %v, %v_2 : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %s = tile.claim %pdata[%c0] : !PDATA
    tile.store %c7_i32, %s : !SDATA
    %v_3 = tile.load %px[%i] : !PX
    %s_2 = tile.claim %py[%i] : !PY
    %old = tile.load %s_2 : !SY
    %ax = arith.mulf %a, %v_3 : f32
    %new = arith.addf %ax, %old : f32
    %d = tile.claim %py[%i] : !PY
    tile.store %new, %d : !SY
  }
}
