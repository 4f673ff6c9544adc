// expect: REFUTED out.covered
// twin: conditional_store.good.mlir
// Row 0 is claimed but not stored.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[4, 8], [M, N] x f32, out>
!P = !tile.piece<[4, 8] x f32, out>
tile.kernel @conditional_store(%x: !X)
    grid [ceildiv(M, 4), ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %out = tile.claim %px[%i, %j] : !PX
  %ok = arith.cmpi sgt, %i, %c0 : index
  scf.if %ok {
    tile.store %v, %out : !P
  }
}
