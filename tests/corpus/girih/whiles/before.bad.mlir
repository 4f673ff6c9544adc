// expect: REFUTED invariant.holds
// twin: before.good.mlir
// What a trip yields is its own counter, not that of the next one.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [N] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @before(%x: !X, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%j = %c0) -> (index) {
    %low = arith.cmpi sge, %j, %c0 : index
    tile.invariant %low : i1
    %behind = arith.cmpi eq, %j, %i : index
    tile.invariant %behind, "it is the same element" : i1
    %out = tile.claim %py[%i] : !PY
    %v = tile.load %px[%j] : !PX
    tile.store %v, %out : !P
    scf.yield %i : index
  }
}
