// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-loop2.cu, test.ml
// Reads y[n] down to y[0], writes y[i + n + 1]. The part that is read and the
// part that is written are two arguments, so that a race would be a read
// outside the first. Rewritten: a thread is a block of one element.
!X = !tile.tensor<[X] x f32, shared>
!PX = !tile.partition<[_], [X] x f32, shared>
!LOW = !tile.tensor<[L] x f32, shared>
!PLOW = !tile.partition<[_], [L] x f32, shared>
!HIGH = !tile.tensor<[H] x f32, own>
!PHIGH = !tile.partition<[_], [H] x f32, own>
!SHIGH = !tile.piece<[_] x f32, own>
tile.kernel @drf_loop2(%x: !X, %low: !LOW, %high: !HIGH, %a: f32) symbols [G : index, B : index]
    grid [G, B] requires [L > 1, G * B <= X, G * B <= H] {
  %px = tile.partition %x by [_] : !X
  %plow = tile.partition %low by [_] : !LOW
  %phigh = tile.partition %high by [_] : !HIGH
  %b = tile.symbol "B" : index
  %zero = arith.constant 0.0 : f32
  %l = tile.symbol "L" : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %n = arith.subi %l, %c1 : index
  %f_2 = scf.for %t = %c0 to %l step %c1 iter_args(%f = %zero) -> (f32) {
    %j = arith.subi %n, %t : index
    %v_4 = tile.load %plow[%j] : !PLOW
    %f_3 = arith.addf %f, %v_4 : f32
    scf.yield %f_3 : f32
  }
  %xv = tile.load %px[%i] : !PX
  %ax = arith.mulf %a, %xv : f32
  %s = arith.addf %ax, %f_2 : f32
  %d = tile.claim %phigh[%i] : !PHIGH
  tile.store %s, %d : !SHIGH
}
