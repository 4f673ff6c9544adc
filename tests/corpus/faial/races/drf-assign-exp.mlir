// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-assign-exp.cu, file name
// Two variables with one value by chained assignment (listed as unsupported
// there). Rewritten: a thread is a block of one element.
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @drf_assign_exp(%x: !X, %y: !Y, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [G * B <= X, G * B + 0 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %v = tile.block_id 0
  %j0 = arith.muli %v, %b : index
  %t = tile.block_id 1
  %i = arith.addi %j0, %t : index
  %j = arith.addi %j0, %t : index
  %v_2 = tile.load %px[%i] : !PX
  %s = tile.claim %py[%j] : !PY
  %old = tile.load %s : !SY
  %ax = arith.mulf %a, %v_2 : f32
  %new = arith.addf %ax, %old : f32
  %d = tile.claim %py[%i] : !PY
  tile.store %new, %d : !SY
}
