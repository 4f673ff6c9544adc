// expect: REFUTED invariant.holds
// twin: turned.good.mlir
// The place stays where it is, and the sum of the two does not.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
!PX = !tile.partition<[_], [N] x i32, shared>
!PY = !tile.partition<[_], [N] x i32, out>
!P = !tile.piece<[_] x i32, out>
tile.kernel @turned(%x: !X, %y: !Y) grid [1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tile.symbol "N" : index
  %px = tile.partition %x by [_] : !X
  %py = tile.partition %y by [_] : !Y
  %last = arith.subi %n, %c1 : index
  %end = scf.for %i = %c0 to %n step %c1 iter_args(%j = %last) -> (index) {
    %sum = arith.addi %i, %j : index
    %both = arith.cmpi eq, %sum, %last : index
    tile.invariant %both, "one goes up as the other goes down" : i1
    %out = tile.claim %py[%i] : !PY
    %v = tile.load %px[%j] : !PX
    tile.store %v, %out : !P
    %next = arith.maxsi %j, %c0 : index
    scf.yield %next : index
  }
}
