// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.4
// A number is congruent to its remainder.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index]
    grid [1] requires [a <= 1048576, b <= 1048576, b >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %b_2 = tile.symbol "b" : index
  %c0 = arith.constant 0 : index
  %r = arith.remsi %a_2, %b_2 : index
  %d = arith.subi %a_2, %r : index
  %m = arith.remsi %d, %b_2 : index
  %c = arith.cmpi ne, %m, %c0 : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
}
