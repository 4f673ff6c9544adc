// expect: REFUTED claim.disjoint
// twin: delinearise.good.mlir
// A flat block id taken apart; the divisor must be the number of columns.
!X = !tile.tensor<[M, N] x f32, own>
!PX = !tile.partition<[4, 8], [M, N] x f32, own>
!P = !tile.piece<[4, 8] x f32, own>
tile.kernel @delinearise(%x: !X)
    grid [ceildiv(M, 4) * ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %t = tile.block_id 0
  %gm = tile.num_tiles %px, 0 : !PX
  %gn = tile.num_tiles %px, 1 : !PX
  %q = arith.divsi %t, %gm : index
  %r = arith.remsi %t, %gm : index
  %lastq = arith.subi %gm, %c1 : index
  %lastr = arith.subi %gn, %c1 : index
  %i = arith.minsi %q, %lastq : index
  %j = arith.minsi %r, %lastr : index
  %out = tile.claim %px[%i, %j] : !PX
  tile.store %v, %out : !P
}
