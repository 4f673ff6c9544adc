// expect: REFUTED out.covered
// twin: covers_found.good.mlir
// The last row has no block.
!T = !tile.tensor<[1] x i32, shared>
!PT = !tile.partition<[_], [1] x i32, shared>
!C = !tile.tensor<[N] x f32, out>
!S = !tile.tensor<[N] x f32, out>
!U = !tile.tensor<[H, 64] x f32, out>
!PU = !tile.partition<[_, 64], [H, 64] x f32, out>
!P = !tile.piece<[_, 64] x f32, out>
tile.kernel @covers_found(%t: !T, %c: !C) symbols [H : index] grid [H - 1]
    requires [H >= 1, N == 64 * H] given [within(%t, 0, 1)]
    covers [%c[e] by block (div(e, 64))] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %pt = tile.partition %t by [_] : !T
  %place = tile.load %pt[%c0] : !PT
  %at = arith.index_cast %place : i32 to index
  %s = tile.view %c slice [%at] size [N] : !C
  %u = tile.view %s unfold 0 by [H, 64] : !S
  %pu = tile.partition %u by [_, 64] : !U
  %out = tile.claim %pu[%i, %c0] : !PU
  tile.store %v, %out : !P
}
