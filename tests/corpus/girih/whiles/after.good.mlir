// expect: VERIFIED
// Behind the loop its condition is false, so that the place is one behind the
// last element.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[1] x i32, out>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [1] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @after(%x: !X, %y: !Y) grid [1] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%c0] : !PY
  %at = scf.while (%i = %c0) : (index) -> (index) {
    %counted = arith.cmpi sge, %i, %c0 : index
    tile.invariant %counted : i1
    %inside = arith.cmpi sle, %i, %n : index
    tile.invariant %inside : i1
    %left = arith.subi %n, %i : index
    %goes_on = arith.cmpi slt, %i, %n : index
    tile.measure %left : index
    scf.condition(%goes_on) %i : index
  } do {
  ^bb0(%j: index):
    %v = tile.load %px[%j] : !PX
    %next = arith.addi %j, %c1 : index
    scf.yield %next : index
  }
  %last = arith.subi %at, %c1 : index
  %v = tile.load %px[%last] : !PX
  tile.store %v, %out : !P
}
