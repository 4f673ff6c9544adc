// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where MLIR's parser and verifiers speak of tokens and control flow edges, the
// message says what to write.
// RUN: not tile-opt --split %s 2>&1 | FileCheck %s
// RUN: not tile-opt --split %s 2>&1 | FileCheck %s --check-prefix=NOT
// NOT-NOT: control flow edge
// NOT-NOT: region branch point

// Contracts spell division as a function.
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:47: error: a contract has no operator %: write mod(N, 64)
tile.kernel @mod(%a: !A) grid [1] requires [N % 64 == 0] {}
// -----
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:47: error: a contract has no operator %: write mod(N, 64)
tile.kernel @mod(%a: !A) grid [1] requires [N %64 == 0] {}
// -----
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:61: error: a contract has no operator %: write mod(min(N, 4), M)
tile.kernel @mod(%a: !A) symbols [M : index] grid [min(N, 4) %M] {}
// -----
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a contract has no operator /: write div(N, 64), or ceildiv(N, 64) to round up
tile.kernel @div(%a: !A) grid [N / 64] {}
// -----
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: a contract has no operator /: write div(2 * N, 3 + 1), or ceildiv(2 * N, 3 + 1) to round up
tile.kernel @div(%a: !A) grid [1] requires [1 <= 7 + 2 * N / (3 + 1)] {}
// -----
// Two slashes begin a comment: what is missed is missed behind it.
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:38: error: // begins a comment, and a contract has no operator for division: write div(N, 64), or ceildiv(N, 64) to round up
tile.kernel @slashes(%a: !A) grid [N // 64] {}
// -----
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+2]]:11: error: // begins a comment, and a contract has no operator for division: write div(N + 3, 64), or ceildiv(N + 3, 64) to round up
tile.kernel @slashes(%a: !A) grid [1] requires [
  (N + 3) // 64 <= 2,
  N >= 2] {}
// -----
// Other comments are comments.
!A = !tile.tensor<[N] x f32, out partial>
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: expected ']'
tile.kernel @comment(%a: !A) grid [1] requires [N >= 2 // at least two
  N >= 3] {}
// -----
// Elsewhere these characters are not about contracts.
!A = !tile.tensor<[N] x f32, out partial>
tile.kernel @body(%a: !A) grid [1] {
  %i = tile.block_id 0
  // CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: expected ']'
  %b = tile.view %a slice [%i / 2] size [%i] : !A
}
// -----
// CHECK: :[[@LINE+1]]:{{[0-9]+}}: error: expected
!A = !tile.tensor<[N / 2] x f32, out partial>
// -----

// Stores go to claimed pieces.
!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
tile.kernel @indexed(%c: !C) grid [ceildiv(N, 64)] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [64] : !C
  // CHECK: :[[@LINE+1]]:21: error: a store goes to a claimed piece and has no index: claim first, %piece = tile.claim %pc[%i], and store to %piece
  tile.store %v, %pc[%i] : !PC
}
// -----
!C = !tile.tensor<[N] x f32, own>
!PC = !tile.partition<[64], [N] x f32, own>
tile.kernel @partition(%c: !C) grid [ceildiv(N, 64)] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %pc = tile.partition %c by [64] : !C
  // CHECK: :[[@LINE+1]]:3: error: a store goes to a claimed piece, not to a partition: claim first, %piece = tile.claim %pc[...], and store to %piece
  tile.store %v, %pc : !PC
}
// -----
!C = !tile.tensor<[N] x f32, out>
tile.kernel @tensor(%c: !C) grid [ceildiv(N, 64)] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  // CHECK: :[[@LINE+1]]:3: error: a store goes to a claimed piece, not to a tensor: first %p = tile.partition %c by [...], then %piece = tile.claim %p[...]
  tile.store %v, %c : !C
}
// -----

// What loops and branches yield.
tile.kernel @for_nothing() grid [1] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // CHECK: :[[@LINE+1]]:8: error: the body must yield one vector<64xf32>, and yields nothing
  %r = scf.for %k = %c0 to %c4 step %c4 iter_args(%a = %v) -> (vector<64xf32>) {
    %b = arith.addf %a, %v : vector<64xf32>
  }
}
// -----
tile.kernel @for_bare() grid [1] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // CHECK: :[[@LINE+1]]:8: error: the body must yield one vector<64xf32>, and yields nothing
  %r = scf.for %k = %c0 to %c4 step %c4 iter_args(%a = %v) -> (vector<64xf32>) {
    // CHECK: :[[@LINE+1]]:5: note: this is what it yields
    scf.yield
  }
}
// -----
tile.kernel @for_type() grid [1] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // CHECK: :[[@LINE+1]]:10: error: the body must yield vector<64xf32> and index, and yields index and index
  %r:2 = scf.for %k = %c0 to %c4 step %c4 iter_args(%a = %v, %b = %c0) -> (vector<64xf32>, index) {
    // CHECK: :[[@LINE+1]]:5: note: this is what it yields
    scf.yield %k, %b : index, index
  }
}
// -----
tile.kernel @for_count() grid [1] {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  // CHECK: :[[@LINE+1]]:3: error: the body must yield nothing, and yields one index
  scf.for %k = %c0 to %c4 step %c4 {
    // CHECK: :[[@LINE+1]]:5: note: this is what it yields
    scf.yield %k : index
  }
}
// -----
tile.kernel @if_else(%v: f32, %t: f32) grid [1] {
  %c = arith.cmpf oeq, %v, %t : f32
  // CHECK: :[[@LINE+1]]:8: error: the else branch must yield one f32, and yields nothing
  %r = scf.if %c -> (f32) {
    scf.yield %v : f32
  } else {
  }
}
// -----
tile.kernel @if_then(%v: f32, %t: f32) grid [1] {
  %c = arith.cmpf oeq, %v, %t : f32
  // CHECK: :[[@LINE+1]]:3: error: the then branch must yield nothing, and yields one f32
  scf.if %c {
    // CHECK: :[[@LINE+1]]:5: note: this is what it yields
    scf.yield %v : f32
  }
}
// -----
tile.kernel @if_alone(%v: f32, %t: f32) grid [1] {
  %c = arith.cmpf oeq, %v, %t : f32
  // CHECK: :[[@LINE+1]]:8: error: the scf.if must have an else branch that yields one f32
  %r = scf.if %c -> (f32) {
    scf.yield %v : f32
  }
}
