// expect: VERIFIED
// One row a block, columns by a loop.
!X = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, 8], [M, N] x f32, out>
!P = !tile.piece<[_, 8] x f32, out>
tile.kernel @unit_rows(%x: !X)
    grid [M] {
  %v = arith.constant dense<1.0> : vector<8xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %px = tile.partition %x by [_, 8] : !X
  %i = tile.block_id 0
  %n = tile.num_tiles %px, 1 : !PX
  scf.for %j = %c0 to %n step %c1 {
    %out = tile.claim %px[%i, %j] : !PX
    tile.store %v, %out : !P
  }
}
