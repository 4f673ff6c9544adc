// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Strides of which nobody says anything are those of a packed tensor: here la is
// N, lb is N and ly is M N.
//
// RUN: tile-exec %s --set M=3,N=5,R=2 --output y=%t.y.npy
// RUN: tile-exec %s --set M=3,N=5,R=2,la=5,lb=5,ly=15 --expect y=%t.y.npy | FileCheck %s
// CHECK: no fault
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=3,N=5,R=2,la=4 2>&1 | FileCheck %s --check-prefix=NARROW
// NARROW: requires la >= N
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=3,R=2 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: symbol N has no value
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set M=1099511627776,N=1099511627776,R=2 2>&1 | FileCheck %s --check-prefix=HUGE
// HUGE: is outside 0..1099511627776
!A = !tile.tensor<[M, N] x f32, shared, strides [la, 1]>
!Y = !tile.tensor<[R, M, N] x f32, out, strides [ly, lb, 1]>
tile.kernel @apart(%a: !A, %y: !Y) symbols [la : index, lb : index, ly : index]
    grid [R, M] requires [la >= N, N <= 8] {
  %c0 = arith.constant 0 : index
  %r = tile.block_id 0
  %i = tile.block_id 1
  %as = tile.partition %a by [_, 8] : !A
  %ys = tile.partition %y by [_, _, 8] : !Y
  %n = tile.num_tiles %as, 1 : !tile.partition<[_, 8], [M, N] x f32, shared, strides [la, 1]>
  %some = arith.cmpi sgt, %n, %c0 : index
  scf.if %some {
    %out = tile.claim %ys[%r, %i, %c0] : !tile.partition<[_, _, 8], [R, M, N] x f32, out, strides [ly, lb, 1]>
    %row = tile.load %as[%i, %c0] pad(zero) : !tile.partition<[_, 8], [M, N] x f32, shared, strides [la, 1]>
    tile.store %row, %out : !tile.piece<[_, _, 8] x f32, out>
  }
}
