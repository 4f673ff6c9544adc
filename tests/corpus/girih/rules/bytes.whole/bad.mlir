// expect: REFUTED bytes.whole
// twin: good.mlir
// Each block writes its own stretch of n numbers of 4 bits: where n is odd, the
// last one of a block shares a byte with the first one of the next.
!C = !tile.tensor<[N] x f4E2M1FN, out partial>
!S = !tile.tensor<[n] x f4E2M1FN, out partial>
!PS = !tile.partition<[64], [n] x f4E2M1FN, out partial>
!P = !tile.piece<[64] x f4E2M1FN, out>
tile.kernel @stretches(%c: !C) symbols [B : index, n : index] grid [B, ceildiv(n, 64)]
    requires [mod(N, 2) == 0, B * n <= N] {
  %v = arith.constant dense<1.0> : vector<64xf4E2M1FN>
  %b = tile.block_id 0
  %j = tile.block_id 1
  %n = tile.symbol "n" : index
  %first = arith.muli %b, %n : index
  %s = tile.view %c slice [%first] size [n] : !C
  %ps = tile.partition %s by [64] : !S
  %out = tile.claim %ps[%j] : !PS
  tile.store %v, %out : !P
}
