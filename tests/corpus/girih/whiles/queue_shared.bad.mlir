// expect: REFUTED claim.disjoint
// twin: queue.good.mlir
// Each block takes the first tile of the next one as well: its invariant is
// wrong by one, and so is where it ends.
!S = !tile.tensor<[P1] x i32, shared>
!X = !tile.tensor<[N] x f32, shared>
!C = !tile.tensor<[N] x f32, own>
!PS = !tile.partition<[_], [P1] x i32, shared>
!PX = !tile.partition<[128], [N] x f32, shared>
!PC = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @queue(%s: !S, %x: !X, %c: !C) symbols [P : index] grid [P]
    requires [P1 == P + 1, mod(N, 128) == 1] given [splits(%s, div(N, 128))] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %p = tile.block_id 0
  %ps = tile.partition %s by [_] : !S
  %px = tile.partition %x by [128] : !X
  %pc = tile.partition %c by [128] : !C
  %behind = arith.addi %p, %c1 : index
  %from = tile.load %ps[%p] : !PS
  %to = tile.load %ps[%behind] : !PS
  %first = arith.index_cast %from : i32 to index
  %last = arith.index_cast %to : i32 to index
  %end = scf.while (%t = %first) : (index) -> (index) {
    %begun = arith.cmpi sge, %t, %first : index
    tile.invariant %begun, "tiles before are not ours" : i1
    %over = arith.addi %last, %c1 : index
    %within = arith.cmpi sle, %t, %over : index
    tile.invariant %within, "tiles behind are not ours" : i1
    %left = arith.subi %over, %t : index
    %goes_on = arith.cmpi sle, %t, %last : index
    tile.measure %left : index
    scf.condition(%goes_on) %t : index
  } do {
  ^bb0(%u: index):
    %out = tile.claim %pc[%u] : !PC
    %v = tile.load %px[%u] pad(zero) : !PX
    %w = tile.load %out pad(zero) : !P
    %sum = arith.addf %v, %w : vector<128xf32>
    tile.store %sum, %out : !P
    %next = arith.addi %u, %c1 : index
    scf.yield %next : index
  }
}
