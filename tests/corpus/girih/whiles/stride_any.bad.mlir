// expect: REFUTED claim.disjoint
// twin: stride.good.mlir
// Every block goes on by one element, into those of the next block.
!C = !tile.tensor<[N] x i32, out partial>
!PC = !tile.partition<[_], [N] x i32, out partial>
!P = !tile.piece<[_] x i32, out>
tile.kernel @stride(%c: !C) symbols [B : index] grid [B] requires [B >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %seven = arith.constant 7 : i32
  %b = tile.block_id 0
  %blocks = tile.grid_dim 0
  %n = tile.symbol "N" : index
  %pc = tile.partition %c by [_] : !C
  %k, %t = scf.while (%k0 = %c0, %t0 = %b) : (index, index) -> (index, index) {
    %counted = arith.cmpi sge, %k0, %c0 : index
    tile.invariant %counted : i1
    %low = arith.cmpi sge, %t0, %k0 : index
    tile.invariant %low : i1
    %limit = arith.addi %n, %blocks : index
    %high = arith.cmpi slt, %t0, %limit : index
    tile.invariant %high : i1
    %sum = arith.addi %k0, %b : index
    %mine = arith.cmpi eq, %t0, %sum : index
    tile.invariant %mine, "the place is this block's" : i1
    %left = arith.subi %n, %t0 : index
    %goes_on = arith.cmpi slt, %t0, %n : index
    tile.measure %left : index
    scf.condition(%goes_on) %k0, %t0 : index, index
  } do {
  ^bb0(%j: index, %u: index):
    %out = tile.claim %pc[%u] : !PC
    tile.store %seven, %out : !P
    %more = arith.addi %j, %c1 : index
    %next = arith.addi %u, %c1 : index
    scf.yield %more, %next : index, index
  }
}
