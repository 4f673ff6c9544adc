// What is refused of elements of 8 bits or less, and of block-scaled products.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

!X = !tile.tensor<[M, N] x f4E2M1FN, shared>
tile.kernel @k(%x: !X) grid [1] {
// CHECK: :[[@LINE+1]]:23: error: two elements of 'f4E2M1FN' share a byte: tiles have an even extent on axis 1, got 1
  %p = tile.partition %x by [16, _] : !X
}

// -----
!X = !tile.tensor<[M, N] x i4, shared>
!XT = !tile.tensor<[N, M] x i4, shared>
tile.kernel @k(%x: !X) grid [1] {
  %t = tile.view %x permute [1, 0] : !X
// CHECK: :[[@LINE+1]]:23: error: two elements of 'i4' share a byte: tiles have an even extent on axis 0, got 1
  %p = tile.partition %t by [1, 16] : !XT
}

// -----
!X = !tile.tensor<[M, N] x f4E2M1FN, shared>
tile.kernel @k(%x: !X) grid [1] {
// CHECK: :[[@LINE+1]]:18: error: two elements of 'f4E2M1FN' share a byte: axis 1 cannot be fixed
  %r = tile.view %x fix 1 at 0 : !X
}

// -----
// CHECK: :[[@LINE+1]]:19: error: elements of 'f4E2M1FN' are packed along the last axis: its stride is 1
!X = !tile.tensor<[M, N] x f4E2M1FN, shared, strides [1, ld]>
tile.kernel @k(%x: !X) symbols [ld : index] grid [1] {
}

// -----
// CHECK: :[[@LINE+1]]:19: error: atomic<add> has no sum of 'i4'
!X = !tile.tensor<[M] x i4, atomic<add>>
tile.kernel @k(%x: !X) grid [1] {
}

// -----
!X = !tile.tensor<[M] x f4E2M1FN, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.iota 0 : vector<4xindex>
// CHECK: :[[@LINE+1]]:20: error: two elements of 'f4E2M1FN' share a byte: load and store tiles of them
  %r = tile.gather %x[%i] : !X, vector<4xindex>
}

// -----
!X = !tile.tensor<[8] x f4E2M1FN, shared>
!PX = !tile.partition<[8], [8] x f4E2M1FN, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f4E2M1FN' has no NaN
  %r = tile.load %p[%i] pad(nan) : !PX
}

// -----
!X = !tile.tensor<[8] x f8E8M0FNU, shared>
!PX = !tile.partition<[8], [8] x f8E8M0FNU, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: padding of 'f8E8M0FNU' elements is zero or a number, got nan
  %r = tile.load %p[%i] pad(nan) : !PX
}

// -----
!X = !tile.tensor<[8] x i4, shared>
// CHECK: :[[@LINE+1]]:1: error: within(%x, 0, 4) needs a shared tensor of i8, i16, i32 or i64, got '!tile.tensor<[8] x i4, shared>'
tile.kernel @k(%x: !X) grid [1] given [within(%x, 0, 4)] {
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf32>
// CHECK: :[[@LINE+1]]:21: error: rounding(zero) or rounding(positive_inf) is said of f8E8M0FNU, and of no other format, which round to nearest, got 'f8E8M0FNU'
  %r = tile.convert %w : vector<4xf32> to vector<4xf8E8M0FNU>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf32>
// CHECK: :[[@LINE+1]]:33: error: a rounding is one of zero, positive_inf, got up
  %r = tile.convert %w rounding(up) : vector<4xf32> to vector<4xf8E8M0FNU>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1.0> : vector<4xf8E8M0FNU>
// CHECK: :[[@LINE+1]]:8: error: numbers of 'f8E8M0FNU' are not all in 'f16'
  %r = arith.extf %w : vector<4xf8E8M0FNU> to vector<4xf16>
}

// -----
tile.kernel @k() grid [1] {
  %w = arith.constant dense<1> : vector<4xi4>
// CHECK: :[[@LINE+1]]:19: error: arith.addi is not in the language for operands of type 'vector<4xi4>' (vector of numbers of 8 bits or less)
  %r = arith.addi %w, %w : vector<4xi4>
}

// -----
tile.kernel @k() grid [1] {
  %x = arith.constant dense<1.0> : vector<16x64xf8E4M3FN>
  %y = arith.constant dense<1.0> : vector<64x16xf8E4M3FN>
  %a = arith.constant dense<1.0> : vector<16x16xf32>
  %s = arith.constant dense<1.0> : vector<16x4xf8E8M0FNU>
  %t = arith.constant dense<1.0> : vector<4x16xf8E8M0FNU>
// CHECK: :[[@LINE+1]]:36: error: mma_scaled takes f8E4M3FN, f8E5M2 or f4E2M1FN with a scale of f8E8M0FNU for each 32, f4E2M1FN with one of f8E8M0FNU or f8E4M3FN for each 16, got 64 of 'f8E4M3FN' with 4 of 'f8E8M0FNU'
  %r = tile.mma_scaled %x, %y, %a, %s, %t : vector<16x64xf8E4M3FN>, vector<64x16xf8E4M3FN>, vector<16x16xf32>, vector<16x4xf8E8M0FNU>, vector<4x16xf8E8M0FNU>
}

// -----
tile.kernel @k() grid [1] {
  %x = arith.constant dense<1.0> : vector<16x64xf8E4M3FN>
  %y = arith.constant dense<1.0> : vector<64x16xf8E4M3FN>
  %a = arith.constant dense<1.0> : vector<16x16xf32>
  %s = arith.constant dense<1.0> : vector<8x2xf8E8M0FNU>
  %t = arith.constant dense<1.0> : vector<2x16xf8E8M0FNU>
// CHECK: :[[@LINE+1]]:36: error: scales of 8 by 2 and 2 by 16 elements do not fit the factors
  %r = tile.mma_scaled %x, %y, %a, %s, %t : vector<16x64xf8E4M3FN>, vector<64x16xf8E4M3FN>, vector<16x16xf32>, vector<8x2xf8E8M0FNU>, vector<2x16xf8E8M0FNU>
}

// -----
!X = !tile.tensor<[8] x i8, shared>
!PX = !tile.partition<[8], [8] x i8, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'i8' holds -128 to 127, got padding 255{{$}}
  %r = tile.load %p[%i] pad(255) : !PX
}

// -----
!X = !tile.tensor<[8] x i8, shared>
!PX = !tile.partition<[8], [8] x i8, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'i8' holds -128 to 127, got padding -129{{$}}
  %r = tile.load %p[%i] pad(-129) : !PX
}

// -----
!X = !tile.tensor<[8] x i4, shared>
!PX = !tile.partition<[8], [8] x i4, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'i4' holds -8 to 7, got padding 8{{$}}
  %r = tile.load %p[%i] pad(8) : !PX
}

// -----
!X = !tile.tensor<[8] x i8, shared>
!PX = !tile.partition<[8], [8] x i8, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: padding of 'i8' elements is whole, got 1.0{{$}}
  %r = tile.load %p[%i] pad(1.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[8], [8] x f32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: padding of 'f32' elements has a point, got 1{{$}}
  %r = tile.load %p[%i] pad(1) : !PX
}

// -----
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[8], [8] x f32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f32' does not hold the padding 0.1, but 0.10000000149011612{{$}}
  %r = tile.load %p[%i] pad(0.1) : !PX
}

// -----
!X = !tile.tensor<[8] x f16, shared>
!PX = !tile.partition<[8], [8] x f16, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f16' does not hold the padding 65505.0, but 65504.0{{$}}
  %r = tile.load %p[%i] pad(65505.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[8], [8] x f32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f32' does not hold the padding 1.0E+39{{$}}
  %r = tile.load %p[%i] pad(1.0e39) : !PX
}

// -----
!X = !tile.tensor<[8] x f8E4M3FN, shared>
!PX = !tile.partition<[8], [8] x f8E4M3FN, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f8E4M3FN' does not hold the padding 449.0, but 448.0{{$}}
  %r = tile.load %p[%i] pad(449.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f4E2M1FN, shared>
!PX = !tile.partition<[8], [8] x f4E2M1FN, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f4E2M1FN' does not hold the padding 5.0, but 4.0{{$}}
  %r = tile.load %p[%i] pad(5.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f8E8M0FNU, shared>
!PX = !tile.partition<[8], [8] x f8E8M0FNU, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f8E8M0FNU' holds powers of two from 2^-127 to 2^127, got padding 0.0{{$}}
  %r = tile.load %p[%i] pad(0.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f8E8M0FNU, shared>
!PX = !tile.partition<[8], [8] x f8E8M0FNU, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f8E8M0FNU' holds powers of two from 2^-127 to 2^127, got padding -1.0{{$}}
  %r = tile.load %p[%i] pad(-1.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f8E8M0FNU, shared>
!PX = !tile.partition<[8], [8] x f8E8M0FNU, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:18: error: 'f8E8M0FNU' holds powers of two from 2^-127 to 2^127, got padding 3.0{{$}}
  %r = tile.load %p[%i] pad(3.0) : !PX
}

// -----
!X = !tile.tensor<[8] x i64, shared>
!PX = !tile.partition<[8], [8] x i64, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:29: error: a padding has at most 64 bits
  %r = tile.load %p[%i] pad(9223372036854775808) : !PX
}

// -----
!X = !tile.tensor<[8] x f64, shared>
!PX = !tile.partition<[8], [8] x f64, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:29: error: a padding has at most 64 bits
  %r = tile.load %p[%i] pad(1.0e400) : !PX
}

// -----
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[8], [8] x f32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:29: error: a padding has one sign
  %r = tile.load %p[%i] pad(--1.0) : !PX
}

// -----
!X = !tile.tensor<[8] x f32, shared>
!PX = !tile.partition<[8], [8] x f32, shared>
tile.kernel @k(%x: !X) grid [1] {
  %i = tile.block_id 0
  %p = tile.partition %x by [8] : !X
// CHECK: :[[@LINE+1]]:30: error: padding is a number or one of zero, neg_zero, neg_inf, pos_inf, nan, got -nan
  %r = tile.load %p[%i] pad(-nan) : !PX
}

// -----
!X = !tile.tensor<[8] x f16, shared>
tile.kernel @k(%x: !X) grid [1] {
  %l = tile.iota 0 : vector<8xindex>
  %m = arith.cmpi eq, %l, %l : vector<8xindex>
// CHECK: :[[@LINE+1]]:20: error: 'f16' does not hold the padding 2049.0, but 2048.0
  %r = tile.gather %x[%l], %m pad(2049.0) : !X, vector<8xindex>, vector<8xi1>
}
