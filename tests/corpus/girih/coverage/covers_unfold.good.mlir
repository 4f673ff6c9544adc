// expect: VERIFIED
// A stretch of H * 64 elements a block, as rows of 64: where the block decides
// where the view begins, its digits are known once the block is told.
!C = !tile.tensor<[N] x f32, out>
!S = !tile.tensor<[?] x f32, out>
!U = !tile.tensor<[H, 64] x f32, out>
!PU = !tile.partition<[_, 64], [H, 64] x f32, out>
!P = !tile.piece<[_, 64] x f32, out>
tile.kernel @covers_unfold(%c: !C) symbols [H : index, B : index] grid [B]
    requires [N == B * H * 64, H >= 1]
    covers [%c[e] by block (div(e, H * 64)) trips (div(mod(e, H * 64), 64))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %h = tile.symbol "H" : index
  %i = tile.block_id 0
  %size = arith.muli %h, %c64 : index
  %at = arith.muli %i, %size : index
  %s = tile.view %c slice [%at] size [%size] : !C
  %u = tile.view %s unfold 0 by [H, 64] : !S
  %pu = tile.partition %u by [_, 64] : !U
  scf.for %r = %c0 to %h step %c1 {
    %out = tile.claim %pu[%r, %c0] : !PU
    tile.store %v, %out : !P
  }
}
