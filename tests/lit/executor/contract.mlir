// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that the contract refuses, and faults of the contract itself.

// RUN: not tile-exec %s --set N=6,P=2 2>&1 | FileCheck %s --check-prefix=MOD
// RUN: not tile-exec %s --set N=8 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not tile-exec %s --set N=8,P=2,Q=3 2>&1 | FileCheck %s --check-prefix=EXTRA
// RUN: not tile-exec %s --set N=-8,P=2 2>&1 | FileCheck %s --check-prefix=RANGE
// RUN: not tile-exec %s --set N=8,P=200 --index-width=8 2>&1 | FileCheck %s --check-prefix=NARROW
// RUN: not tile-exec %s --set N=8,P=0 2>&1 | FileCheck %s --check-prefix=DIVISION
// RUN: not tile-exec %s --set N=0,P=1 2>&1 | FileCheck %s --check-prefix=GRID
// RUN: not tile-exec %s --set N=8,P=4 --blocks "(9)" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: tile-exec %s --set N=8,P=4 | FileCheck %s --check-prefix=CLEAN

// MOD: contract.mlir:[[#@LINE+13]]:1: error: the launch is refused: requires mod(N, 4) == 0: 2 against 0
// MISSING: error: the launch is refused: symbol P has no value
// EXTRA: error: the launch is refused: the kernel has no symbol Q
// RANGE: error: the launch is refused: implied: N = -8 is outside 0..1099511627776
// NARROW: error: the launch is refused: implied: P = 200 is outside 0..32
// DIVISION: error: the contract divides by less than 1 or a negative number [contract.division]
// DIVISION: note: ceildiv(N, P) divides 8 by 0
// GRID: error: grid[0] = -1 is negative [launch.grid]
// GRID: note: grid[0] = ceildiv(N, P) - 1 = -1
// BLOCK: error: the launch is refused: block (9) is not in the grid (1)
// CLEAN: ran 1 block of grid (1): no fault

!A = !tile.tensor<[N] x f32, shared>
tile.kernel @contract(%a: !A) symbols [P : index] grid [ceildiv(N, P) - 1]
    requires [mod(N, 4) == 0] {
}
