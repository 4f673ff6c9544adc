// expect: REFUTED view.slice
// twin: deinterleave.good.mlir
// There is no odd column behind the last even one.
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, H] x f32, out>
!H = !tile.tensor<[M, H] x f32, shared>
!PH = !tile.partition<[16, 64], [M, H] x f32, shared>
!PY = !tile.partition<[16, 64], [M, H] x f32, out>
!P = !tile.piece<[16, 64] x f32, out>
tile.kernel @deinterleave(%x: !X, %even: !Y, %odd: !Y) grid [ceildiv(M, 16), ceildiv(H, 64)]
    requires [N == 2 * H - 1, H >= 1] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %e = tile.view %x slice [0, 0] size [M, H] step [1, 2] : !X
  %o = tile.view %x slice [0, 1] size [M, H] step [1, 2] : !X
  %pe = tile.partition %e by [16, 64] : !H
  %po = tile.partition %o by [16, 64] : !H
  %u = tile.load %pe[%i, %j] pad(zero) : !PH
  %v = tile.load %po[%i, %j] pad(zero) : !PH
  %pu = tile.partition %even by [16, 64] : !Y
  %pv = tile.partition %odd by [16, 64] : !Y
  %cu = tile.claim %pu[%i, %j] : !PY
  tile.store %u, %cu : !P
  %cv = tile.claim %pv[%i, %j] : !PY
  tile.store %v, %cv : !P
}
