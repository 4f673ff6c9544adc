// expect: REFUTED contract.division
// twin: good.mlir
// The contract divides by a symbol that may be 0.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @contract_division(%x: !X) symbols [S : index]
    grid [ceildiv(N, 128)] requires [mod(N, S) == 0] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
