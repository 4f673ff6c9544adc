// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A claim one tile too far: the caret is under the index.

// RUN: not tile-exec %s --set M=300,N=1 2>&1 | FileCheck %s --strict-whitespace
// RUN: tile-exec %s --set M=300,N=1 --blocks "(0,0);(1,0)" | FileCheck %s --check-prefix=CLEAN

// CHECK: claim_bounds.mlir:[[#@LINE+17]]:25: error: tile row 3 is outside a partition of 3 tile rows [claim.bounds]
// CHECK-NEXT: %out = tile.claim %pc[%i1, %j] : !PC
// CHECK-NEXT: {{^                        \^~~$}}
// CHECK-NEXT: note: block (2, 0) claims rows 384..511 of 300
// CLEAN: ran 2 blocks of grid (3, 1): no fault

!C = !tile.tensor<[M, N] x f32, out>
!PC = !tile.partition<[128, 256], [M, N] x f32, out>
!P = !tile.piece<[128, 256] x f32, out>
tile.kernel @claim_bounds(%c: !C) grid [ceildiv(M, 128), ceildiv(N, 256)] {
  %c1 = arith.constant 1 : index
  %v = arith.constant dense<1.0> : vector<128x256xf32>
  %i = tile.block_id 0
  %j = tile.block_id 1
  %i1 = arith.addi %i, %c1 : index
  %pc = tile.partition %c by [128, 256] : !C
  // The tile of the block below.
  %out = tile.claim %pc[%i1, %j] : !PC
  tile.store %v, %out : !P
}
