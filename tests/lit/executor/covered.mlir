// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An output that the grid does not cover: the argument is underlined, and
// nothing is written.

// RUN: rm -f %t.npy
// RUN: not tile-exec %s --set N=300 --output c=%t.npy 2>&1 | FileCheck %s
// RUN: not ls %t.npy
// RUN: tile-exec %s --set N=256 --output c=%t.npy
// RUN: ls %t.npy

// CHECK: error: element [256] of %c is never written [out.covered]
// CHECK-NEXT: tile.kernel @covered(%c: !C) grid [div(N, 128)] {
// CHECK-NEXT: ^~
// CHECK-NEXT: note: no block writes element [256] of %c

!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[128], [N] x f32, out>
!P = !tile.piece<[128] x f32, out>
tile.kernel @covered(%c: !C) grid [div(N, 128)] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [128] : !C
  %out = tile.claim %pc[%i] : !PC
  tile.store %v, %out : !P
}
