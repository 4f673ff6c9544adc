// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-saxpy.cu, test.ml
// Guarded saxpy in place, threads of one CUDA block. Rewritten: a thread is a
// block of one element.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PY = !tile.partition<[_], [N] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @drf_saxpy(%x: !X, %y: !Y, %a: f32) symbols [B : index, BX : index]
    grid [B] requires [BX <= 1048576] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %bx = tile.symbol "BX" : index
  %b = tile.symbol "B" : index
  %n = tile.symbol "N" : index
  %v = arith.muli %bx, %b : index
  %v_2 = tile.block_id 0
  %i = arith.addi %v, %v_2 : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %v_3 = tile.load %px[%i] : !PX
    %s = tile.claim %py[%i] : !PY
    %old = tile.load %s : !SY
    %ax = arith.mulf %a, %v_3 : f32
    %new = arith.addf %ax, %old : f32
    %d = tile.claim %py[%i] : !PY
    tile.store %new, %d : !SY
  }
}
