// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 5.0
// The rest of a quotient rounded up is above -b and not above 0.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index]
    grid [1] requires [a <= 1048576, b <= 1048576, b >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %b_2 = tile.symbol "b" : index
  %c0 = arith.constant 0 : index
  %q = arith.ceildivsi %a_2, %b_2 : index
  %p = arith.muli %b_2, %q : index
  %r = arith.subi %a_2, %p : index
  %low = arith.subi %c0, %b_2 : index
  %c = arith.cmpi sle, %r, %low : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
  %c_2 = arith.cmpi sgt, %r, %c0 : index
  scf.if %c_2 {
    %v_2 = tile.load %pt[%c1] : !PT
  }
}
