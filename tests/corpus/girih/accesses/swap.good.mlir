// expect: VERIFIED
// Neighbours swapped: 2k and 2k + 1.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[8], [N] x f32, own>
!P = !tile.piece<[8] x f32, own>
tile.kernel @swap(%x: !X)
    grid [ceildiv(N, 8)] requires [mod(N, 16) == 0] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8] : !X
  %r = arith.remsi %i, %c2 : index
  %even = arith.cmpi eq, %r, %c0 : index
  %up = arith.addi %i, %c1 : index
  %down = arith.subi %i, %c1 : index
  %t = arith.select %even, %up, %down : index
  %out = tile.claim %px[%t] : !PX
  tile.store %v, %out : !P
}
