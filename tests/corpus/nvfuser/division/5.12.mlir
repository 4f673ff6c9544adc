// expect: UNKNOWN load.bounds
// stated: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 5.12
// The rest of a quotient rounded up by a product, in digits.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index, c : index]
    grid [1] requires [a <= 1048576, b <= 1048576, c <= 1048576, b >= 1, c >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %b_2 = tile.symbol "b" : index
  %c_2 = tile.symbol "c" : index
  %a_2 = tile.symbol "a" : index
  %p = arith.muli %b_2, %c_2 : index
  %q = arith.ceildivsi %a_2, %p : index
  %qp = arith.muli %q, %p : index
  %l = arith.subi %a_2, %qp : index
  %q1 = arith.ceildivsi %a_2, %b_2 : index
  %q1b = arith.muli %q1, %b_2 : index
  %r1 = arith.subi %a_2, %q1b : index
  %q2 = arith.ceildivsi %q1, %c_2 : index
  %q2c = arith.muli %q2, %c_2 : index
  %r2 = arith.subi %q1, %q2c : index
  %r2b = arith.muli %r2, %b_2 : index
  %r = arith.addi %r1, %r2b : index
  %c_3 = arith.cmpi ne, %l, %r : index
  scf.if %c_3 {
    %v = tile.load %pt[%c1] : !PT
  }
}
