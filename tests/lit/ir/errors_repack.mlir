// Copies that a launcher cannot make, or cannot know when to make.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s

!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:70: error: when () names no condition
tile.kernel @k(%a: !A) symbols [ld : index] grid [M] repack [%a when ()] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:64: error: expected 'when'
tile.kernel @k(%a: !A) symbols [ld : index] grid [M] repack [%a] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:62: error: %b is no argument
tile.kernel @k(%a: !A) symbols [ld : index] grid [M] repack [%b when (M >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:1: error: symbol P is not bound
tile.kernel @k(%a: !A) symbols [ld : index] grid [M] repack [%a when (P >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:1: error: repack %a: given twice
tile.kernel @k(%a: !A) symbols [ld : index] grid [M] repack [%a when (M >= 1), %a when (N >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:1: error: repack %a needs a shared tensor whose rows have a stride of their own, as in strides [ld, 1], got '!tile.tensor<[M, N] x f32, shared>'
tile.kernel @packed(%a: !A) grid [M] repack [%a when (M >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, own, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:1: error: repack %a needs a shared tensor
tile.kernel @written(%a: !A) symbols [ld : index] grid [M] repack [%a when (M >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 2]>
// CHECK: :[[@LINE+1]]:1: error: repack %a needs a shared tensor
tile.kernel @apart(%a: !A) symbols [ld : index] grid [M] repack [%a when (M >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [M, 1]>
// CHECK: :[[@LINE+1]]:1: error: repack %a needs a shared tensor
tile.kernel @extent(%a: !A) grid [M] repack [%a when (M >= 1)] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared, strides [ld, 1]>
// CHECK: :[[@LINE+1]]:1: error: repack %a needs a shared tensor
tile.kernel @both(%a: !A, %b: !A) symbols [ld : index] grid [M] repack [%a when (M >= 1)] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: repack %s needs a shared tensor
tile.kernel @scalar(%s: f32) symbols [M : index] grid [M] repack [%s when (M >= 1)] {}
