// expect: VERIFIED
// Blocks unfold one axis by widths of their own; (1, 0) of width 5 is not (1, 5) of
// width 10.
!C = !tile.tensor<[100] x f32, own>
!S = !tile.tensor<[20, 5] x f32, own>
!W = !tile.tensor<[10, 10] x f32, own>
!PS = !tile.partition<[_, _], [20, 5] x f32, own>
!PW = !tile.partition<[_, _], [10, 10] x f32, own>
!P = !tile.piece<[_, _] x f32, own>
tile.kernel @view_width(%c: !C) grid [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %v = arith.constant 1.0 : f32
  %b = tile.block_id 0
  %first = arith.cmpi eq, %b, %c0 : index
  scf.if %first {
    %s = tile.view %c unfold 0 by [20, 5] : !C
    %ps = tile.partition %s by [_, _] : !S
    %out = tile.claim %ps[%c1, %c0] : !PS
    tile.store %v, %out : !P
  } else {
    %w = tile.view %c unfold 0 by [10, 10] : !C
    %pw = tile.partition %w by [_, _] : !W
    %out = tile.claim %pw[%c1, %c5] : !PW
    tile.store %v, %out : !P
  }
}
