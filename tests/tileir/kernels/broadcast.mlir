// A stride of 0 on either side of a unit axis, in tiles of few lanes, with each
// kind of padding.
!A = !tile.tensor<[M, N] x f32, shared, strides [0, 1]>
!B = !tile.tensor<[M, N] x bf16, shared, strides [1, 0]>
!C = !tile.tensor<[M, N] x i32, shared, strides [s, t]>
!Y = !tile.tensor<[M, N] x f32, out>
!Z = !tile.tensor<[M, N] x i32, out>
!PA = !tile.partition<[_, 8], [M, N] x f32, shared, strides [0, 1]>
!PB = !tile.partition<[_, 8], [M, N] x bf16, shared, strides [1, 0]>
!PC = !tile.partition<[_, 8], [M, N] x i32, shared, strides [s, t]>
!PY = !tile.partition<[_, 8], [M, N] x f32, out>
!PZ = !tile.partition<[_, 8], [M, N] x i32, out>
!P = !tile.piece<[_, 8] x f32, out>
!Q = !tile.piece<[_, 8] x i32, out>
tile.kernel @broadcast(%a: !A, %b: !B, %c: !C, %y: !Y, %z: !Z)
    symbols [s : index, t : index] grid [M, ceildiv(N, 8)] {
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [_, 8] : !A
  %pb = tile.partition %b by [_, 8] : !B
  %pc = tile.partition %c by [_, 8] : !C
  %py = tile.partition %y by [_, 8] : !Y
  %pz = tile.partition %z by [_, 8] : !Z
  %oy = tile.claim %py[%i, %j] : !PY
  %oz = tile.claim %pz[%i, %j] : !PZ
  %u = tile.load %pa[%i, %j] pad(neg_inf) : !PA
  %v = tile.load %pb[%i, %j] pad(pos_inf) : !PB
  %w = tile.load %pc[%i, %j] pad(zero) : !PC
  %most = tile.reduce max %u, 0 : vector<8xf32>
  %wide = arith.extf %v : vector<8xbf16> to vector<8xf32>
  %least = tile.reduce min %wide, 0 : vector<8xf32>
  %total = tile.reduce add %w, 0 : vector<8xi32>
  %both = arith.addf %most, %least : f32
  %all = vector.broadcast %both : f32 to vector<8xf32>
  %s0 = arith.addf %u, %all : vector<8xf32>
  %sums = vector.broadcast %total : i32 to vector<8xi32>
  %s1 = arith.subi %sums, %w : vector<8xi32>
  tile.store %s0, %oy : !P
  tile.store %s1, %oz : !Q
}
