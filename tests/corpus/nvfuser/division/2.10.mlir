// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.10
// A divisor of b can be taken out of a * b first.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index, c : index]
    grid [1] requires [a <= 1048576, b <= 1048576, c <= 1048576, c >= 1, mod(b, c) == 0] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %b_2 = tile.symbol "b" : index
  %c_2 = tile.symbol "c" : index
  %a_2 = tile.symbol "a" : index
  %q = arith.divsi %b_2, %c_2 : index
  %l = arith.muli %a_2, %q : index
  %p = arith.muli %a_2, %b_2 : index
  %r = arith.divsi %p, %c_2 : index
  %c_3 = arith.cmpi ne, %l, %r : index
  scf.if %c_3 {
    %v = tile.load %pt[%c1] : !PT
  }
}
