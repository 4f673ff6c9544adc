// expect: VERIFIED
// Two tensors into one, column by column: two stores write every other column
// each.
!X = !tile.tensor<[M, H] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!H = !tile.tensor<[M, H] x f32, out>
!PX = !tile.partition<[16, 64], [M, H] x f32, shared>
!PH = !tile.partition<[16, 64], [M, H] x f32, out>
!P = !tile.piece<[16, 64] x f32, out>
tile.kernel @interleave(%a: !X, %b: !X, %y: !Y) grid [ceildiv(M, 16), ceildiv(H, 64)]
    requires [N == 2 * H] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [16, 64] : !X
  %pb = tile.partition %b by [16, 64] : !X
  %u = tile.load %pa[%i, %j] pad(zero) : !PX
  %v = tile.load %pb[%i, %j] pad(zero) : !PX
  %e = tile.view %y slice [0, 0] size [M, H] step [1, 2] : !Y
  %o = tile.view %y slice [0, 1] size [M, H] step [1, 2] : !Y
  %pe = tile.partition %e by [16, 64] : !H
  %po = tile.partition %o by [16, 64] : !H
  %cu = tile.claim %pe[%i, %j] : !PH
  tile.store %u, %cu : !P
  %cv = tile.claim %po[%i, %j] : !PH
  tile.store %v, %cv : !P
}
