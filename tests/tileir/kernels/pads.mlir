// One tensor by tiles of two sizes and with every padding.
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f32, out>
!PX = !tile.partition<[16], [N] x f32, shared>
!PV = !tile.partition<[32], [N] x f32, shared>
!PY = !tile.partition<[16], [N] x f32, out>
!P = !tile.piece<[16] x f32, out>
tile.kernel @pads(%x: !X, %y: !Y) grid [ceildiv(N, 16)] requires [N <= 1000] {
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %ones = arith.constant dense<1.0> : vector<16xf32>
  %two = arith.constant 2 : index
  %i = tile.block_id 0
  %half = arith.divsi %i, %two : index
  %px = tile.partition %x by [16] : !X
  %pv = tile.partition %x by [32] : !X
  %py = tile.partition %y by [16] : !Y
  %oy = tile.claim %py[%i] : !PY
  %v0 = tile.load %px[%i] pad(zero) : !PX
  %v1 = tile.load %px[%i] pad(pos_inf) : !PX
  %v2 = tile.load %px[%i] pad(neg_inf) : !PX
  %v3 = tile.load %px[%i] pad(nan) : !PX
  %v4 = tile.load %pv[%half] pad(zero) : !PV
  // Padding of another kind would show: it is the least of what is not negative,
  // or the largest of what is not positive, or not counted.
  %a1 = math.absf %v1 : vector<16xf32>
  %a2 = math.absf %v2 : vector<16xf32>
  %b2 = arith.negf %a2 : vector<16xf32>
  %u3 = arith.cmpf uno, %v3, %v3 : vector<16xf32>
  %c3 = arith.select %u3, %ones, %zeros : vector<16xi1>, vector<16xf32>
  %r0 = tile.reduce add %v0, 0 : vector<16xf32>
  %r1 = tile.reduce min %a1, 0 : vector<16xf32>
  %r2 = tile.reduce max %b2, 0 : vector<16xf32>
  %r3 = tile.reduce add %c3, 0 : vector<16xf32>
  %r4 = tile.reduce max %v4, 0 : vector<32xf32>
  %s0 = arith.addf %r0, %r1 : f32
  %s1 = arith.addf %s0, %r2 : f32
  %s2 = arith.addf %s1, %r4 : f32
  %s3 = arith.addf %s2, %r3 : f32
  %all = vector.broadcast %s3 : f32 to vector<16xf32>
  %sum = arith.addf %v3, %all : vector<16xf32>
  tile.store %sum, %oy : !P
}
