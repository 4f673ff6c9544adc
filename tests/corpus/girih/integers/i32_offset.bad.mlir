// expect: REFUTED claim.bounds
// twin: i32_offset.good.mlir
// The offset is computed in i32 and wraps: the smallest N is 2^31 + 1.
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
  %i32 = arith.index_cast %i : index to i32
  %size = arith.constant 1024 : i32
  %offset = arith.muli %i32, %size : i32
  %wide = arith.index_cast %offset : i32 to index
  %c1024 = arith.constant 1024 : index
  %nonneg = arith.maxsi %wide, %c0 : index
  %base = arith.divsi %nonneg, %c1024 : index
  %same = arith.cmpi eq, %nonneg, %wide : index
  %missing = arith.constant -1 : index
  %t = arith.select %same, %base, %missing : index
  %out = tile.claim %px[%t] : !PX
  tile.store %v, %out : !P
}
