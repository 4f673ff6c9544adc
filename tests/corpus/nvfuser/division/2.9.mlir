// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.9
// A multiple has remainder 0.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [b : index, k : index]
    grid [1] requires [b <= 1048576, k <= 1048576, b >= 1] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %b_2 = tile.symbol "b" : index
  %k_2 = tile.symbol "k" : index
  %c0 = arith.constant 0 : index
  %a = arith.muli %b_2, %k_2 : index
  %m = arith.remsi %a, %b_2 : index
  %c = arith.cmpi ne, %m, %c0 : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
}
