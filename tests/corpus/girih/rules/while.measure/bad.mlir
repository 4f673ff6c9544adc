// expect: REFUTED while.measure
// twin: good.mlir
// Halved, 0 stays 0.
!Y = !tile.tensor<[N] x i64, out>
!PY = !tile.partition<[_], [N] x i64, out>
!P = !tile.piece<[_] x i64, out>
tile.kernel @while_measure(%y: !Y) symbols [first : index] grid [N] {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %first = tile.symbol "first" : index
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%i] : !PY
  %last = scf.while (%n = %first) : (index) -> (index) {
    %counted = arith.cmpi sge, %n, %c0 : index
    tile.invariant %counted, "the number is not negative" : i1
    %goes_on = arith.cmpi sge, %n, %c0 : index
    tile.measure %n : index
    scf.condition(%goes_on) %n : index
  } do {
  ^bb0(%m: index):
    %less = arith.divsi %m, %c2 : index
    scf.yield %less : index
  }
  %value = arith.index_cast %last : index to i64
  tile.store %value, %out : !P
}
