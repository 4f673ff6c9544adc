// A stride of 0 on either side of a unit axis, in tiles of few lanes, with each
// kind of padding.
!A = !tile.tensor<[M, N] x f32, shared, strides [0, 1]>
!B = !tile.tensor<[M, N] x bf16, shared, strides [1, 0]>
!C = !tile.tensor<[M, N] x i32, shared, strides [s, t]>
!D = !tile.tensor<[M, N] x f32, shared, strides [s, t]>
!Y = !tile.tensor<[M, N] x f32, out>
!Z = !tile.tensor<[M, N] x i32, out>
!PA = !tile.partition<[_, 8], [M, N] x f32, shared, strides [0, 1]>
!PB = !tile.partition<[_, 8], [M, N] x bf16, shared, strides [1, 0]>
!PC = !tile.partition<[_, 8], [M, N] x i32, shared, strides [s, t]>
!PD = !tile.partition<[_, 8], [M, N] x f32, shared, strides [s, t]>
!PY = !tile.partition<[_, 8], [M, N] x f32, out>
!PZ = !tile.partition<[_, 8], [M, N] x i32, out>
!P = !tile.piece<[_, 8] x f32, out>
!Q = !tile.piece<[_, 8] x i32, out>
tile.kernel @broadcast(%a: !A, %b: !B, %c: !C, %d: !D,
    %y: !Y, %z: !Z)
    symbols [s : index, t : index] grid [M, ceildiv(N, 8)] {
  %zeros = arith.constant dense<0.0> : vector<8xf32>
  %ones = arith.constant dense<1.0> : vector<8xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %pa = tile.partition %a by [_, 8] : !A
  %pb = tile.partition %b by [_, 8] : !B
  %pc = tile.partition %c by [_, 8] : !C
  %pd = tile.partition %d by [_, 8] : !D
  %py = tile.partition %y by [_, 8] : !Y
  %pz = tile.partition %z by [_, 8] : !Z
  %oy = tile.claim %py[%i, %j] : !PY
  %oz = tile.claim %pz[%i, %j] : !PZ
  %u = tile.load %pa[%i, %j] pad(neg_inf) : !PA
  %v = tile.load %pb[%i, %j] pad(neg_inf) : !PB
  %w = tile.load %pc[%i, %j] pad(zero) : !PC
  %d0 = tile.load %pd[%i, %j] pad(pos_inf) : !PD
  %d1 = tile.load %pd[%i, %j] pad(nan) : !PD
  // Padding of another kind would show.
  %a0 = math.absf %u : vector<8xf32>
  %b0 = arith.negf %a0 : vector<8xf32>
  %r0 = tile.reduce max %b0, 0 : vector<8xf32>
  %wide = arith.extf %v : vector<8xbf16> to vector<8xf32>
  %lowest = arith.constant dense<0xFF800000> : vector<8xf32>
  %is = arith.cmpf oeq, %wide, %lowest : vector<8xf32>
  %c1 = arith.select %is, %ones, %zeros : vector<8xi1>, vector<8xf32>
  %r1 = tile.reduce add %c1, 0 : vector<8xf32>
  %a2 = math.absf %d0 : vector<8xf32>
  %r2 = tile.reduce min %a2, 0 : vector<8xf32>
  %odd = arith.cmpf uno, %d1, %d1 : vector<8xf32>
  %c3 = arith.select %odd, %ones, %zeros : vector<8xi1>, vector<8xf32>
  %r3 = tile.reduce add %c3, 0 : vector<8xf32>
  %total = tile.reduce add %w, 0 : vector<8xi32>
  %s0a = arith.addf %r0, %r1 : f32
  %s0b = arith.addf %r2, %r3 : f32
  %s0c = arith.addf %s0a, %s0b : f32
  %all = vector.broadcast %s0c : f32 to vector<8xf32>
  %s0 = arith.addf %u, %all : vector<8xf32>
  %sums = vector.broadcast %total : i32 to vector<8xi32>
  %s1 = arith.subi %sums, %w : vector<8xi32>
  tile.store %s0, %oy : !P
  tile.store %s1, %oz : !Q
}
