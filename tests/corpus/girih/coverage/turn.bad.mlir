// expect: REFUTED out.covered
// twin: turn.good.mlir
// Turned by what the loop carries, which differs from trip to trip: element 0
// is written twice and element 1 never, though for each value that is carried
// every element has its trip.
!C = !tile.tensor<[2] x f32, out>
!PC = !tile.partition<[_], [2] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @turn(%c: !C) grid [1] {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %pc = tile.partition %c by [_] : !C
  %last = scf.for %t = %c0 to %c2 step %c1 iter_args(%s = %c0) -> (index) {
    %turned = arith.cmpi sge, %s, %c1 : index
    %back = arith.subi %c1, %t : index
    %at = arith.select %turned, %back, %t : index
    %out = tile.claim %pc[%at] : !PC
    tile.store %one, %out : !P
    scf.yield %c1 : index
  }
}
