// expect: VERIFIED
// out = transpose(a), read through a permuted view: tile (i, j) of the view is
// tile (j, i) of the tensor, lanes turned.
!A = !tile.tensor<[M, N] x f32, shared>
!AT = !tile.tensor<[N, M] x f32, shared>
!C = !tile.tensor<[N, M] x f32, out>
!PA = !tile.partition<[16, 32], [N, M] x f32, shared>
!PC = !tile.partition<[16, 32], [N, M] x f32, out>
!P = !tile.piece<[16, 32] x f32, out>
tile.kernel @view_transpose(%a: !A, %c: !C) grid [ceildiv(N, 16), ceildiv(M, 32)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %t = tile.view %a permute [1, 0] : !A
  %pa = tile.partition %t by [16, 32] : !AT
  %pc = tile.partition %c by [16, 32] : !C
  %out = tile.claim %pc[%i, %j] : !PC
  %x = tile.load %pa[%i, %j] pad(zero) : !PA
  tile.store %x, %out : !P
}
