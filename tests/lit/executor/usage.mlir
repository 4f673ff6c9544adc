// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command line: help fits on a screen, errors name what is wrong.

// RUN: tile-exec --help | FileCheck %s --check-prefix=HELP
// RUN: not tile-exec 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-exec %s --frobnicate 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not tile-exec %s --set N 2>&1 | FileCheck %s --check-prefix=SET
// RUN: not tile-exec %s --set N=1,N=2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not tile-exec %s --set N=99999999999999999999 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not tile-exec %s --set N=1 --order=backwards 2>&1 | FileCheck %s --check-prefix=ORDER
// RUN: not tile-exec %s --set N=1 --blocks "0,1" 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: not tile-exec %s --set N=1 --index-width=7 2>&1 | FileCheck %s --check-prefix=WIDTH
// RUN: not tile-exec %s --set N=1 --input b=x.npy 2>&1 | FileCheck %s --check-prefix=ARGUMENT
// RUN: not tile-exec %s --set N=1 --output s=x.npy 2>&1 | FileCheck %s --check-prefix=SCALAR
// RUN: not tile-exec %s --set N=1 --no-values --output a=x.npy 2>&1 | FileCheck %s --check-prefix=VALUES
// RUN: not tile-exec %s.missing --set N=1 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not tile-exec %s --set N=1 --max-steps=0 2>&1 | FileCheck %s --check-prefix=STEPS

// HELP: usage: tile-exec KERNEL.mlir [options]
// HELP: Exit codes: 0 ran clean, 1 a fault
// NONE: tile-exec: error: no kernel given
// UNKNOWN: tile-exec: error: unknown option --frobnicate; --help lists them
// SET: tile-exec: error: --set: 'N' is not of the form NAME=NUMBER
// TWICE: tile-exec: error: --set: symbol N is set twice
// LARGE: tile-exec: error: --set: 'N=99999999999999999999' is not of the form NAME=NUMBER
// ORDER: tile-exec: error: --order: unknown order 'backwards'
// BLOCKS: tile-exec: error: --blocks: '0,1' is not of the form (0, 1)
// WIDTH: error: the launch is refused: index width 7 is outside 8..64
// ARGUMENT: tile-exec: error: the kernel has no argument %b
// SCALAR: tile-exec: error: argument %s is not a tensor
// VALUES: tile-exec: error: --no-values computes nothing to write or to compare
// FILE: error:
// STEPS: tile-exec: error: the launch needs more steps or memory than allowed

!A = !tile.tensor<[N] x f32, own>
tile.kernel @usage(%a: !A, %s: f32) grid [1] {
  %c0 = arith.constant 0 : index
}
