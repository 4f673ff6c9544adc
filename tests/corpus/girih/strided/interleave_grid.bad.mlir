// expect: REFUTED claim.disjoint
// twin: interleave_grid.good.mlir
// Both halves take even columns, from 0 on and from 2 on.
!Y = !tile.tensor<[N] x f32, out partial>
!H = !tile.tensor<[H] x f32, out partial>
!PH = !tile.partition<[64], [H] x f32, out partial>
!P = !tile.piece<[64] x f32, out>
tile.kernel @interleave_grid(%y: !Y) symbols [H : index] grid [2, ceildiv(H, 64)]
    requires [N == 2 * H + 1] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %c2 = arith.constant 2 : index
  %first = arith.muli %b, %c2 : index
  %mine = tile.view %y slice [%first] size [H] step [2] : !Y
  %p = tile.partition %mine by [64] : !H
  %c = tile.claim %p[%j] : !PH
  tile.store %v, %c : !P
}
