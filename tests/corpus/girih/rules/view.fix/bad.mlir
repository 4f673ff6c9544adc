// expect: REFUTED view.fix
// twin: good.mlir
// Each block writes the row after its own.
!C = !tile.tensor<[M, N] x f32, out partial>
!S = !tile.tensor<[N] x f32, out partial>
!PS = !tile.partition<[64], [N] x f32, out partial>
!P = !tile.piece<[64] x f32, out>
tile.kernel @rows(%c: !C) grid [M, ceildiv(N, 64)] {
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<64xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %row = arith.addi %i, %c1 : index
  %s = tile.view %c fix 0 at %row : !C
  %ps = tile.partition %s by [64] : !S
  %out = tile.claim %ps[%j] : !PS
  tile.store %v, %out : !P
}
