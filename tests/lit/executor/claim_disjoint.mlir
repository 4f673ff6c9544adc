// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two claims of one element: both are shown.

// RUN: not tile-exec %s --set N=200 2>&1 | FileCheck %s
// RUN: not tile-exec %s --set N=200 --order=reverse 2>&1 | FileCheck %s --check-prefix=REVERSE
// RUN: not tile-exec %s --set N=200 --no-values --blocks "(2);(0)" 2>&1 | FileCheck %s --check-prefix=SLICE

// CHECK: error: two blocks claim element [64] of %c [claim.disjoint]
// CHECK-NEXT: %wide = tile.claim %p128[%half] : !P128
// CHECK-NEXT: ^~~~~
// CHECK-NEXT: note: block (1) claims [0..127] of %c
// CHECK-NEXT: note: block (0) claims [64..127] of %c
// CHECK-NEXT: %next = tile.claim %p64[%other] : !P64
// CHECK-NEXT: ^~~~

// REVERSE: note: block (1) claims [0..127] of %c
// REVERSE-NEXT: note: block (2) claims [64..127] of %c
// SLICE: error: two blocks claim element
// SLICE: note: block (0) claims [64..127] of %c
// SLICE: note: block (2) claims [64..127] of %c

!C = !tile.tensor<[N] x f32, out partial>
!P64 = !tile.partition<[64], [N] x f32, out partial>
!P128 = !tile.partition<[128], [N] x f32, out partial>
tile.kernel @claim_disjoint(%c: !C) grid [ceildiv(N, 64)] {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %i = tile.block_id 0
  %p64 = tile.partition %c by [64] : !C
  %p128 = tile.partition %c by [128] : !C
  %parity = arith.remsi %i, %c2 : index
  %half = arith.divsi %i, %c2 : index
  %odd = arith.cmpi eq, %parity, %c1 : index
  %other = arith.subi %c1, %parity : index
  scf.if %odd {
    %wide = tile.claim %p128[%half] : !P128
  } else {
    %next = tile.claim %p64[%other] : !P64
  }
}
