// expect: REFUTED claim.disjoint
// twin: view_fix.good.mlir
// All batches write the first one.
!A = !tile.tensor<[B, M] x i32, out>
!S = !tile.tensor<[M] x i32, out>
!PS = !tile.partition<[16], [M] x i32, out>
!P = !tile.piece<[16] x i32, out>
tile.kernel @view_fix(%a: !A) grid [ceildiv(M, 16), B] requires [B >= 1] {
  %v = arith.constant dense<1> : vector<16xi32>
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %b = tile.block_id 1
  %s = tile.view %a fix 0 at %c0 : !A
  %ps = tile.partition %s by [16] : !S
  %out = tile.claim %ps[%i] : !PS
  tile.store %v, %out : !P
}
