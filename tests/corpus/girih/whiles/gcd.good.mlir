// expect: VERIFIED
// The greatest common divisor by subtraction: both numbers stay positive, so
// that their sum falls.
!A = !tile.tensor<[N] x i32, shared>
!G = !tile.tensor<[N] x i32, out>
!PA = !tile.partition<[_], [N] x i32, shared>
!PG = !tile.partition<[_], [N] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @gcd(%a: !A, %b: !A, %g: !G) grid [N]
    given [within(%a, 1, 2147483647), within(%b, 1, 2147483647)] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %pa = tile.partition %a by [_] : !A
  %pb = tile.partition %b by [_] : !A
  %pg = tile.partition %g by [_] : !G
  %out = tile.claim %pg[%i] : !PG
  %va = tile.load %pa[%i] : !PA
  %vb = tile.load %pb[%i] : !PA
  %ia = arith.index_cast %va : i32 to index
  %ib = arith.index_cast %vb : i32 to index
  %x, %y = scf.while (%x0 = %ia, %y0 = %ib) : (index, index) -> (index, index) {
    %x_low = arith.cmpi sge, %x0, %c1 : index
    tile.invariant %x_low : i1
    %y_low = arith.cmpi sge, %y0, %c1 : index
    tile.invariant %y_low : i1
    %x_high = arith.cmpi sle, %x0, %ia : index
    tile.invariant %x_high : i1
    %y_high = arith.cmpi sle, %y0, %ib : index
    tile.invariant %y_high : i1
    %sum = arith.addi %x0, %y0 : index
    %differ = arith.cmpi ne, %x0, %y0 : index
    tile.measure %sum : index
    scf.condition(%differ) %x0, %y0 : index, index
  } do {
  ^bb0(%p: index, %q: index):
    %less = arith.cmpi slt, %p, %q : index
    %p2, %q2 = scf.if %less -> (index, index) {
      %rest = arith.subi %q, %p : index
      scf.yield %p, %rest : index, index
    } else {
      %rest = arith.subi %p, %q : index
      scf.yield %rest, %q : index, index
    }
    scf.yield %p2, %q2 : index, index
  }
  %d = arith.index_cast %x : index to i32
  tile.store %d, %out : !P
}
