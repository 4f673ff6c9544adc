// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.3
// Equal remainders: the difference is a multiple.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, a1 : index, b : index]
    grid [1] requires [a <= 1048576, a1 <= 1048576, b <= 1048576, b >= 1, a >= a1, mod(a, b) == mod(a1, b)] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %a1_2 = tile.symbol "a1" : index
  %b_2 = tile.symbol "b" : index
  %c0 = arith.constant 0 : index
  %d = arith.subi %a_2, %a1_2 : index
  %m = arith.remsi %d, %b_2 : index
  %c = arith.cmpi ne, %m, %c0 : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
}
