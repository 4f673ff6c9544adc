// expect: REFUTED claim.bounds
// twin: axes.good.mlir
// Grid axes and tensor axes must match.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[4, 8], [M, N] x f32, out>
!P = !tile.piece<[4, 8] x f32, out>
tile.kernel @axes(%x: !X)
    grid [ceildiv(N, 8), ceildiv(M, 4)] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %out = tile.claim %px[%i, %j] : !PX
  tile.store %v, %out : !P
}
