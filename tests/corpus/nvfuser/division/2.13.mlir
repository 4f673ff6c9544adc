// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.13
// A common divisor can be taken out of a remainder.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index, d : index]
    grid [1] requires [a <= 1048576, b <= 1048576, d <= 1048576, d >= 1, b >= 1, mod(a, d) == 0, mod(b, d) == 0, div(b, d) >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %b_2 = tile.symbol "b" : index
  %d_2 = tile.symbol "d" : index
  %l = arith.remsi %a_2, %b_2 : index
  %x = arith.divsi %a_2, %d_2 : index
  %y = arith.divsi %b_2, %d_2 : index
  %m = arith.remsi %x, %y : index
  %r = arith.muli %m, %d_2 : index
  %c = arith.cmpi ne, %l, %r : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
}
