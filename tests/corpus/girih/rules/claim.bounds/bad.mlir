// expect: REFUTED claim.bounds
// twin: good.mlir
// Claims one tile too far.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @claim_bounds(%x: !X) grid [ceildiv(N, 128)] {
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %i1 = arith.addi %i, %c1 : index
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i1] : !PX
  tile.store %v, %out : !P
}
