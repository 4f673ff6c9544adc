// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch runs the first kernel that is for it, or the one that is asked for.

// RUN: tile-exec %s --set N=20,P=1 | FileCheck %s --check-prefix=WIDE
// RUN: tile-exec %s --set N=19,P=1 | FileCheck %s --check-prefix=NARROW
// RUN: tile-exec %s --set N=19,P=1 --variant wide | FileCheck %s --check-prefix=ASKED
// RUN: tile-exec %s --set N=20,P=1 --variant=wide | FileCheck %s --check-prefix=WIDE
// RUN: not tile-exec %s --set N=7,P=1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-exec %s --set N=20 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tile-exec %s --set N=20,P=1 --variant thin 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-exec %s --set N=20,P=1 --variant= 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tile-exec %s --set N=20,P=0 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set N=9,P=1099511627776 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: bash %source/tests/lit/Inputs/exits.sh 3 tile-exec %s --set N=9,P=9223372036854775807 2>&1 | FileCheck %s --check-prefix=HUGE

// WIDE: ran 2 blocks of grid (2) of @wide: no fault
// NARROW: ran 5 blocks of grid (5) of @narrow: no fault
// ASKED: ran 2 blocks of grid (2) of @wide: no fault
// NONE: error: no variant of @fill is for this launch
// MISSING: error: symbol P has no value
// UNKNOWN: error: the file has no kernel @thin
// EMPTY: error: --variant: no name
// DIVISION: error: div(N, P) divides 20 by 0
// The contract of the chosen one decides, not of those that would do as well.
// REFUSED: error: the launch is refused: requires P <= 1000: 1099511627776 against 1000
// HUGE: error: contract: P * P * P leaves 128 bits

!C = !tile.tensor<[N] x f32, out>
!W = !tile.partition<[16], [N] x f32, out>
!PW = !tile.piece<[16] x f32, out>
!S = !tile.partition<[4], [N] x f32, out>
!PS = !tile.piece<[4] x f32, out>
tile.variants @fill [@wide when (div(N, P) >= 8, mod(N, 2) == 0), @narrow when (N >= 8, P * P * P >= 0)]
tile.kernel @wide(%c: !C) symbols [P : index] grid [ceildiv(N, 16)] {
  %one = arith.constant dense<1.0> : vector<16xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [16] : !C
  %out = tile.claim %pc[%i] : !W
  tile.store %one, %out : !PW
}
tile.kernel @narrow(%c: !C) symbols [P : index] grid [ceildiv(N, 4)] requires [P <= 1000] {
  %one = arith.constant dense<1.0> : vector<4xf32>
  %i = tile.block_id 0
  %pc = tile.partition %c by [4] : !C
  %out = tile.claim %pc[%i] : !S
  tile.store %one, %out : !PS
}
