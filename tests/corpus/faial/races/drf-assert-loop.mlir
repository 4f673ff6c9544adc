// expect: VERIFIED
// source: elliotsayes/faial@c29bf33 examples/drf/drf-assert-loop.cu, test.ml
// A loop that is left after its first iteration; index t * 16 + b. Rewritten: a
// thread is a block of one element.
!Q = !tile.tensor<[256] x f32, own>
!PQ = !tile.partition<[_], [256] x f32, own>
!SQ = !tile.piece<[_] x f32, own>
tile.kernel @drf_assert_loop(%q: !Q) symbols [BC : index] grid [16, 16] {
  %pq = tile.partition %q by [_] : !Q
  %c16 = arith.constant 16 : index
  %bc = tile.symbol "BC" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = tile.block_id 1
  %b = tile.block_id 0
  %v = arith.muli %t, %c16 : index
  %tx = arith.addi %v, %b : index
  scf.for %y = %c0 to %bc step %c1 {
    %c = arith.cmpi slt, %y, %c1 : index
    scf.if %c {
      %at = arith.addi %tx, %y : index
      %s = tile.claim %pq[%at] : !PQ
      %v_2 = tile.load %s : !SQ
      %d = tile.claim %pq[%tx] : !PQ
      tile.store %v_2, %d : !SQ
    }
  }
}
