// expect: VERIFIED
// The contract says that the third axis is 1.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[4, 8], [M, N] x f32, out>
!P = !tile.piece<[4, 8] x f32, out>
tile.kernel @third_axis(%x: !X) symbols [H : index]
    grid [ceildiv(M, 4), ceildiv(N, 8), H] requires [H == 1] {
  %v = arith.constant dense<1.0> : vector<4x8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [4, 8] : !X
  %i = tile.block_id 0
  %j = tile.block_id 1
  %out = tile.claim %px[%i, %j] : !PX
  tile.store %v, %out : !P
}
