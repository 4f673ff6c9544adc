// One part for each thing that is refused of views, and what is said about it.
// RUN: not tile-opt --split --verify-only %s 2>&1 | FileCheck %s --strict-whitespace

!A = !tile.tensor<[M, N] x f32, shared>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: argument b has a run-time extent ?, but only a view has: name it by a launch symbol
tile.kernel @k(%a: !A, %b: !tile.tensor<[?] x f32, shared>) grid [1] {}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:21: error: a view is one of slice, permute, unfold, fix, flatten, got split
  %v = tile.view %a split [0] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: view has 1 offsets but 2 are wanted
  %v = tile.view %a slice [0] size [M, N] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: view has 3 sizes but 2 are wanted
  %v = tile.view %a slice [0, 0] size [M, N, 1] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: numbers of a view are at least 0, got -1
  %v = tile.view %a slice [0, -1] size [M, N] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: symbol K is not bound: it is no extent of an argument and not in symbols [...]
  %v = tile.view %a slice [0, K] size [M, N] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) symbols [K : i32] grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: symbol K has type 'i32', but numbers of a view are index
  %v = tile.view %a fix 0 at K : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axis 0 is named twice
  %v = tile.view %a permute [0, 0] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axes of the tensor are 0 to 1, got 2
  %v = tile.view %a permute [0, 2] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axes of the tensor are 0 to 1, got -1
  %v = tile.view %a unfold -1 by [2, 2] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: an axis unfolds into two or more, got 1
  %v = tile.view %a unfold 0 by [M] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  %c2 = arith.constant 2 : index
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: factors are constants or launch symbols
  %v = tile.view %a unfold 0 by [%c2, M] : !A
}

// -----
!A = !tile.tensor<[M] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a view has an axis: keep it and use a slice of size 1
  %v = tile.view %a fix 0 at 0 : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  %c0 = arith.constant 0 : i32
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}expects different type than prior uses
  %v = tile.view %a fix 0 at %c0 : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, out, strides [8, 1]>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}expects different type than prior uses
  %v = tile.view %a permute [1, 0] : !tile.tensor<[M, N] x f32, out>
}

// -----
!A = !tile.tensor<[M, N] x f32, out>
tile.kernel @k(%a: !A) grid [1] {
  %c0 = arith.constant 0 : index
  %v = tile.view %a slice [0, 0] size [%c0, 1] : !A
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: {{.*}}expects different type than prior uses
  %p = tile.partition %v by [_, _] : !tile.tensor<[M, 1] x f32, out>
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: view has 1 steps but 2 are wanted
  %v = tile.view %a slice [0, 0] size [M, 1] step [1] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: steps of a slice are at least 1, got 0
  %v = tile.view %a slice [0, 0] size [M, 1] step [1, 0] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: symbol K is not bound: it is no extent of an argument and not in symbols [...]
  %v = tile.view %a slice [0, 0] size [M, 1] step [1, K] : !A
}

// -----
!A = !tile.tensor<[M, N] x i4, shared>
tile.kernel @k(%a: !A) grid [1] requires [mod(N, 4) == 0] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: two elements of 'i4' share a byte: axis 1 is sliced in steps of 1
  %v = tile.view %a slice [0, 0] size [M, 2] step [2, 2] : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axis 1 is the last one: flatten makes it one with the axis behind it
  %v = tile.view %a flatten 1 : !A
}

// -----
!A = !tile.tensor<[M, N] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: axes of the tensor are 0 to 1, got 2
  %v = tile.view %a flatten 2 : !A
}

// -----
!A = !tile.tensor<[4294967296, 4294967296] x f32, shared>
tile.kernel @k(%a: !A) grid [1] {
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: an axis of 4294967296 * 4294967296 elements leaves 64 bits
  %v = tile.view %a flatten 0 : !A
}

// -----
!A = !tile.tensor<[M, N] x i4, shared>
!T = !tile.tensor<[N, M] x i4, shared>
tile.kernel @k(%a: !A) grid [1] {
  %t = tile.view %a permute [1, 0] : !A
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: two elements of 'i4' share a byte: axis 0 is flattened with the one before it
  %v = tile.view %t flatten 0 : !T
}
