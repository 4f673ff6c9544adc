// expect: REFUTED load.bounds
// source: elliotsayes/faial@c29bf33 examples/drf/racy-loop2.cu, test.ml
// Reads y[n] down to y[0], writes y[i + n]. The part of n elements that is only
// read and the part that is written are two arguments, so that the race is a
// read outside the first. Rewritten: a thread is a block of one element.
!LOW = !tile.tensor<[n] x f32, shared>
!PLOW = !tile.partition<[_], [n] x f32, shared>
!HIGH = !tile.tensor<[H] x f32, own>
!PHIGH = !tile.partition<[_], [H] x f32, own>
!SHIGH = !tile.piece<[_] x f32, own>
tile.kernel @racy_loop2(%low: !LOW, %high: !HIGH) symbols [G : index, B : index]
    grid [G, B] requires [G * B <= H, n > 0] {
  %plow = tile.partition %low by [_] : !LOW
  %phigh = tile.partition %high by [_] : !HIGH
  %b = tile.symbol "B" : index
  %zero = arith.constant 0.0 : f32
  %n_2 = tile.symbol "n" : index
  %c1 = arith.constant 1 : index
  %c0 = arith.constant 0 : index
  %v = tile.block_id 0
  %v_2 = arith.muli %v, %b : index
  %v_3 = tile.block_id 1
  %i = arith.addi %v_2, %v_3 : index
  %n1 = arith.addi %n_2, %c1 : index
  %f_2 = scf.for %t = %c0 to %n1 step %c1 iter_args(%f = %zero) -> (f32) {
    %j = arith.subi %n_2, %t : index
    %v_4 = tile.load %plow[%j] : !PLOW
    %f_3 = arith.addf %f, %v_4 : f32
    scf.yield %f_3 : f32
  }
  %d = tile.claim %phigh[%i] : !PHIGH
  tile.store %f_2, %d : !SHIGH
}
