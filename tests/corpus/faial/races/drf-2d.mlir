// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-2d.cu, test.ml
// A row of 256 columns a CUDA block, read through a helper. Rewritten: a thread
// is a block of one element.
!X = !tile.tensor<[X, 256] x f32, shared>
!PX = !tile.partition<[_, _], [X, 256] x f32, shared>
!Y = !tile.tensor<[N] x f32, own>
!PY = !tile.partition<[_], [N] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @drf_2d(%x: !X, %y: !Y, %a: f32) symbols [G : index] grid [G, 256] requires [G <= X] {
  %px = tile.partition %x by [_, _] : !X
  %py = tile.partition %y by [_] : !Y
  %c256 = arith.constant 256 : index
  %n = tile.symbol "N" : index
  %b = tile.block_id 0
  %t = tile.block_id 1
  %v = arith.muli %b, %c256 : index
  %i = arith.addi %v, %t : index
  %c = arith.cmpi slt, %i, %n : index
  scf.if %c {
    %v_2 = tile.load %px[%b, %t] : !PX
    %d = tile.claim %py[%i] : !PY
    %old = tile.load %d : !SY
    %ax = arith.mulf %a, %v_2 : f32
    %new = arith.addf %ax, %old : f32
    tile.store %new, %d : !SY
  }
}
