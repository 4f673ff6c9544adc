// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.16
// i < D * d gives i / d < D.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [i : index, d : index, D : index]
    grid [1] requires [i <= 1048576, d <= 1048576, D <= 1048576, d >= 1, i < D * d] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %i_2 = tile.symbol "i" : index
  %d_2 = tile.symbol "d" : index
  %d_3 = tile.symbol "D" : index
  %q = arith.divsi %i_2, %d_2 : index
  %c = arith.cmpi sge, %q, %d_3 : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
}
