// expect: VERIFIED
// source: NVIDIA/Fuser@81c4b22 doc/math/integer-division.md, Theorem 2.16
// i / d < D gives i < D * d.
!T = !tile.tensor<[1] x f32, shared>
!PT = !tile.partition<[_], [1] x f32, shared>
tile.kernel @theorem(%t: !T) symbols [i : index, d : index, D : index]
    grid [1] requires [i <= 1048576, d <= 1048576, D <= 1048576, d >= 1, div(i, d) < D] {
  %pt = tile.partition %t by [_] : !T
  %c1 = arith.constant 1 : index
  %d_2 = tile.symbol "D" : index
  %d_3 = tile.symbol "d" : index
  %i_2 = tile.symbol "i" : index
  %p = arith.muli %d_2, %d_3 : index
  %c = arith.cmpi sge, %i_2, %p : index
  scf.if %c {
    %v = tile.load %pt[%c1] : !PT
  }
}
