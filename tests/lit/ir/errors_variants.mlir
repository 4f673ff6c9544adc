// Lists of variants that are refused, and what is said about it.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

// CHECK: :[[@LINE+3]]:1: error: there is no kernel @b
// CHECK-NEXT:{{^}}tile.variants @v [@a when (N >= 1), @b]
// CHECK-NEXT:{{^}}^~~~~~~~~~~~~{{$}}
tile.variants @v [@a when (N >= 1), @b]
tile.kernel @a() symbols [N : index] grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: @a is named twice
tile.variants @v [@a when (N >= 1), @a]
tile.kernel @a() symbols [N : index] grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: a list of variants names 1 to 64 kernels, got 0
tile.variants @v []
tile.kernel @a() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: @a is for all launches and leaves none to @b: say when it is taken
tile.variants @v [@a, @b]
tile.kernel @a() grid [1] {}
tile.kernel @b() grid [1] {}

// -----
tile.variants @v [@a]
tile.kernel @a() grid [1] {}
// CHECK: :[[@LINE+1]]:1: error: @b is not in the list of @v
tile.kernel @b() grid [1] {}

// -----
// CHECK: :[[@LINE+2]]:1: error: second tile.variants in a file, @w after @v
tile.variants @v [@a]
tile.variants @w [@a]
tile.kernel @a() grid [1] {}

// -----
// CHECK: error: no tile.kernel in the file
tile.variants @v [@a]

// -----
// CHECK: :[[@LINE+2]]:1: error: redefinition of symbol named 'a'
tile.variants @a [@a]
tile.kernel @a() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:1: error: the name of a list of variants is a letter, then letters, digits and underscores, got v.w
tile.variants @v.w [@a]
tile.kernel @a() grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:27: error: when () names no condition
tile.variants @v [@a when (), @b]

// -----
// CHECK: :[[@LINE+1]]:1: error: symbol M in the when of @a is no symbol of the kernel
tile.variants @v [@a when (N + M >= 1)]
tile.kernel @a() symbols [N : index] grid [1] {}

// -----
// CHECK: :[[@LINE+1]]:30: error: expected ==, <, <=, > or >=
tile.variants @v [@a when (N 1)]

// -----
!X = !tile.tensor<[N] x f32, shared>
!Y = !tile.tensor<[N] x f16, shared>
tile.variants @v [@a when (N >= 1), @b]
tile.kernel @a(%x: !X) grid [1] {}
// CHECK: :[[@LINE+1]]:1: error: kernels of one list have one signature: @b has %x : !tile.tensor<[N] x f16, shared> where @a has %x : !tile.tensor<[N] x f32, shared>
tile.kernel @b(%x: !Y) grid [1] {}

// -----
!X = !tile.tensor<[N] x f32, shared>
tile.variants @v [@a when (N >= 1), @b]
tile.kernel @a(%x: !X) grid [1] {}
// CHECK: :[[@LINE+1]]:1: error: kernels of one list have one signature: @b has %y : !tile.tensor<[N] x f32, shared> where @a has %x : !tile.tensor<[N] x f32, shared>
tile.kernel @b(%y: !X) grid [1] {}

// -----
tile.variants @v [@a when (N >= 1), @b]
tile.kernel @a() symbols [N : index] grid [1] {}
// CHECK: :[[@LINE+1]]:1: error: kernels of one list have one signature: @b has symbol N : i32 where @a has symbol N : index
tile.kernel @b() symbols [N : i32] grid [1] {}

// -----
tile.variants @v [@a when (N >= 1), @b]
tile.kernel @a() symbols [N : index] grid [1] {}
// CHECK: :[[@LINE+1]]:1: error: kernels of one list have one signature: @b has symbol P : index where @a has nothing more
tile.kernel @b() symbols [N : index, P : index] grid [1] {}

// -----
tile.kernel @a() grid [1] {
  // CHECK: :[[@LINE+1]]:3: error: {{.*}}tile.variants
  tile.variants @v [@a]
}
