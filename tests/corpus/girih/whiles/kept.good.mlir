// expect: VERIFIED
// What is passed on crosswise and yielded crosswise stays as it was, and needs
// no invariant.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[M] x i32, out>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [M] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @turn(%x: !X, %y: !Y) symbols [s : index] grid [M]
    requires [N >= 2, s >= 0] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %i = tile.block_id 0
  %s = tile.symbol "s" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %out = tile.claim %py[%i] : !PY
  %a, %b, %k = scf.while (%a0 = %c0, %b0 = %s, %k0 = %i) : (index, index, index) -> (index, index, index) {
    %goes_on = arith.cmpi sgt, %k0, %c0 : index
    tile.measure %k0 : index
    scf.condition(%goes_on) %b0, %a0, %k0 : index, index, index
  } do {
  ^bb0(%p: index, %q: index, %m: index):
    %less = arith.subi %m, %c1 : index
    scf.yield %q, %p, %less : index, index, index
  }
  %v = tile.load %px[%b] : !PX
  tile.store %v, %out : !P
}
