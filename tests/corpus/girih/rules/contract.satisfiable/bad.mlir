// expect: UNSATISFIABLE contract.satisfiable
// twin: good.mlir
// No launch meets this contract.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @contract_satisfiable(%x: !X) grid [ceildiv(N, 128)]
    requires [N > 4, N < 5] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%i] : !PX
  tile.store %v, %out : !P
}
