// expect: REFUTED claim.disjoint
// source: elliotsayes/faial@c29bf33 examples/drf/racy-loop-comma-in-cond.cu, test.ml
// The loop condition reads x[0], which thread 0 writes; every thread writes
// y[0]. Rewritten: a thread is a block of one element.
!X = !tile.tensor<[X] x f32, own>
!PX = !tile.partition<[_], [X] x f32, own>
!SX = !tile.piece<[_] x f32, own>
!Y = !tile.tensor<[Y] x f32, own>
!PY = !tile.partition<[_], [Y] x f32, own>
!SY = !tile.piece<[_] x f32, own>
tile.kernel @racy_loop_comma_in_cond(%x: !X, %y: !Y) symbols [G : index, B : index, n : index]
    grid [G, B] requires [n > 0, G * B <= X, n + G * B <= Y] {
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %b = tile.symbol "B" : index
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n_2 = tile.symbol "n" : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %d0 = tile.claim %py[%c0] : !PY
  tile.store %zero, %d0 : !SY
  %f_2 = scf.for %j = %c1 to %n_2 step %c1 iter_args(%f = %zero) -> (f32) {
    %c0_2 = tile.claim %px[%c0] : !PX
    %seen = tile.load %c0_2 : !SX
    %e = tile.claim %py[%j] : !PY
    %v_4 = tile.load %e : !SY
    %f_3 = arith.addf %f, %v_4 : f32
    scf.yield %f_3 : f32
  }
  %d = tile.claim %px[%i] : !PX
  tile.store %one, %d : !SX
  %w = arith.addi %i, %n_2 : index
  %g = tile.claim %py[%w] : !PY
  tile.store %f_2, %g : !SY
}
