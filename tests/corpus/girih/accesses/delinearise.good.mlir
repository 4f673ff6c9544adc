// expect: VERIFIED
// A flat block id taken apart; the divisor must be the number of columns.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[4, 8], [M, N] x f32, out>
!P = !tile.piece<[4, 8] x f32, out>
tile.kernel @delinearise(%x: !X)
    grid [ceildiv(M, 4) * ceildiv(N, 8)] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %t = tile.block_id 0
  %gm = tile.num_tiles %px, 0 : !PX
  %gn = tile.num_tiles %px, 1 : !PX
  %i = arith.divsi %t, %gn : index
  %j = arith.remsi %t, %gn : index
  %out = tile.claim %px[%i, %j] : !PX
  tile.store %v, %out : !P
}
