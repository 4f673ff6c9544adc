// expect: VERIFIED
// The order in which one block goes through the elements is turned by a symbol:
// every element has its trip whatever S is.
!C = !tile.tensor<[2] x f32, out>
!PC = !tile.partition<[_], [2] x f32, out>
!P = !tile.piece<[_] x f32, out>
tile.kernel @turn(%c: !C) symbols [S : index] grid [1] {
  %one = arith.constant 1.0 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %s = tile.symbol "S" : index
  %pc = tile.partition %c by [_] : !C
  scf.for %t = %c0 to %c2 step %c1 {
    %turned = arith.cmpi sge, %s, %c1 : index
    %back = arith.subi %c1, %t : index
    %at = arith.select %turned, %back, %t : index
    %out = tile.claim %pc[%at] : !PC
    tile.store %one, %out : !P
  }
}
