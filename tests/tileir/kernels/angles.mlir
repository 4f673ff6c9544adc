// Functions of Tile IR that no library kernel has, in f32, f64 and f16, and
// magnitudes of integers.
!X = !tile.tensor<[M, N] x f32, shared>
!I = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!W = !tile.tensor<[M, N] x f64, out>
!H = !tile.tensor<[M, N] x f16, out>
!Z = !tile.tensor<[M, N] x i32, out>
!PX = !tile.partition<[4, 8], [M, N] x f32, shared>
!PI = !tile.partition<[4, 8], [M, N] x i32, shared>
!PY = !tile.partition<[4, 8], [M, N] x f32, out>
!PW = !tile.partition<[4, 8], [M, N] x f64, out>
!PH = !tile.partition<[4, 8], [M, N] x f16, out>
!PZ = !tile.partition<[4, 8], [M, N] x i32, out>
!QY = !tile.piece<[4, 8] x f32, out>
!QW = !tile.piece<[4, 8] x f64, out>
!QH = !tile.piece<[4, 8] x f16, out>
!QZ = !tile.piece<[4, 8] x i32, out>
tile.kernel @angles(%x: !X, %b: !X, %v: !I, %y: !Y, %w: !W, %h: !H, %z: !Z)
    grid [ceildiv(M, 4)] requires [N >= 1, N <= 8] {
  %c0 = arith.constant 0 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [4, 8] : !X
  %pb = tile.partition %b by [4, 8] : !X
  %pv = tile.partition %v by [4, 8] : !I
  %py = tile.partition %y by [4, 8] : !Y
  %pw = tile.partition %w by [4, 8] : !W
  %ph = tile.partition %h by [4, 8] : !H
  %pz = tile.partition %z by [4, 8] : !Z
  %qy = tile.claim %py[%i, %c0] : !PY
  %qw = tile.claim %pw[%i, %c0] : !PW
  %qh = tile.claim %ph[%i, %c0] : !PH
  %qz = tile.claim %pz[%i, %c0] : !PZ
  %a = tile.load %px[%i, %c0] pad(zero) : !PX
  %c = tile.load %pb[%i, %c0] pad(zero) : !PX
  %n = tile.load %pv[%i, %c0] pad(zero) : !PI
  %tan = math.tan %a : vector<4x8xf32>
  %sinh = math.sinh %a : vector<4x8xf32>
  %cosh = math.cosh %c : vector<4x8xf32>
  %angle = math.atan2 %a, %c : vector<4x8xf32>
  %rest = arith.remf %angle, %c : vector<4x8xf32>
  %one = arith.addf %tan, %sinh : vector<4x8xf32>
  %two = arith.addf %cosh, %rest : vector<4x8xf32>
  %all = arith.addf %one, %two : vector<4x8xf32>
  tile.store %all, %qy : !QY
  %wide = arith.extf %a : vector<4x8xf32> to vector<4x8xf64>
  %other = arith.extf %c : vector<4x8xf32> to vector<4x8xf64>
  %widetan = math.tan %wide : vector<4x8xf64>
  %widesinh = math.sinh %widetan : vector<4x8xf64>
  %widecosh = math.cosh %other : vector<4x8xf64>
  %wideangle = math.atan2 %widesinh, %widecosh : vector<4x8xf64>
  tile.store %wideangle, %qw : !QW
  %half = arith.truncf %a : vector<4x8xf32> to vector<4x8xf16>
  %tanh = math.tan %half : vector<4x8xf16>
  %halfrest = arith.remf %half, %tanh : vector<4x8xf16>
  %halfangle = math.atan2 %halfrest, %half : vector<4x8xf16>
  tile.store %halfangle, %qh : !QH
  %size = math.absi %n : vector<4x8xi32>
  tile.store %size, %qz : !QZ
}
