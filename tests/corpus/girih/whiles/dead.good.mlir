// expect: VERIFIED
// A while that no block gets to states what is never true.
!C = !tile.tensor<[N] x i32, out>
!PC = !tile.partition<[_], [N] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @dead(%c: !C) grid [N] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %i = tile.block_id 0
  %n = tile.symbol "N" : index
  %pc = tile.partition %c by [_] : !C
  %some = arith.cmpi sge, %i, %c0 : index
  scf.if %some {
    %out = tile.claim %pc[%i] : !PC
    tile.store %seven, %out : !P
  }
  %never = arith.cmpi slt, %i, %c0 : index
  scf.if %never {
    %last = scf.while (%a = %n) : (index) -> (index) {
      %empty = arith.cmpi slt, %n, %c0 : index
      tile.invariant %empty, "the tensor has less than no elements" : i1
      %goes_on = arith.cmpi sgt, %a, %c0 : index
      tile.measure %a : index
      scf.condition(%goes_on) %a : index
    } do {
    ^bb0(%b: index):
      %less = arith.subi %b, %c1 : index
      scf.yield %less : index
    }
    %out = tile.claim %pc[%i] : !PC
    tile.store %seven, %out : !P
  }
}
