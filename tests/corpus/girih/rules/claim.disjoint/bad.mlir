// expect: REFUTED claim.disjoint
// twin: good.mlir
// The second grid axis is used by nobody: its blocks all claim one tile.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @claim_disjoint(%x: !X) symbols [H : index]
    grid [ceildiv(N, 128), H] requires [H >= 1] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
