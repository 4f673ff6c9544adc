// Every op on floats in f32, on rows of a matrix.
//
// RUN: tile-compile %s --dump=module | FileCheck %s
// CHECK: entry @floats_aligned(
// CHECK: partition<64, pad neg_zero, view<?xf32, strides [1]>>
// CHECK: partition<64, pad nan, view<?xf32, strides [1]>>
// CHECK: partition<1x64, view<15x?xf32, strides [?, 1]>>
// CHECK: subf %{{.*}} nearest_even : tile<64xf32>
// CHECK: divf %{{.*}} nearest_even
// CHECK: negf
// CHECK: absf
// CHECK: sqrt %{{.*}} nearest_even
// CHECK: fma %{{.*}}, %{{.*}}, %{{.*}} nearest_even
// CHECK: maxf %{{.*}} propagate_nan
// CHECK: minf %{{.*}} propagate_nan
// CHECK: maxf %{{[0-9]+}}, %{{[0-9]+}} : tile<64xf32>
// CHECK: minf %{{[0-9]+}}, %{{[0-9]+}} : tile<64xf32>
// The functions are the accurate ones, where the kernel says no other.
// CHECK: exp %{{[0-9]+}} full
// CHECK: exp2 %{{[0-9]+}} flush_to_zero : tile<64xf32>
// CHECK: exp2 %{{[0-9]+}} : tile<64xf32>
// CHECK: log %
// CHECK: log2 %
// CHECK: rsqrt %{{[0-9]+}} : tile<64xf32>
// CHECK: tanh %{{[0-9]+}} full
// CHECK: ftof %{{[0-9]+}} nearest_even : tile<64xf16>
// CHECK: ftof %{{[0-9]+}} nearest_even : tile<64xf32>
// CHECK: ftof %{{[0-9]+}} nearest_even : tile<64xf64>
// CHECK: ftof %{{[0-9]+}} nearest_even : tile<64xf32>
// CHECK: ftof %{{[0-9]+}} nearest_even : tile<64xbf16>
// CHECK: cmpf [[X:%[0-9]+]], [[V:%[0-9]+]] less_than ordered : tile<64xi1>
// NaN is the number that is not itself.
// CHECK: [[A:%[0-9]+]] = cmpf [[X]], [[X]] not_equal unordered
// CHECK: [[B:%[0-9]+]] = cmpf [[V]], [[V]] not_equal unordered
// CHECK: ori [[A]], [[B]]
// CHECK: [[A:%[0-9]+]] = cmpf [[X]], [[X]] equal ordered
// CHECK: [[B:%[0-9]+]] = cmpf [[V]], [[V]] equal ordered
// CHECK: andi [[A]], [[B]]
// CHECK: cmpf %{{.*}} not_equal unordered
// CHECK: cmpf %{{.*}} equal unordered
// CHECK: constant 0xff : tile<64xi1>
// CHECK: constant 0x0000803f00000040000060c00000807f : tile<4xf32>
// CHECK: permute %{{[0-9]+}} [1, 0] : tile<4x16xf32>
// CHECK: reshape %{{[0-9]+}} : tile<64xf32>
// CHECK: itof %{{[0-9]+}} signed nearest_even : tile<f32>
// CHECK: entry @floats(

!A = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[15, N] x f32, out partial>
!PA = !tile.partition<[64], [N] x f32, shared>
!PY = !tile.partition<[_, 64], [15, N] x f32, out partial>
!Q = !tile.piece<[_, 64] x f32, out>
tile.kernel @floats(%a: !A, %b: !A, %y: !Y, %alpha: f32) grid [ceildiv(N, 64)] {
  %i = tile.block_id 0
  %pa = tile.partition %a by [64] : !A
  %pb = tile.partition %b by [64] : !A
  %py = tile.partition %y by [_, 64] : !Y
  %x = tile.load %pa[%i] pad(neg_zero) : !PA
  %v = tile.load %pb[%i] pad(nan) : !PA
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c5 = arith.constant 5 : index
  %c6 = arith.constant 6 : index
  %c7 = arith.constant 7 : index
  %c8 = arith.constant 8 : index
  %c9 = arith.constant 9 : index
  %c10 = arith.constant 10 : index
  %c11 = arith.constant 11 : index
  %c12 = arith.constant 12 : index
  %c13 = arith.constant 13 : index
  %c14 = arith.constant 14 : index
  %o0 = tile.claim %py[%c0, %i] : !PY
  %o1 = tile.claim %py[%c1, %i] : !PY
  %o2 = tile.claim %py[%c2, %i] : !PY
  %o3 = tile.claim %py[%c3, %i] : !PY
  %o4 = tile.claim %py[%c4, %i] : !PY
  %o5 = tile.claim %py[%c5, %i] : !PY
  %o6 = tile.claim %py[%c6, %i] : !PY
  %o7 = tile.claim %py[%c7, %i] : !PY
  %o8 = tile.claim %py[%c8, %i] : !PY
  %o9 = tile.claim %py[%c9, %i] : !PY
  %o10 = tile.claim %py[%c10, %i] : !PY
  %o11 = tile.claim %py[%c11, %i] : !PY
  %o12 = tile.claim %py[%c12, %i] : !PY
  %o13 = tile.claim %py[%c13, %i] : !PY
  %o14 = tile.claim %py[%c14, %i] : !PY
  %al = vector.broadcast %alpha : f32 to vector<64xf32>
  %r0 = arith.subf %x, %v : vector<64xf32>
  tile.store %r0, %o0 : !Q
  %r1 = arith.divf %x, %v : vector<64xf32>
  tile.store %r1, %o1 : !Q
  %n2 = arith.negf %x : vector<64xf32>
  %a2 = math.absf %n2 : vector<64xf32>
  %r2 = math.sqrt %a2 : vector<64xf32>
  tile.store %r2, %o2 : !Q
  %r3 = math.fma %x, %v, %al : vector<64xf32>
  tile.store %r3, %o3 : !Q
  %m4 = arith.maximumf %x, %v : vector<64xf32>
  %r4 = arith.minimumf %m4, %al : vector<64xf32>
  tile.store %r4, %o4 : !Q
  %m5 = arith.maxnumf %x, %v : vector<64xf32>
  %r5 = arith.minnumf %m5, %al : vector<64xf32>
  tile.store %r5, %o5 : !Q
  %r6 = math.exp %x : vector<64xf32>
  tile.store %r6, %o6 : !Q
  %p7 = math.exp2 %x fastmath<afn> : vector<64xf32>
  %r7 = math.exp2 %p7 : vector<64xf32>
  tile.store %r7, %o7 : !Q
  %r8 = math.log %a2 : vector<64xf32>
  tile.store %r8, %o8 : !Q
  %r9 = math.log2 %a2 : vector<64xf32>
  tile.store %r9, %o9 : !Q
  %r10 = math.rsqrt %a2 : vector<64xf32>
  tile.store %r10, %o10 : !Q
  %r11 = math.tanh %x : vector<64xf32>
  tile.store %r11, %o11 : !Q
  %h = arith.truncf %x : vector<64xf32> to vector<64xf16>
  %g = arith.extf %h : vector<64xf16> to vector<64xf32>
  %d = arith.extf %v : vector<64xf32> to vector<64xf64>
  %e = arith.truncf %d : vector<64xf64> to vector<64xf32>
  %bf = arith.truncf %g : vector<64xf32> to vector<64xbf16>
  %bw = arith.extf %bf : vector<64xbf16> to vector<64xf32>
  %s12 = arith.addf %bw, %e : vector<64xf32>
  %r12 = arith.mulf %s12, %al : vector<64xf32>
  tile.store %r12, %o12 : !Q
  %lt = arith.cmpf olt, %x, %v : vector<64xf32>
  %un = arith.cmpf uno, %x, %v : vector<64xf32>
  %or = arith.cmpf ord, %x, %v : vector<64xf32>
  %ne = arith.cmpf une, %x, %al : vector<64xf32>
  %ueq = arith.cmpf ueq, %x, %v : vector<64xf32>
  %yes = arith.cmpf true, %x, %v : vector<64xf32>
  %k1 = arith.andi %lt, %or : vector<64xi1>
  %k2 = arith.ori %k1, %un : vector<64xi1>
  %k3 = arith.xori %k2, %ne : vector<64xi1>
  %k4 = arith.xori %k3, %ueq : vector<64xi1>
  %k5 = arith.andi %k4, %yes : vector<64xi1>
  %r13 = arith.select %k5, %x, %al : vector<64xi1>, vector<64xf32>
  tile.store %r13, %o13 : !Q
  %ramp = arith.constant dense<[1.0, 2.0, -3.5, 0x7F800000]> : vector<4xf32>
  %rows = vector.broadcast %ramp : vector<4xf32> to vector<16x4xf32>
  %turned = vector.transpose %rows, [1, 0] : vector<16x4xf32> to vector<4x16xf32>
  %flat = vector.shape_cast %turned : vector<4x16xf32> to vector<64xf32>
  %n = tile.symbol "N" : index
  %n32 = arith.index_cast %n : index to i32
  %nf = arith.sitofp %n32 : i32 to f32
  %nv = vector.broadcast %nf : f32 to vector<64xf32>
  %r14 = arith.addf %flat, %nv : vector<64xf32>
  tile.store %r14, %o14 : !Q
}
