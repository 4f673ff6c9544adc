// Everything the language has, printed and read back: the second print is the
// same text as the first.
// RUN: tile-opt %s > %t.once
// RUN: FileCheck %s --input-file %t.once
// RUN: tile-opt %t.once | diff %t.once -

!X = !tile.tensor<[M, 128] x f32, shared, strides [ld, 1], align = 4>
!I = !tile.tensor<[B, M, 0] x i32, shared, align = 64>
!Y = !tile.tensor<[M, N] x f32, out partial>
!Z = !tile.tensor<[N] x bf16, own, strides [0]>
!PX = !tile.partition<[16, 32], [M, 128] x f32, shared, strides [ld, 1], align = 4>
!PI = !tile.partition<[_, _, _], [B, M, 0] x i32, shared, align = 64>
!PY = !tile.partition<[16, 32], [M, N] x f32, out partial>
!PZ = !tile.partition<[64], [N] x bf16, own, strides [0]>
!P = !tile.piece<[16, 32] x f32, out>
!Q = !tile.piece<[64] x bf16, own>
!H = !tile.tensor<[N] x i32, atomic<xor>, align = 4>
!PH = !tile.partition<[_], [N] x i32, atomic<xor>, align = 4>

// CHECK: tile.kernel @everything(
// CHECK-SAME: %x: !tile.tensor<[M, 128] x f32, shared, strides [ld, 1], align = 4>,
// CHECK-SAME: %table: !tile.tensor<[B, M, 0] x i32, shared, align = 64>,
// CHECK-SAME: %y: !tile.tensor<[M, N] x f32, out partial>,
// CHECK-SAME: %z: !tile.tensor<[N] x bf16, own, strides [0]>,
// CHECK-SAME: %h: !tile.tensor<[N] x i32, atomic<xor>, align = 4>, %scale: f32)
// CHECK-SAME: symbols [ld : index, pos : i32, P : index]
// CHECK-SAME: grid [ceildiv(M, 128) * (N + 1), max(min(P, 2 * M - N - 1), 0), 7, mod(div(M, 3), 5)]
// CHECK-SAME: requires [ld >= 128, pos < 10, P > 0, M - (N - 1) == M * (N * P), -3 <= M]
// CHECK-SAME: repack [%x when (M >= 512 * P, mod(ld, 2) == 1)]
// CHECK-SAME: hints {sm_100 = {}, sm_90 = {latency = -1, worker_warps = 8}} {
tile.kernel @everything(%x: !X, %table: !I, %y: !Y, %z: !Z, %h: !H, %scale: f32)
    symbols [ld : index, pos : i32, P : index]
    grid [ceildiv(M, 128) * (N + 1), max(min(P, 2 * M - N - 1), (0)), 7, mod(div(M, 3), 5)]
    requires [ld >= 128, pos < 10, P > 0, M - (N - 1) == M * (N * P), -3 <= M]
    repack [%x when (M >= 512 * P, mod(ld, 2) == 1)]
    hints {sm_90 = {worker_warps = 8, latency = -1}, sm_100 = {}} {
  // CHECK-NEXT: %c0 = arith.constant 0 : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // CHECK: tile.symbol "pos" : i32
  %pos = tile.symbol "pos" : i32
  // CHECK-NEXT: tile.symbol "M" : index
  %m = tile.symbol "M" : index
  // CHECK-NEXT: tile.block_id 0
  %i = tile.block_id 0
  // CHECK-NEXT: tile.grid_dim 3
  %g = tile.grid_dim 3

  // CHECK-NEXT: tile.partition %x by [16, 32] : !tile.tensor<[M, 128] x f32, shared, strides [ld, 1], align = 4>
  %px = tile.partition %x by [16, 32] : !X
  // CHECK-NEXT: tile.partition %table by [_, _, _] : !tile.tensor<[B, M, 0] x i32, shared, align = 64>
  %pi = tile.partition %table by [_, _, _] : !I
  %py = tile.partition %y by [16, 32] : !Y
  %pz = tile.partition %z by [64] : !Z
  // CHECK: tile.num_tiles {{%.*}}, 1 : !tile.partition<[16, 32], [M, 128] x f32, shared, strides [ld, 1], align = 4>
  %n = tile.num_tiles %px, 1 : !PX
  // CHECK-NEXT: tile.claim {{%.*}}[{{%.*}}, %c0] : !tile.partition<[16, 32], [M, N] x f32, out partial>
  %out = tile.claim %py[%i, %c0] : !PY
  %own = tile.claim %pz[%i] : !PZ
  // CHECK: tile.inside {{%.*}}[{{%.*}}, %c0] : !tile.partition<[16, 32], [M, N] x f32, out partial>
  %lies_in = tile.inside %py[%i, %c0] : !PY
  // CHECK-NEXT: tile.inside {{%.*}}[%c0, %c0, {{%.*}}] : !tile.partition<[_, _, _], [B, M, 0] x i32, shared, align = 64>
  %lies = tile.inside %pi[%c0, %c0, %i] : !PI
  // CHECK-NEXT: tile.load {{%.*}}[{{%.*}}, %c0] pad(-0.5) : {{.*}}
  %pad_half = tile.load %px[%i, %c0] pad(-5.0e-1) : !PX
  // CHECK-NEXT: tile.load {{%.*}}[{{%.*}}, %c0] pad(-0.0) : {{.*}}
  %pad_none = tile.load %px[%i, %c0] pad(-0.0) : !PX
  // CHECK-NEXT: tile.load {{%.*}}[{{%.*}}, %c0] pad(0.10000000149011612) : {{.*}}
  %pad_tenth = tile.load %px[%i, %c0] pad(0.100000001490116119384765625) : !PX
  // CHECK-NEXT: tile.load {{%.*}}[{{%.*}}, %c0] pad(1.0000000150474662E+30) : {{.*}}
  %pad_huge = tile.load %px[%i, %c0] pad(1000000015047466219876688855040.0) : !PX
  // CHECK-NEXT: tile.load {{%.*}}[%c0, %c0, %c0] pad(-2147483648) : {{.*}}
  %pad_least = tile.load %pi[%c0, %c0, %c0] pad(-2147483648) : !PI
  // CHECK: tile.iota 1 : vector<16x32xi8>
  %lane = tile.iota 1 : vector<16x32xi8>
  // CHECK-NEXT: tile.mulhi {{%.*}}, {{%.*}} : vector<16x32xi8>
  %high = tile.mulhi %lane, %lane : vector<16x32xi8>
  // CHECK-NEXT: tile.mulhi {{%.*}}, {{%.*}} : i32
  %top = tile.mulhi %pos, %pos : i32
  // CHECK: tile.iota 0 : vector<64xindex>
  %at = tile.iota 0 : vector<64xindex>
  // CHECK-NEXT: arith.divsi {{%.*}}, {{%.*}} : vector<64xindex>
  %half = arith.divsi %at, %at : vector<64xindex>
  %reads = arith.cmpi slt, %at, %half : vector<64xindex>
  // CHECK: tile.gather %x[{{%.*}}, {{%.*}}] : !tile.tensor<[M, 128] x f32, shared, strides [ld, 1], align = 4>, vector<64xindex>, vector<64xindex>
  %picked = tile.gather %x[%at, %half] : !X, vector<64xindex>, vector<64xindex>
  // CHECK-NEXT: tile.gather %x[{{%.*}}, {{%.*}}], {{%.*}} pad(neg_inf) : !tile.tensor<[M, 128] x f32, shared, strides [ld, 1], align = 4>, vector<64xindex>, vector<64xindex>, vector<64xi1>
  %some = tile.gather %x[%at, %half], %reads pad(neg_inf) : !X, vector<64xindex>, vector<64xindex>, vector<64xi1>
  %thin = arith.truncf %some : vector<64xf32> to vector<64xbf16>
  // CHECK: tile.scatter {{%.*}}, %z[{{%.*}}] : vector<64xbf16>, !tile.tensor<[N] x bf16, own, strides [0]>, vector<64xindex>
  tile.scatter %thin, %z[%at] : vector<64xbf16>, !Z, vector<64xindex>
  // CHECK-NEXT: tile.scatter {{%.*}}, %z[{{%.*}}], {{%.*}} : vector<64xbf16>, !tile.tensor<[N] x bf16, own, strides [0]>, vector<64xindex>, vector<64xi1>
  tile.scatter %thin, %z[%at], %reads : vector<64xbf16>, !Z, vector<64xindex>, vector<64xi1>
  %words = arith.index_cast %at : vector<64xindex> to vector<64xi32>
  // CHECK: tile.atomic_scatter xor {{%.*}}, %h[{{%.*}}] : vector<64xi32>, !tile.tensor<[N] x i32, atomic<xor>, align = 4>, vector<64xindex>
  tile.atomic_scatter xor %words, %h[%at] : vector<64xi32>, !H, vector<64xindex>
  // CHECK-NEXT: tile.atomic_scatter xor {{%.*}}, %h[{{%.*}}], {{%.*}} : vector<64xi32>, !tile.tensor<[N] x i32, atomic<xor>, align = 4>, vector<64xindex>, vector<64xi1>
  tile.atomic_scatter xor %words, %h[%at], %reads : vector<64xi32>, !H, vector<64xindex>, vector<64xi1>
  // CHECK: tile.load {{%.*}}[{{%.*}}, %c0] pad(neg_inf) : !tile.partition<[16, 32], [M, 128] x f32
  %v = tile.load %px[%i, %c0] pad(neg_inf) : !PX
  // CHECK-NEXT: tile.load {{%.*}}[{{%.*}}, %c0, %c1] : !tile.partition<[_, _, _]
  %scalar = tile.load %pi[%i, %c0, %c1] : !PI
  // CHECK-NEXT: tile.load {{%.*}} pad(zero) : !tile.piece<[64] x bf16, own>
  %w = tile.load %own pad(zero) : !Q
  %w1 = tile.load %own pad(neg_zero) : !Q
  %w2 = tile.load %own pad(pos_inf) : !Q
  // CHECK: tile.load {{%.*}} pad(nan) : !tile.piece<[64] x bf16, own>
  %w3 = tile.load %own pad(nan) : !Q
  // CHECK-NEXT: tile.store {{%.*}}, {{%.*}} : !tile.piece<[64] x bf16, own>
  tile.store %w, %own : !Q

  %ph = tile.partition %h by [_] : !H
  // CHECK: tile.atomic xor {{%.*}}, {{%.*}}[{{%.*}}] : !tile.partition<[_], [N] x i32, atomic<xor>, align = 4>
  tile.atomic xor %scalar, %ph[%i] : !PH

  // CHECK-NEXT: tile.reduce max {{%.*}}, 1 : vector<16x32xf32>
  %r0 = tile.reduce max %v, 1 : vector<16x32xf32>
  // CHECK-NEXT: tile.reduce add {{%.*}}, 0 keep : vector<16x32xf32>
  %r1 = tile.reduce add %v, 0 keep : vector<16x32xf32>
  // CHECK-NEXT: tile.reduce min {{%.*}}, 0 : vector<16xf32>
  %r2 = tile.reduce min %r0, 0 : vector<16xf32>
  // CHECK-NEXT: tile.reduce mul
  %r3 = tile.reduce mul %r1, 1 : vector<1x32xf32>
  // CHECK-NEXT: arith.mulf {{%.*}}, %scale : f32
  %r4 = arith.mulf %r2, %scale : f32

  // CHECK-NEXT: tile.scan add {{%.*}}, 1 reverse : vector<16x32xf32>
  %s0 = tile.scan add %v, 1 reverse : vector<16x32xf32>
  // CHECK-NEXT: tile.scan max {{%.*}}, 0 : vector<16x32xf32>
  %s1 = tile.scan max %s0, 0 : vector<16x32xf32>
  // CHECK-NEXT: tile.argmax {{%.*}}, 1 keep : vector<16x32xf32>
  %s2 = tile.argmax %s1, 1 keep : vector<16x32xf32>
  // CHECK-NEXT: tile.argmin {{%.*}}, 0 : vector<16x1xi32>
  %s3 = tile.argmin %s2, 0 : vector<16x1xi32>
  // CHECK-NEXT: tile.reduce add {{%.*}}, 0 : vector<1xi32>
  %s4 = tile.reduce add %s3, 0 : vector<1xi32>

  // CHECK-NEXT: arith.constant dense<0xFF800000> : vector<16x16xf32>
  %low = arith.constant dense<0xFF800000> : vector<16x16xf32>
  %turned = vector.transpose %v, [1, 0] : vector<16x32xf32> to vector<32x16xf32>
  // CHECK: tile.mma {{%.*}}, {{%.*}}, {{%.*}} : vector<16x32xf32>, vector<32x16xf32>, vector<16x16xf32>
  %mma = tile.mma %v, %turned, %low : vector<16x32xf32>, vector<32x16xf32>, vector<16x16xf32>
  // CHECK: tile.mma {{%.*}}, {{%.*}}, {{%.*}} fast : vector<16x32xf32>, vector<32x16xf32>, vector<16x16xf32>
  %fast = tile.mma %v, %turned, %low fast : vector<16x32xf32>, vector<32x16xf32>, vector<16x16xf32>
  %flat = vector.shape_cast %v : vector<16x32xf32> to vector<512xf32>
  %wide = vector.broadcast %scale : f32 to vector<16x32xf32>
  // CHECK: tile.extract {{%.*}}[1, 0] : vector<16x32xf32> to vector<8x32xf32>
  %part = tile.extract %v[1, 0] : vector<16x32xf32> to vector<8x32xf32>
  // CHECK-NEXT: tile.cat {{%.*}}, {{%.*}}, 1 : vector<8x32xf32>
  %both = tile.cat %part, %part, 1 : vector<8x32xf32>
  // CHECK-NEXT: tile.extract {{%.*}}[0, 3] : vector<8x64xf32> to vector<8x16xf32>
  %quarter = tile.extract %both[0, 3] : vector<8x64xf32> to vector<8x16xf32>

  // Integers: index, iN and vectors of them.
  %q0 = arith.ceildivsi %m, %c1 : index
  %q1 = arith.divsi %m, %c1 : index
  %q2 = arith.remsi %pos, %scalar : i32
  %q3 = arith.index_cast %pos : i32 to index
  %q4 = arith.extsi %pos : i32 to i64
  %q5 = arith.extui %pos : i32 to i64
  %q6 = arith.trunci %q5 : i64 to i8
  %q7 = arith.xori %q4, %q5 : i64
  %q8 = arith.minsi %q0, %q3 : index
  %less = arith.cmpi slt, %q8, %q1 : index
  %q9 = arith.select %less, %q8, %q1 : index
  %f = arith.sitofp %q7 : i64 to f32
  %ints = arith.constant dense<1> : vector<8xi16>
  %ints1 = arith.muli %ints, %ints : vector<8xi16>
  %ints2 = arith.extsi %ints1 : vector<8xi16> to vector<8xi32>
  %mask = arith.cmpi sge, %ints, %ints1 : vector<8xi16>
  %ints3 = arith.select %mask, %ints, %ints1 : vector<8xi1>, vector<8xi16>

  // Floats.
  %e0 = math.exp %v : vector<16x32xf32>
  %e1 = math.fma %e0, %e0, %v : vector<16x32xf32>
  %e2 = arith.maxnumf %e1, %wide : vector<16x32xf32>
  %e3 = arith.cmpf oeq, %e2, %e1 : vector<16x32xf32>
  %e4 = arith.select %e3, %e1, %e2 : vector<16x32xi1>, vector<16x32xf32>
  %e5 = arith.truncf %e4 : vector<16x32xf32> to vector<16x32xf16>
  %e6 = arith.extf %e5 : vector<16x32xf16> to vector<16x32xf32>

  // CHECK: {{%.*}}:2 = scf.for {{%.*}} = %c0 to {{%.*}} step %c1 iter_args({{%.*}} = {{%.*}}, {{%.*}} = %c0) -> (vector<16x32xf32>, index) {
  %sums:2 = scf.for %k = %c0 to %n step %c1
      iter_args(%acc = %e6, %count = %c0) -> (vector<16x32xf32>, index) {
    %next = arith.addf %acc, %v : vector<16x32xf32>
    // CHECK: scf.if {{%.*}} -> (index) {
    %more = scf.if %less -> (index) {
      %one = arith.addi %count, %c1 : index
      scf.yield %one : index
    } else {
      scf.yield %count : index
    }
    scf.yield %next, %more : vector<16x32xf32>, index
  }
  // CHECK: {{%.*}}:2 = scf.while ({{%.*}} = {{%.*}}, {{%.*}} = {{%.*}}) : (index, vector<16x32xf32>) -> (vector<16x32xf32>, index) {
  %last, %left = scf.while (%a = %n, %b = %e6) : (index, vector<16x32xf32>) -> (vector<16x32xf32>, index) {
    %counted = arith.cmpi sge, %a, %c0 : index
    // CHECK: tile.invariant {{%.*}}, "it stays at 0 or more" : i1
    tile.invariant %counted, "it stays at 0 or more" : i1
    // CHECK: tile.invariant {{%.*}} : i1
    tile.invariant %counted : i1
    %goes_on = arith.cmpi sgt, %a, %c0 : index
    // CHECK: tile.measure {{%.*}} : index
    tile.measure %a : index
    // CHECK-NEXT: scf.condition({{%.*}}) {{%.*}}, {{%.*}} : vector<16x32xf32>, index
    scf.condition(%goes_on) %b, %a : vector<16x32xf32>, index
  // CHECK: } do {
  } do {
  // CHECK-NEXT: ^bb0({{%.*}}: vector<16x32xf32>, {{%.*}}: index):
  ^bb0(%was: vector<16x32xf32>, %down: index):
    %lower = arith.subi %down, %c1 : index
    scf.yield %lower, %was : index, vector<16x32xf32>
  }
  // CHECK: scf.for {{%.*}} = {{%.*}} to {{%.*}} step {{%.*}} : i32 {
  scf.for %k = %pos to %scalar step %pos : i32 {
    scf.if %less {
      tile.store %sums#0, %out : !P
    }
  }
}
