// expect: REFUTED invariant.holds
// twin: search.good.mlir
// The range begins two behind the middle, which may be behind its end.
!S = !tile.tensor<[N] x i32, shared>
!X = !tile.tensor<[M] x i32, shared>
!Y = !tile.tensor<[M] x i64, out>
!PS = !tile.partition<[_], [N] x i32, shared>
!PX = !tile.partition<[_], [M] x i32, shared>
!PY = !tile.partition<[_], [M] x i64, out>
!P = !tile.piece<[_] x i64, out>
tile.kernel @search(%s: !S, %x: !X, %y: !Y) grid [M] given [sorted(%s)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %ps = tile.partition %s by [_] : !S
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%i] : !PY
  %v = tile.load %px[%i] : !PX
  %lo, %hi = scf.while (%a = %c0, %b = %n) : (index, index) -> (index, index) {
    %counted = arith.cmpi sge, %a, %c0 : index
    tile.invariant %counted, "the range begins in the table" : i1
    %ordered = arith.cmpi sle, %a, %b : index
    tile.invariant %ordered, "the range is not turned round" : i1
    %within = arith.cmpi sle, %b, %n : index
    tile.invariant %within, "the range ends with the table" : i1
    %left = arith.subi %b, %a : index
    %goes_on = arith.cmpi slt, %a, %b : index
    tile.measure %left : index
    scf.condition(%goes_on) %a, %b : index, index
  } do {
  ^bb0(%p: index, %q: index):
    %size = arith.subi %q, %p : index
    %half = arith.divsi %size, %c2 : index
    %mid = arith.addi %p, %half : index
    %at = tile.load %ps[%mid] : !PS
    %below = arith.cmpi slt, %at, %v : i32
    %next = arith.addi %mid, %c2 : index
    %p2 = arith.select %below, %next, %p : index
    %q2 = arith.select %below, %q, %mid : index
    scf.yield %p2, %q2 : index, index
  }
  %place = arith.index_cast %lo : index to i64
  tile.store %place, %out : !P
}
