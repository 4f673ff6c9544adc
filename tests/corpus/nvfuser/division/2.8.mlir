// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.8
// The remainder of a product is that of the product of remainders.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index, c : index]
    grid [1] requires [a <= 1048576, b <= 1048576, c <= 1048576, c >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %b_2 = tile.symbol "b" : index
  %c_2 = tile.symbol "c" : index
  %p = arith.muli %a_2, %b_2 : index
  %l = arith.remsi %p, %c_2 : index
  %x = arith.remsi %a_2, %c_2 : index
  %y = arith.remsi %b_2, %c_2 : index
  %u = arith.muli %x, %y : index
  %r = arith.remsi %u, %c_2 : index
  %c_3 = arith.cmpi ne, %l, %r : index
  scf.if %c_3 {
    %v = tile.load %pt[%c1] : !PT
  }
}
