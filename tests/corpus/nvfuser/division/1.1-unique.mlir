// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 1.1
// And are unique.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index, q : index, r : index]
    grid [1] requires [a <= 1048576, b <= 1048576, q <= 1048576, r <= 1048576, b >= 1, a == b * q + r, r < b] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %b_2 = tile.symbol "b" : index
  %q_2 = tile.symbol "q" : index
  %r_2 = tile.symbol "r" : index
  %d = arith.divsi %a_2, %b_2 : index
  %m = arith.remsi %a_2, %b_2 : index
  %c = arith.cmpi ne, %d, %q_2 : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
  %c_2 = arith.cmpi ne, %m, %r_2 : index
  scf.if %c_2 {
    %v_2 = tile.load %pt[%c1] : !PT
  }
}
