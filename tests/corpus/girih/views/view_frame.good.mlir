// expect: VERIFIED
// Both halves of each row are a slice; a block writes its row of either.
!C = !tile.tensor<[M, 256] x f32, out>
!S = !tile.tensor<[M, 128] x f32, out>
!PS = !tile.partition<[_, 64], [M, 128] x f32, out>
!P = !tile.piece<[_, 64] x f32, out>
tile.kernel @view_frame(%c: !C) grid [M, 2, 2] {
  %c128 = arith.constant 128 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %i = tile.block_id 0
  %h = tile.block_id 1
  %j = tile.block_id 2
  %from = arith.muli %h, %c128 : index
  %half = tile.view %c slice [0, %from] size [M, 128] : !C
  %pp = tile.partition %half by [_, 64] : !S
  %out = tile.claim %pp[%i, %j] : !PS
  tile.store %v, %out : !P
}
