// expect: VERIFIED
// A grid has fewer than 2^31 blocks: an i32 numbers them.
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @linear_id(%x: !X) symbols [P : index] grid [N, P] {
  %v = arith.constant 1.0 : f32
  %px = tile.partition %x by [_] : !X
  %n = tile.num_tiles %px, 0 : !PX
  %i = tile.block_id 0
  %j = tile.block_id 1
  %w = tile.grid_dim 1
  %row = arith.muli %i, %w : index
  %id = arith.addi %row, %j : index
  %short = arith.index_cast %id : index to i32
  %t = arith.index_cast %short : i32 to index
  %in = arith.cmpi slt, %t, %n : index
  scf.if %in {
    %out = tile.claim %px[%t] : !PX
    tile.store %v, %out : !P
  }
}
