// Lanes counted along each axis, in types that hold the count and one that
// does not.
!T = !tile.tensor<[M, 16, 32] x i32, out>
!W = !tile.tensor<[M, 2, 256] x i8, out>
!PT = !tile.partition<[_, 16, 32], [M, 16, 32] x i32, out>
!PW = !tile.partition<[_, 2, 256], [M, 2, 256] x i8, out>
!QT = !tile.piece<[_, 16, 32] x i32, out>
!QW = !tile.piece<[_, 2, 256] x i8, out>
tile.kernel @iota(%t: !T, %w: !W) grid [M] {
  %c0 = arith.constant 0 : index
  %b = tile.block_id 0
  %pt = tile.partition %t by [_, 16, 32] : !T
  %pw = tile.partition %w by [_, 2, 256] : !W
  %outer = tile.iota 0 : vector<16x32xi32>
  %inner = tile.iota 1 : vector<16x32xi32>
  %c32 = arith.constant dense<32> : vector<16x32xi32>
  %row = arith.muli %outer, %c32 : vector<16x32xi32>
  %number = arith.addi %row, %inner : vector<16x32xi32>
  %ct = tile.claim %pt[%b, %c0, %c0] : !PT
  tile.store %number, %ct : !QT
  %wraps = tile.iota 1 : vector<2x256xi8>
  %cw = tile.claim %pw[%b, %c0, %c0] : !PW
  tile.store %wraps, %cw : !QW
}
