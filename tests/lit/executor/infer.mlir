// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents come from the inputs that have them; float scalars are set by name.

// RUN: tile-exec %s --set M=3,N=5,s=1.5 --output y=%t.y.npy --output x=%t.x.npy
// RUN: tile-exec %s --set M=3,N=6,s=1.5 --output y=%t.y6.npy
// RUN: tile-exec %s --arg x=%t.x.npy --set s=1.5 --expect y=%t.y.npy | FileCheck %s --check-prefix=INFERRED
// RUN: tile-exec %s --input x=%t.x.npy --set M=3,s=1.5 --expect y=%t.y.npy | FileCheck %s --check-prefix=INFERRED
// RUN: not tile-exec %s --arg x=%t.x.npy --set s=2.5 --expect y=%t.y.npy 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: tile-exec %s --arg x=%t.x.npy --set s=2 --output y=%t.two.npy
// RUN: tile-exec %s --arg x=%t.x.npy --set s=2e0 --expect y=%t.two.npy
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --arg x=%t.x.npy --set N=7 2>&1 | FileCheck %s --check-prefix=SET
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --arg x=%t.x.npy --arg z=%t.y6.npy 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=3,N=5.5 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=3,N=5,q=5.5 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=3,N=5,q=5 2>&1 | FileCheck %s --check-prefix=SYMBOL
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=3,N=5,s=1,s=1.5 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: tile-exec %s --contents i=4,4,4 --set N=5 | FileCheck %s --check-prefix=LIST
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --arg x=%t.x.npy --contents i=4,4 2>&1 | FileCheck %s --check-prefix=LENGTH

// INFERRED: ran 3 blocks of grid (3): no fault
// OTHER: error: %y[0, 0] is {{.*}}, expected
// SET: tile-exec: error: symbol N is 7 as set, but 5 as extent 1 of %x
// BOTH: tile-exec: error: symbol N is 5 as extent 1 of %x, but 6 as extent 1 of %z
// INTEGER: tile-exec: error: symbol N is an integer
// SCALAR: tile-exec: error: the kernel has no float scalar %q
// SYMBOL: error: the launch is refused: the kernel has no symbol q
// TWICE: tile-exec: error: --set: symbol s is set twice
// LIST: ran 3 blocks of grid (3): no fault
// LENGTH: error: the launch is refused: input %i has 2 elements, the launch gives it shape [3]

!X = !tile.tensor<[M, N] x f32, shared>
!I = !tile.tensor<[M] x i64, shared>
!Y = !tile.tensor<[M, N] x f32, out>
!PX = !tile.partition<[_, 8], [M, N] x f32, shared>
!PY = !tile.partition<[_, 8], [M, N] x f32, out>
!P = !tile.piece<[_, 8] x f32, out>
tile.kernel @infer(%x: !X, %z: !X, %i: !I, %y: !Y, %s: f32) grid [M] requires [N <= 8, N >= 1] {
  %b = tile.block_id 0
  %c0 = arith.constant 0 : index
  %px = tile.partition %x by [_, 8] : !X
  %py = tile.partition %y by [_, 8] : !Y
  %piece = tile.claim %py[%b, %c0] : !PY
  %v = tile.load %px[%b, %c0] pad(zero) : !PX
  %f = vector.broadcast %s : f32 to vector<8xf32>
  %new = arith.mulf %v, %f : vector<8xf32>
  tile.store %new, %piece : !P
}
