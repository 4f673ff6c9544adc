#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule gemv, run and compared with NumPy: on small integers
all sums are exact, and every bit is asked for. A copy that refills its slot too
early, taken from the PTX, has to be found.

  gemv_test.py TILE_COMPILE GEMV.mlir
"""

import subprocess
import sys

import numpy as np

from machine import Fault, Memory, Program

#: N, K and P: nothing, less than a tile, ragged tiles, rows in one chunk and in
#: several, slices that end before others do, and more tiles than one group.
SHAPES = [(0, 8, 1), (1, 0, 1), (1, 8, 1), (3, 8, 2), (5, 16, 3), (13, 520, 2),
          (4, 2568, 1), (9, 5128, 2), (6, 8192, 1), (259, 8, 1),
          (256, 8, 1)]


def bf16(values):
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def rounded(values):
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def launch(program, shared, n, k, p, seed):
    """Whether y is w x, bit by bit."""
    rng = np.random.default_rng(seed)
    w, x = rng.integers(-4, 5, (n, k)), rng.integers(-4, 5, k)
    y = np.full(n, 0xFFFF, np.uint16)
    memory = Memory()
    out = y.view(np.uint8)
    pointers = [memory.add(bf16(w).view(np.uint8).ravel(), True, False),
                memory.add(bf16(x).view(np.uint8), False, False),
                memory.add(out, False, True)]
    program.run([*pointers, n, k, p], memory, p, shared, seed)
    return np.array_equal(y, rounded(w @ x))


def early(text):
    """The same with each slot filled again before it is read."""
    lines = text.splitlines()
    last = max(n for n, line in enumerate(lines) if "cp.async.bulk" in line)
    wait = next(n for n, line in enumerate(lines) if "try_wait" in line)
    label = next(n for n in range(last, 0, -1) if lines[n].startswith("$L"))
    read = next(n for n in range(wait, last) if "ld.shared" in lines[n])
    moved = lines[label + 1:last + 1]
    end = next(line for line in lines[last:] if line.startswith("$L"))
    moved = [line.replace(end[:-1], "$EARLY") for line in moved] + ["$EARLY:"]
    return "\n".join(lines[:read] + moved + lines[read:label + 1] +
                     lines[last + 1:])


def main(tool, kernel):
    def dumped(what):
        return subprocess.run([tool, kernel, f"--dump={what}"], check=True,
                              capture_output=True, text=True).stdout

    text = dumped("ptx")
    # Far more than it has: what it touches is held to this.
    shared = 232448
    program, failures = Program(text), 0
    for n, k, p in SHAPES:
        try:
            fine = launch(program, shared, n, k, p, seed=n + k)
        except Fault as fault:
            fine = fault
        if fine is not True:
            failures += 1
            print(f"N = {n}, K = {k}, P = {p}: {fine or 'another result'}")
    try:
        found = not launch(Program(early(text)), shared, 64, 16, 1, seed=1)
    except Fault as fault:
        found = print(f"refilled too early: {fault}")
    if not found:
        failures += 1
        print("a slot that is refilled before it is read is not found")
    print(f"{len(SHAPES)} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
