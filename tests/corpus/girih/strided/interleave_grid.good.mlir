// expect: VERIFIED
// One half of the blocks writes the even columns, the other one the odd ones.
!Y = !tile.tensor<[N] x f32, out>
!H = !tile.tensor<[H] x f32, out>
!PH = !tile.partition<[64], [H] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @interleave_grid(%y: !Y) symbols [H : index] grid [2, ceildiv(H, 64)]
    requires [N == 2 * H] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %mine = tile.view %y slice [%b] size [H] step [2] : !Y
  %p = tile.partition %mine by [64] : !H
  %c = tile.claim %p[%j] : !PH
  tile.store %v, %c : !P
}
