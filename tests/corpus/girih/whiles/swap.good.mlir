// expect: VERIFIED
// The places of the two numbers take turns, and both lie in the table.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[M] x i32, out>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [M] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @swap(%x: !X, %y: !Y) symbols [s : index] grid [M]
    requires [N >= 2, s >= 0, s < N] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %s = tile.symbol "s" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%i] : !PY
  %a, %b, %k = scf.while (%a0 = %c0, %b0 = %s, %k0 = %i) : (index, index, index) -> (index, index, index) {
    %a_low = arith.cmpi sge, %a0, %c0 : index
    tile.invariant %a_low : i1
    %a_high = arith.cmpi sle, %a0, %s : index
    tile.invariant %a_high : i1
    %b_low = arith.cmpi sge, %b0, %c0 : index
    tile.invariant %b_low : i1
    %b_high = arith.cmpi sle, %b0, %s : index
    tile.invariant %b_high : i1
    %goes_on = arith.cmpi sgt, %k0, %c0 : index
    tile.measure %k0 : index
    scf.condition(%goes_on) %b0, %a0, %k0 : index, index, index
  } do {
  ^bb0(%p: index, %q: index, %m: index):
    %less = arith.subi %m, %c1 : index
    scf.yield %p, %q, %less : index, index, index
  }
  %v = tile.load %px[%b] : !PX
  tile.store %v, %out : !P
}
