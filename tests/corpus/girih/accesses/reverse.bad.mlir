// expect: REFUTED claim.bounds
// twin: reverse.good.mlir
// The tiles from the last to the first.
!X = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[8], [N] x f32, out>
!P = !tile.piece<[8] x f32, out>
tile.kernel @reverse(%x: !X)
    grid [ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %last = arith.subi %n, %c1 : index
  %r = arith.subi %n, %i : index
  %out = tile.claim %px[%r] : !PX
  tile.store %v, %out : !P
}
