// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.5
// Below the divisor the quotient is 0.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [r : index, a : index]
    grid [1] requires [r <= 1048576, a <= 1048576, r < a] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %r_2 = tile.symbol "r" : index
  %a_2 = tile.symbol "a" : index
  %c0 = arith.constant 0 : index
  %m = arith.remsi %r_2, %a_2 : index
  %d = arith.divsi %r_2, %a_2 : index
  %c = arith.cmpi ne, %m, %r_2 : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
  %c_2 = arith.cmpi ne, %d, %c0 : index
  scf.if %c_2 {
    %v_2 = tile.load %pt[%c1] : !PT
  }
}
