// expect: REFUTED index.division
// twin: swizzle-width.good.mlir
// source: swizzles in 32 bits
// Eight rows of tiles a group; their number of tiles in 32 bits.
!Z = !tile.tensor<[M, N] x f32, own>
!PZ = !tile.partition<[128, 128], [M, N] x f32, own>
!SZ = !tile.piece<[128, 128] x f32, own>
tile.kernel @swizzle_width(%z: !Z) grid [ceildiv(M, 128) * ceildiv(N, 128)] {
  %pz = tile.partition %z by [128, 128] : !Z
  %c8_i32 = arith.constant 8 : i32
  %c8 = arith.constant 8 : index
  %zero = arith.constant dense<0.0> : vector<128x128xf32>
  %p = tile.block_id 0
  %gm = tile.num_tiles %pz, 0 : !PZ
  %gn = tile.num_tiles %pz, 1 : !PZ
  %n32 = arith.index_cast %gn : index to i32
  %w32 = arith.muli %n32, %c8_i32 : i32
  %width = arith.index_cast %w32 : i32 to index
  %group = arith.divsi %p, %width : index
  %rest = arith.remsi %p, %width : index
  %first = arith.muli %group, %c8 : index
  %left = arith.subi %gm, %first : index
  %size = arith.minsi %left, %c8 : index
  %inner = arith.remsi %rest, %size : index
  %m = arith.addi %first, %inner : index
  %n = arith.divsi %rest, %size : index
  %o = tile.claim %pz[%m, %n] : !PZ
  tile.store %zero, %o : !SZ
}
