// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays in and out: what one launch writes another one reads and expects.

// RUN: tile-exec %s --set N=5 --seed=3 --output y=%t.y.npy
// RUN: tile-exec %s --set N=5 --seed=3 --order=interleaved --expect y=%t.y.npy
// RUN: not tile-exec %s --set N=5 --seed=4 --expect y=%t.y.npy 2>&1 | FileCheck %s --check-prefix=DIFFERS
// RUN: tile-exec %s --set N=5 --input y=%t.y.npy --output y=%t.z.npy
// RUN: not tile-exec %s --set N=6 --input y=%t.y.npy 2>&1 | FileCheck %s --check-prefix=SHAPE
// RUN: not tile-exec %s --set N=6 --expect y=%t.y.npy 2>&1 | FileCheck %s --check-prefix=EXPECTED
// RUN: not tile-exec %s --set N=5 --input t=%t.y.npy 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tile-exec %s --set N=5 --input y=%s 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not tile-exec %s --set N=5 --input y=%t.none.npy 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-exec %s --set N=5 --output y=%t.none/y.npy 2>&1 | FileCheck %s --check-prefix=FOLDER

// DIFFERS: error: %y[0] is {{.*}}, expected {{.*}} within 0
// SHAPE: error: symbol N is 6 as set, but 5 as extent 0 of %y
// EXPECTED: error: %y has shape [6], expected [5]
// KIND: error: {{.*}}: elements are '<f4', expected '<i8' for i64
// TEXT: error: {{.*}}: not a .npy file
// NONE: error: {{.*}}.none.npy: No such file or directory
// FOLDER: error: {{.*}}: No such file or directory

!T = !tile.tensor<[N] x i64, shared>
!Y = !tile.tensor<[N] x f32, own>
!PT = !tile.partition<[4], [N] x i64, shared>
!PY = !tile.partition<[4], [N] x f32, own>
!P = !tile.piece<[4] x f32, own>
tile.kernel @arrays(%t: !T, %y: !Y) grid [ceildiv(N, 4)] {
  %i = tile.block_id 0
  %pt = tile.partition %t by [4] : !T
  %py = tile.partition %y by [4] : !Y
  %piece = tile.claim %py[%i] : !PY
  %n = tile.load %pt[%i] pad(zero) : !PT
  %old = tile.load %piece pad(zero) : !P
  %f = arith.sitofp %n : vector<4xi64> to vector<4xf32>
  %new = arith.addf %old, %f : vector<4xf32>
  tile.store %new, %piece : !P
}
