// expect: VERIFIED
// The last block's slice ends where the tensor does.
!C = !tile.tensor<[M] x f32, out>
!S = !tile.tensor<[?] x f32, out>
!PS = !tile.partition<[64], [?] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @slices(%c: !C) grid [ceildiv(M, 64)] {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %b = tile.block_id 0
  %m = tile.symbol "M" : index
  %from = arith.muli %b, %c64 : index
  %left = arith.subi %m, %from : index
  %size = arith.minsi %left, %c64 : index
  %s = tile.view %c slice [%from] size [%size] : !C
  %ps = tile.partition %s by [64] : !S
  %out = tile.claim %ps[%c0] : !PS
  tile.store %v, %out : !P
}
