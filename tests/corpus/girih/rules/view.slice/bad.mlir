// expect: REFUTED view.slice
// twin: good.mlir
// The last block's slice of 64 goes on behind the end of a ragged tensor.
!C = !tile.tensor<[M] x f32, out>
!S = !tile.tensor<[64] x f32, out>
!PS = !tile.partition<[64], [64] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @slices(%c: !C) grid [ceildiv(M, 64)] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %b = tile.block_id 0
  %from = arith.muli %b, %c64 : index
  %s = tile.view %c slice [%from] size [64] : !C
  %ps = tile.partition %s by [64] : !S
  %out = tile.claim %ps[%c0] : !PS
  tile.store %v, %out : !P
}
