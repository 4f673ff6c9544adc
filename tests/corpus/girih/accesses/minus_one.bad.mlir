// expect: REFUTED claim.bounds
// twin: minus_one.good.mlir
// Block 0 claims tile -1: nobody asked for the lower bound.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @minus_one(%x: !X)
    grid [ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %m = arith.subi %i, %c1 : index
  %out = tile.claim %px[%m] : !PX
  tile.store %v, %out : !P
}
