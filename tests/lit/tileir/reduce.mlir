// Each reduction, along each axis, of floats and integers.
//
// RUN: tile-compile %s --dump=module | FileCheck %s
// CHECK: entry @reduce_aligned(
// A sum starts from -0, the only number that changes no sum.
// CHECK: reduce %{{[0-9]+}} dim(0) [2147483648 : f32] : tile<16xf32> { (%{{[0-9]+}}: tile<f32>, %{{[0-9]+}}: tile<f32>)
// CHECK-NEXT: [[SUM:%[0-9]+]] = addf %{{.*}} nearest_even : tile<f32>
// CHECK-NEXT: yield [[SUM]]
// CHECK: reduce %{{[0-9]+}} dim(0) [1065353216 : f32]
// CHECK-NEXT: mulf
// CHECK: reshape %{{[0-9]+}} : tile<1x16xf32>
// CHECK: reduce %{{[0-9]+}} dim(0) [4286578688 : f32]
// CHECK-NEXT: maxf %{{.*}} propagate_nan
// CHECK: reduce %{{[0-9]+}} dim(0) [2139095040 : f32]
// CHECK-NEXT: minf %{{.*}} propagate_nan
// CHECK: reduce %{{[0-9]+}} dim(1) [0 : i32] : tile<8xi32>
// CHECK-NEXT: addi
// CHECK: reduce %{{[0-9]+}} dim(1) [1 : i32]
// CHECK-NEXT: muli
// CHECK: reduce %{{[0-9]+}} dim(1) [2147483648 : i32]
// CHECK-NEXT: maxi %{{.*}} signed
// CHECK: reduce %{{[0-9]+}} dim(1) [2147483647 : i32]
// CHECK-NEXT: mini %{{.*}} signed
// CHECK: reduce %{{[0-9]+}} dim(0) [4286578688 : f32] : tile<f32>
// CHECK: entry @reduce(

!X = !tile.tensor<[M, N] x f32, shared>
!I = !tile.tensor<[M, N] x i32, shared>
!Y = !tile.tensor<[ceil, 4, 16] x f32, out partial>
!Z = !tile.tensor<[ceil, 4, 8] x i32, out partial>
!S = !tile.tensor<[ceil] x f32, out partial>
!PX = !tile.partition<[8, 16], [M, N] x f32, shared>
!PI = !tile.partition<[8, 16], [M, N] x i32, shared>
!PY = !tile.partition<[_, _, 16], [ceil, 4, 16] x f32, out partial>
!PZ = !tile.partition<[_, _, 8], [ceil, 4, 8] x i32, out partial>
!PS = !tile.partition<[_], [ceil] x f32, out partial>
!QY = !tile.piece<[_, _, 16] x f32, out>
!QZ = !tile.piece<[_, _, 8] x i32, out>
!QS = !tile.piece<[_] x f32, out>
tile.kernel @reduce(%x: !X, %v: !I, %y: !Y, %z: !Z, %s: !S)
    grid [min(ceildiv(M, 8), ceil)] requires [N >= 1] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %i = tile.block_id 0
  %px = tile.partition %x by [8, 16] : !X
  %pi = tile.partition %v by [8, 16] : !I
  %py = tile.partition %y by [_, _, 16] : !Y
  %pz = tile.partition %z by [_, _, 8] : !Z
  %ps = tile.partition %s by [_] : !S
  %y0 = tile.claim %py[%i, %c0, %c0] : !PY
  %y1 = tile.claim %py[%i, %c1, %c0] : !PY
  %y2 = tile.claim %py[%i, %c2, %c0] : !PY
  %y3 = tile.claim %py[%i, %c3, %c0] : !PY
  %z0 = tile.claim %pz[%i, %c0, %c0] : !PZ
  %z1 = tile.claim %pz[%i, %c1, %c0] : !PZ
  %z2 = tile.claim %pz[%i, %c2, %c0] : !PZ
  %z3 = tile.claim %pz[%i, %c3, %c0] : !PZ
  %s0 = tile.claim %ps[%i] : !PS
  %a = tile.load %px[%i, %c0] pad(zero) : !PX
  %b = tile.load %pi[%i, %c0] pad(zero) : !PI
  %r0 = tile.reduce add %a, 0 : vector<8x16xf32>
  tile.store %r0, %y0 : !QY
  %k1 = tile.reduce mul %a, 0 keep : vector<8x16xf32>
  %r1 = vector.shape_cast %k1 : vector<1x16xf32> to vector<16xf32>
  tile.store %r1, %y1 : !QY
  %r2 = tile.reduce max %a, 0 : vector<8x16xf32>
  tile.store %r2, %y2 : !QY
  %r3 = tile.reduce min %a, 0 : vector<8x16xf32>
  tile.store %r3, %y3 : !QY
  %q0 = tile.reduce add %b, 1 : vector<8x16xi32>
  tile.store %q0, %z0 : !QZ
  %q1 = tile.reduce mul %b, 1 : vector<8x16xi32>
  tile.store %q1, %z1 : !QZ
  %q2 = tile.reduce max %b, 1 : vector<8x16xi32>
  tile.store %q2, %z2 : !QZ
  %q3 = tile.reduce min %b, 1 : vector<8x16xi32>
  tile.store %q3, %z3 : !QZ
  %t = tile.reduce max %r0, 0 : vector<16xf32>
  tile.store %t, %s0 : !QS
}
