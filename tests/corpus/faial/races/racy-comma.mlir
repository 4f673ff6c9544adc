// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-comma.cu, test.ml
// A comma expression that reads y[i + 1]. Rewritten: a thread is a block of one
// element.
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_comma(%x: !X, %y: !Y, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [G * B <= X, 1 * G * B + 1 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %r = arith.addi %i, %c1 : index
  %v_4 = tile.load %px[%i] : !PX
  %s = tile.claim %py[%r] : !PY
  %old = tile.load %s : !SY
  %ax = arith.mulf %a, %v_4 : f32
  %new = arith.addf %ax, %old : f32
  %d = tile.claim %py[%i] : !PY
  tile.store %new, %d : !SY
}
