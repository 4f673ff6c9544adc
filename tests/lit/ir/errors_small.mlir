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
// CHECK: :[[@LINE+1]]:18: error: padding of 'f8E8M0FNU' elements is zero, got nan
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
