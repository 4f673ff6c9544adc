// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 1.2, third
// Congruence is transitive, for a >= b >= d.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, b : index, d : index, c : index]
    grid [1] requires [a <= 1048576, b <= 1048576, d <= 1048576, c <= 1048576, c >= 1, a >= b, b >= d, mod(a - b, c) == 0, mod(b - d, c) == 0] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %d_2 = tile.symbol "d" : index
  %c_2 = tile.symbol "c" : index
  %c0 = arith.constant 0 : index
  %e = arith.subi %a_2, %d_2 : index
  %m = arith.remsi %e, %c_2 : index
  %c_3 = arith.cmpi ne, %m, %c0 : index
  scf.if %c_3 {
    %v = tile.load %pt[%c1] : !PT
  }
}
