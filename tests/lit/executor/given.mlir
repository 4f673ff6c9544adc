// Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contents: made up so that they keep what is given, at any size; where none
// do, and where given ones do not, the launch is refused.

// RUN: tile-exec %s --set N=7,M=5,V=9
// RUN: tile-exec %s --set N=7,M=5,V=9 --seed=2
// RUN: tile-exec %s --set N=0,M=1,V=0
// RUN: tile-exec %s --set N=2,M=2,V=3 --contents ids=2,0 --contents "cu=0,3" --contents %%t=-4*2
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents ids=2,3 2>&1 | FileCheck %s --check-prefix=WITHIN
// RUN: not tile-exec %s --set N=3,M=2,V=3 --contents ids=2,0*2 2>&1 | FileCheck %s --check-prefix=DISTINCT
// RUN: not tile-exec %s --set N=2,M=3,V=3 --contents cu=0,4,3 2>&1 | FileCheck %s --check-prefix=SORTED
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents cu=1,3 2>&1 | FileCheck %s --check-prefix=FIRST
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents cu=0,2 2>&1 | FileCheck %s --check-prefix=LAST
// RUN: not tile-exec %s --set N=0,M=0,V=3 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not tile-exec %s --set N=4,M=2,V=3 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents t=5,4 2>&1 | FileCheck %s --check-prefix=ASSUMED
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents t=5 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents t=128*2 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents t=1*x 2>&1 | FileCheck %s --check-prefix=FORM
// RUN: not tile-exec %s --set N=2,M=2,V=3 --contents u=1 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not tile-exec %s --set N=2,M=2,V=1099511627776 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: tile-exec %s --set N=2,M=1099511627776,V=3
// RUN: not tile-exec %s --set N=2,M=1,V=3 2>&1 | FileCheck %s --check-prefix=ONE

// WITHIN: error: the launch is refused: given within(%ids, 0, V): element [1] is 3, outside [0, 3)
// DISTINCT: error: the launch is refused: given distinct(%ids): element [1] is 0 and element [2] is 0
// SORTED: error: the launch is refused: given splits(%cu, V): element [1] is 4 and element [2] is 3
// FIRST: error: the launch is refused: given splits(%cu, V): element [0] is 1
// LAST: error: the launch is refused: given splits(%cu, V): element [1] is 2, not 3
// EMPTY: error: the launch is refused: no contents of %cu keep what is given: the tensor is empty
// MANY: error: the launch is refused: no contents of %ids keep what is given: no 4 distinct numbers lie in [0, 3)
// ASSUMED: error: the launch is refused: given sorted(%t) assumed: element [0] is 5 and element [1] is 4
// SIZE: error: the launch is refused: input %t has 1 element, the launch gives it shape [2]
// KIND: error: the launch is refused: input %t holds 128, which is no i8
// FORM: error: --contents: 't=1*x' is not of the form NAME=NUMBER,NUMBER*TIMES
// NONE: error: the launch is refused: the kernel has no tensor %u of integers
// WIDE: error: the launch is refused: no contents of %cu keep what is given: an end of the splits, 1099511627776, is outside [-2147483648, 2147483648)
// ONE: error: the launch is refused: no contents of %cu keep what is given: one element is 0 and 3

!I = !tile.tensor<[N] x i32, shared>
!C = !tile.tensor<[M] x i32, shared>
!T = !tile.tensor<[N] x i8, shared>
tile.kernel @given(%ids: !I, %cu: !C, %t: !T) symbols [V : index] grid [1]
    given [within(%ids, 0, V), distinct(%ids), splits(%cu, V),
           sorted(%t) assumed] {
}
