// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/parse-gv.cu, test.ml
// y[i + 2] from y[i + gridDim.x] and y[i + gridDim.y], a grid of 2 by 2 by 2,
// one CUDA block. Rewritten: a thread is a block of one element.
!X = !tile.tensor<[N] x f32, shared>
!PX = !tile.partition<[_], [N] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @parse_gv(%x: !X, %y: !Y, %a: f32) symbols [B : index, BX : index]
    grid [B] requires [BX < 2, N + 3 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %bx = tile.symbol "BX" : index
  %b = tile.symbol "B" : index
  %n = tile.symbol "N" : index
  %c2 = arith.constant 2 : index
  %v = arith.muli %bx, %b : index
  %v_2 = tile.block_id 0
  %i = arith.addi %v, %v_2 : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %w = arith.addi %i, %c2 : index
    %r = arith.addi %i, %c2 : index
    %v_3 = tile.load %px[%i] : !PX
    %s = tile.claim %py[%r] : !PY
    %old = tile.load %s : !SY
    %ax = arith.mulf %a, %v_3 : f32
    %sum = arith.addf %ax, %old : f32
    %ry = arith.addi %i, %c2 : index
    %sy = tile.claim %py[%ry] : !PY
    %oy = tile.load %sy : !SY
    %new = arith.addf %sum, %oy : f32
    %d = tile.claim %py[%w] : !PY
    tile.store %new, %d : !SY
  }
}
