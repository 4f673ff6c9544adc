// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop is left with the trip in which it got stuck.

// RUN: not tile-exec %s --set N=100 --index-width=8 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: not tile-exec %s --set N=16 --index-width=8 2>&1 | FileCheck %s

// REFUSED: error: the launch is refused: implied: N = 100 is outside 0..32
// CHECK: error: index 144 leaves 8 bits [index.width]
// CHECK-NEXT: %square = arith.muli %k, %k : index
// CHECK-NEXT: ^~~~~~~~~~
// CHECK-NEXT: note: block (1) computes 144, in iteration (0, 12)

tile.kernel @loop() symbols [N : index] grid [2] {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = tile.symbol "N" : index
  %b = tile.block_id 0
  %end = arith.muli %b, %n : index
  scf.for %i = %c0 to %c2 step %c1 {
    scf.for %j = %c0 to %end step %c1 {
      %base = arith.muli %i, %c4 : index
      %twice = arith.addi %base, %base : index
      %k = arith.addi %twice, %j : index
      %square = arith.muli %k, %k : index
    }
  }
}
