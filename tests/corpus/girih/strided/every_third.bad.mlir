// expect: REFUTED load.bounds
// twin: every_third.good.mlir
// The row behind one's own in the slice: the last block has none, though the
// tensor may have three more.
!X = !tile.tensor<[N, M] x f32, shared>
!T = !tile.tensor<[M, N] x f32, shared>
!S = !tile.tensor<[H, N] x f32, shared>
!Y = !tile.tensor<[H, N] x f32, out>
!PS = !tile.partition<[_, 64], [H, N] x f32, shared>
!PY = !tile.partition<[_, 64], [H, N] x f32, out>
!P = !tile.piece<[_, 64] x f32, out>
tile.kernel @every_third(%x: !X, %y: !Y) grid [H, ceildiv(N, 64)] requires [3 * H <= M + 1] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %t = tile.view %x permute [1, 0] : !X
  %s = tile.view %t slice [1, 0] size [H, N] step [3, 1] : !T
  %c1 = arith.constant 1 : index
  %i1 = arith.addi %i, %c1 : index
  %ps = tile.partition %s by [_, 64] : !S
  %v = tile.load %ps[%i1, %j] pad(zero) : !PS
  %py = tile.partition %y by [_, 64] : !Y
  %c = tile.claim %py[%i, %j] : !PY
  tile.store %v, %c : !P
}
