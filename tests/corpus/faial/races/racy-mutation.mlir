// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-mutation.cu, test.ml
// Every thread writes y[i], odd ones y[i + 1] too, by a flag. Rewritten: a
// thread is a block of one element.
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_mutation(%x: !X, %y: !Y, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [G * B <= X, G * B + 1 <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %c2 = arith.constant 2 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %r = arith.remsi %i, %c2 : index
  %c = arith.cmpi eq, %r, %c1 : index
  %flag = scf.if %c -> (index) {
    scf.yield %c1 : index
  } else {
    scf.yield %c0 : index
  }
  %v_4 = tile.load %px[%i] : !PX
  %ax = arith.mulf %a, %v_4 : f32
  %d = tile.claim %py[%i] : !PY
  tile.store %ax, %d : !SY
  %c_2 = arith.cmpi ne, %flag, %c0 : index
  scf.if %c_2 {
    %j = arith.addi %i, %c1 : index
    %e = tile.claim %py[%j] : !PY
    tile.store %ax, %e : !SY
  }
}
