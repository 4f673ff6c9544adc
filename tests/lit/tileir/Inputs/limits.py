# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels with many of one thing: limits.py nested|loops|symbols|axes N"""

import sys

kind, count = sys.argv[1], int(sys.argv[2])

if kind == "symbols":
    names = ", ".join(f"%t{i}: !T{i}" for i in range(count))
    for i in range(count):
        print(f"!T{i} = !tile.tensor<[N{i}] x i32, shared>")
    print(f"tile.kernel @k({names}) grid [1] {{}}")
    sys.exit()

if kind == "axes":
    extents = ", ".join(f"E{i}" for i in range(60))
    print(f"!T = !tile.tensor<[{extents}] x f32, own>")
    names = ", ".join(f"%t{i}: !T" for i in range(count))
    print(f"tile.kernel @k({names}) grid [1] {{}}")
    sys.exit()

print("""!T = !tile.tensor<[L] x i32, shared>
!PT = !tile.partition<[_], [L] x i32, shared>
!C = !tile.tensor<[N] x f32, own>
!PC = !tile.partition<[_], [N] x f32, own>
!P = !tile.piece<[_] x f32, own>
tile.kernel @k(%c: !C, %t: !T) symbols [a : index] grid [N] requires [a <= L] {
  %b = tile.block_id 0
  %a = tile.symbol "a" : index
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %f = arith.constant 1.0 : f32
  %pt = tile.partition %t by [_] : !T
  %pc = tile.partition %c by [_] : !C
  %o = tile.claim %pc[%b] : !PC""")
for i in range(count):
    print(f"  scf.for %i{i} = %c0 to %a step %c1 {{")
    if kind == "loops":
        print(f"    %v = tile.load %pt[%i{i}] : !PT")
        print("  }")
if kind == "nested":
    print("  tile.store %f, %o : !P")
    print("  }" * count)
print("}")
