// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 1.2, first
// Every number is congruent to itself.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [a : index, c : index]
    grid [1] requires [a <= 1048576, c <= 1048576, c >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %a_2 = tile.symbol "a" : index
  %c_2 = tile.symbol "c" : index
  %c0 = arith.constant 0 : index
  %d = arith.subi %a_2, %a_2 : index
  %m = arith.remsi %d, %c_2 : index
  %c_3 = arith.cmpi ne, %m, %c0 : index
  scf.if %c_3 {
    %v = tile.load %pt[%c1] : !PT
  }
}
