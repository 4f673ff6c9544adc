// expect: VERIFIED
// A batch is fixed, and what is left is a matrix.
!A = !tile.tensor<[B, M] x i32, out>
!S = !tile.tensor<[M] x i32, out>
!PS = !tile.partition<[16], [M] x i32, out>
!P = !tile.piece<[16] x i32, out>
tile.kernel @view_fix(%a: !A) grid [ceildiv(M, 16), B] {
  %v = arith.constant dense<1> : vector<16xi32>
  %i = tile.block_id 0
  %b = tile.block_id 1
  %s = tile.view %a fix 0 at %b : !A
  %ps = tile.partition %s by [16] : !S
  %out = tile.claim %ps[%i] : !PS
  tile.store %v, %out : !P
}
