// A table that is the same all along an axis, in tiles that hang over its edge:
// it is read once, its lanes outside hold the padding, and both are places.
!B = !tile.tensor<[M, 64] x i32, shared, strides [0, 1]>
!E = !tile.tensor<[V] x i32, shared>
!Z = !tile.tensor<[M, 64] x i32, out>
!PB = !tile.partition<[8, 32], [M, 64] x i32, shared, strides [0, 1]>
!PZ = !tile.partition<[8, 32], [M, 64] x i32, out>
!P = !tile.piece<[8, 32] x i32, out>
tile.kernel @spread(%b: !B, %e: !E, %z: !Z) grid [ceildiv(M, 8), 2]
    requires [V >= 1] given [within(%b, 0, V)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pb = tile.partition %b by [8, 32] : !B
  %pz = tile.partition %z by [8, 32] : !Z
  %out = tile.claim %pz[%i, %j] : !PZ
  %w = tile.load %pb[%i, %j] pad(zero) : !PB
  %at = arith.index_cast %w : vector<8x32xi32> to vector<8x32xindex>
  %g = tile.gather %e[%at] : !E, vector<8x32xindex>
  %sum = arith.addi %g, %w : vector<8x32xi32>
  tile.store %sum, %out : !P
}
