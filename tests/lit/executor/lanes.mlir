// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lanes that gather, scatter and combine: what they hold, and how they break rules.

// RUN: tile-exec %s --set N=11 --output y=%t.npy
// RUN: tile-exec %s --set N=11 --order=interleaved --seed=1 --expect y=%t.npy
// RUN: tile-exec %s --set N=0
// Turned twice it is what it was.
// RUN: tile-exec %s --set N=11 --input x=%t.npy --output y=%t.back.npy
// RUN: tile-exec %s --set N=11 --expect x=%t.back.npy
// RUN: not tile-exec %source/tests/corpus/girih/rules/gather.bounds/bad.mlir --set N=3 2>&1 | FileCheck %s --check-prefix=GATHER
// RUN: not tile-exec %source/tests/corpus/girih/rules/scatter.bounds/bad.mlir --set N=2 2>&1 | FileCheck %s --check-prefix=SCATTER
// RUN: not tile-exec %source/tests/corpus/girih/rules/scatter.lanes/bad.mlir --set N=1 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not tile-exec %source/tests/corpus/girih/rules/atomic_scatter.bounds/bad.mlir --set N=1,B=3 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not tile-exec %source/tests/corpus/girih/lanes/lane_tail.bad.mlir --set N=200 2>&1 | FileCheck %s --check-prefix=CLAIM

// GATHER: error: index 3 is outside an axis of 3 elements [gather.bounds]
// GATHER: note: block (0) reads element [3] of %x in lane [3]
// SCATTER: note: block (0) writes element [2] of %y in lane [2]
// LANES: error: two lanes write element [0, 0] of %y [scatter.lanes]
// LANES: note: block (0) writes element [0, 0] of %y in lane [0] and in lane [1]
// ATOMIC: error: index 3 is outside an axis of 3 elements [atomic_scatter.bounds]
// ATOMIC: note: block (0) combines with element [3] of %h in lane [3]
// CLAIM: error: two blocks claim element [127] of %y [claim.disjoint]

// y is x from the end.
!X = !tile.tensor<[N] x i32, shared>
!Y = !tile.tensor<[N] x i32, out>
tile.kernel @lanes(%x: !X, %y: !Y) grid [ceildiv(N, 4)] {
  %b = tile.block_id 0
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %n = tile.symbol "N" : index
  %last = arith.subi %n, %c1 : index
  %first = arith.muli %b, %c4 : index
  %base = vector.broadcast %first : index to vector<4xindex>
  %lane = tile.iota 0 : vector<4xindex>
  %at = arith.addi %base, %lane : vector<4xindex>
  %end = vector.broadcast %last : index to vector<4xindex>
  %from = arith.subi %end, %at : vector<4xindex>
  %inside = arith.cmpi sle, %at, %end : vector<4xindex>
  %v = tile.gather %x[%from], %inside pad(zero) : !X, vector<4xindex>, vector<4xi1>
  tile.scatter %v, %y[%at], %inside : vector<4xi32>, !Y, vector<4xindex>, vector<4xi1>
}
