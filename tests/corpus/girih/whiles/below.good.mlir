// expect: VERIFIED
// Behind the loop the measure may be below 0, which the load does not mind.
!X = !tile.tensor<[8] x i64, shared>
!PX = !tile.partition<[_], [8] x i64, shared>
!Y = !tile.tensor<[N] x i64, out>
!PY = !tile.partition<[_], [N] x i64, out>
!P = !tile.piece<[_] x i64, out>
tile.kernel @below(%x: !X, %y: !Y) symbols [first : index] grid [N] {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %low = arith.constant -3 : index
  %i = tile.block_id 0
  %first = tile.symbol "first" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%i] : !PY
  %last = scf.while (%n = %first) : (index) -> (index) {
    %counted = arith.cmpi sge, %n, %low : index
    tile.invariant %counted : i1
    %goes_on = arith.cmpi sge, %n, %c0 : index
    tile.measure %n : index
    scf.condition(%goes_on) %n : index
  } do {
  ^bb0(%m: index):
    %less = arith.subi %m, %c3 : index
    %least = arith.maxsi %less, %low : index
    scf.yield %least : index
  }
  %at = arith.subi %last, %low : index
  %value = tile.load %px[%at] : !PX
  tile.store %value, %out : !P
}
