// Scans, where the largest lane is, shifts, and functions.
!X = !tile.tensor<[M, N] x f32, shared>
!I = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!Z = !tile.tensor<[M, N] x i32, out>
!W = !tile.tensor<[M] x i32, out>
!PX = !tile.partition<[4, 8], [M, N] x f32, shared>
!PI = !tile.partition<[4, 8], [M, N] x i32, shared>
!PY = !tile.partition<[4, 8], [M, N] x f32, out>
!PZ = !tile.partition<[4, 8], [M, N] x i32, out>
!PW = !tile.partition<[4], [M] x i32, out>
!QY = !tile.piece<[4, 8] x f32, out>
!QZ = !tile.piece<[4, 8] x i32, out>
!QW = !tile.piece<[4] x i32, out>
tile.kernel @values(%x: !X, %v: !I, %y: !Y, %z: !Z, %w: !W) grid [ceildiv(M, 4)]
    requires [N >= 1, N <= 8] {
  %c0 = arith.constant 0 : index
  %five = arith.constant dense<5> : vector<4x8xi32>
  %half = arith.constant dense<0.5> : vector<4x8xf32>
  %i = tile.block_id 0
  %px = tile.partition %x by [4, 8] : !X
  %pv = tile.partition %v by [4, 8] : !I
  %py = tile.partition %y by [4, 8] : !Y
  %pz = tile.partition %z by [4, 8] : !Z
  %pw = tile.partition %w by [4] : !W
  %qy = tile.claim %py[%i, %c0] : !PY
  %qz = tile.claim %pz[%i, %c0] : !PZ
  %qw = tile.claim %pw[%i] : !PW
  %a = tile.load %px[%i, %c0] pad(neg_inf) : !PX
  %b = tile.load %pv[%i, %c0] pad(zero) : !PI
  %best = tile.argmax %a, 1 : vector<4x8xf32>
  %least = tile.argmin %b, 1 : vector<4x8xi32>
  %where = arith.addi %best, %least : vector<4xi32>
  tile.store %where, %qw : !QW
  %sums = tile.scan add %b, 1 : vector<4x8xi32>
  %most = tile.scan max %sums, 1 reverse : vector<4x8xi32>
  %left = arith.shli %most, %five : vector<4x8xi32>
  %right = arith.shrsi %left, %five : vector<4x8xi32>
  %high = arith.shrui %b, %five : vector<4x8xi32>
  %wide = arith.maxui %right, %high : vector<4x8xi32>
  %low = arith.minui %wide, %b : vector<4x8xi32>
  tile.store %low, %qz : !QZ
  %bits = arith.bitcast %low : vector<4x8xi32> to vector<4x8xf32>
  %same = arith.bitcast %bits : vector<4x8xf32> to vector<4x8xi32>
  %plain = arith.uitofp %same : vector<4x8xi32> to vector<4x8xf32>
  %whole = math.floor %a : vector<4x8xf32>
  %above = math.ceil %a : vector<4x8xf32>
  %s = math.sin %plain : vector<4x8xf32>
  %t = math.cos %s : vector<4x8xf32>
  %p = math.powf %t, %half : vector<4x8xf32>
  %d = arith.subf %above, %whole : vector<4x8xf32>
  %e = arith.addf %p, %d : vector<4x8xf32>
  %f = tile.scan min %e, 0 : vector<4x8xf32>
  tile.store %f, %qy : !QY
}
