// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 1.3, second
// Sums of congruent numbers are congruent.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, a1 : index, b : index, b1 : index, c : index]
    grid [1] requires [a <= 1048576, a1 <= 1048576, b <= 1048576, b1 <= 1048576, c <= 1048576, c >= 1, a >= a1, b >= b1, mod(a - a1, c) == 0, mod(b - b1, c) == 0] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %b_2 = tile.symbol "b" : index
  %a1_2 = tile.symbol "a1" : index
  %b1_2 = tile.symbol "b1" : index
  %c_2 = tile.symbol "c" : index
  %c0 = arith.constant 0 : index
  %s = arith.addi %a_2, %b_2 : index
  %s1 = arith.addi %a1_2, %b1_2 : index
  %d = arith.subi %s, %s1 : index
  %m = arith.remsi %d, %c_2 : index
  %c_3 = arith.cmpi ne, %m, %c0 : index
  scf.if %c_3 {
    %v = tile.load %pt[%c1] : !PT
  }
}
