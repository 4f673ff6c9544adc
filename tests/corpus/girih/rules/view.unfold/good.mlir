// expect: VERIFIED
// Pairs of an axis of even length.
!C = !tile.tensor<[M] x f32, out>
!S = !tile.tensor<[H, 2] x f32, out>
!PS = !tile.partition<[_, 2], [H, 2] x f32, out>
!P = !tile.piece<[_, 2] x f32, out>
tile.kernel @pairs(%c: !C) symbols [H : index] grid [H]
    requires [2 * H == M] {
  %c0 = arith.constant 0 : index
  %v = arith.constant dense<1.0> : vector<2xf32>
  %b = tile.block_id 0
  %s = tile.view %c unfold 0 by [H, 2] : !C
  %ps = tile.partition %s by [_, 2] : !S
  %out = tile.claim %ps[%b, %c0] : !PS
  tile.store %v, %out : !P
}
