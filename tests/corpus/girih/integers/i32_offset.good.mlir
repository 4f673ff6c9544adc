// expect: VERIFIED
// The offset is computed in index.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[1024], [N] x f32, own>
!P = !tile.piece<[1024] x f32, own>
tile.kernel @i32_offset(%x: !X)
    grid [ceildiv(N, 1024)] {
  %v = arith.constant dense<1.0> : vector<1024xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [1024] : !X
  %c1024 = arith.constant 1024 : index
  %offset = arith.muli %i, %c1024 : index
  %t = arith.divsi %offset, %c1024 : index
  %out = tile.claim %px[%t] : !PX
  tile.store %v, %out : !P
}
