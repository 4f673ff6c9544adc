#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule gemv, run and compared with NumPy: on small integers
all sums are exact, and every bit is asked for. Of weights in f8E4M3FN each code
is asked for, too. A copy that refills its slot too early, taken from the PTX, has
to be found.

  gemv_test.py TILE_COMPILE GEMV.mlir
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

from machine import E4M3, Fault, Memory, Program

#: N, K and P: nothing, less than a tile, ragged tiles, rows in one chunk and in
#: several, slices that end before others do, and more tiles than one group.
SHAPES = [(0, 8, 1), (1, 0, 1), (1, 8, 1), (3, 8, 2), (5, 16, 3), (13, 520, 2),
          (4, 2568, 1), (9, 5128, 2), (6, 8192, 1), (259, 8, 1),
          (256, 8, 1)]
#: The same for other tiles: whole rows, and rows in more slices.
FEW = [(1, 0, 1), (3, 16, 2), (19, 1032, 2), (5, 8192, 1)]
#: The same of weights in f8E4M3FN, K a multiple of 16.
F8 = [(0, 16, 1), (1, 0, 1), (1, 16, 1), (3, 48, 2), (13, 1040, 2),
      (4, 5136, 1), (6, 8192, 2), (256, 16, 1)]
#: The same for longer rows, in longer slots.
DEEP = [(3, 25600, 2), (2, 14344, 1)]


def bf16(values):
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def rounded(values):
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def tiles_of(text, rows, wide):
    """The kernel with tiles of so many rows; `wide`: with y in f32."""
    text = text.replace("[4, 512]", f"[{rows}, 512]").replace("[4]", f"[{rows}]")
    text = text.replace("<4x", f"<{rows}x")
    if wide:
        text = text.replace("[N] x bf16, out", "[N] x f32, out").replace(
            f"[{rows}] x bf16, out", f"[{rows}] x f32, out").replace(
            "store %narrow", "store %acc")
        text = "\n".join(line for line in text.splitlines()
                         if "truncf" not in line) + "\n"
    return text


def of_f8(text):
    """The kernel with weights in f8E4M3FN."""
    return text.replace("[N, K] x bf16", "[N, K] x f8E4M3FN").replace(
        "512xbf16>", "512xf8E4M3FN>", 1).replace("mod(K, 8)", "mod(K, 16)")


def e4m3(values):
    """The bytes of numbers that are f8E4M3FN."""
    order = np.argsort(np.where(np.isnan(E4M3), np.inf, E4M3), kind="stable")
    codes = order[np.searchsorted(E4M3[order][:254], values)]
    return codes.astype(np.uint8)


def codes_of_f8(program):
    """The codes whose numbers are wrong: row n has code n in one place, where x
    is n - 100, and zeros elsewhere."""
    n, k = 256, 528
    w, x, y = np.zeros((n, k), np.uint8), np.zeros(k), np.zeros(n, np.uint16)
    rows, places = np.arange(n), np.arange(n) * 2 + np.arange(n) % 2
    w[rows, places], x[places] = rows, rows - 100
    memory = Memory()
    pointers = [memory.add(w.ravel(), True, False),
                memory.add(bf16(x).view(np.uint8), False, False),
                memory.add(y.view(np.uint8), False, True)]
    program.run([*pointers, n, k, 1], memory, 1, 232448)
    got = (y.astype(np.uint32) << 16).view(np.float32)
    want = (rounded(E4M3 * (rows - 100)).astype(np.uint32) << 16).view(np.float32)
    same = np.isnan(E4M3) | (got == want)
    return np.flatnonzero(~same | (np.isnan(E4M3) != np.isnan(got)))


def launch(program, n, k, p, seed, wide=False, f8=False):
    """Whether y is w x, bit by bit."""
    rng = np.random.default_rng(seed)
    w, x = rng.integers(-4, 5, (n, k)), rng.integers(-4, 5, k)
    want = (w @ x).astype(np.float32) if wide else rounded(w @ x)
    y = np.full(n, 0xFF if wide else 0xFFFF, want.dtype)
    memory = Memory()
    out = y.view(np.uint8)
    stored = e4m3(w) if f8 else bf16(w)
    pointers = [memory.add(stored.view(np.uint8).ravel(), True, False),
                memory.add(bf16(x).view(np.uint8), False, False),
                memory.add(out, False, True)]
    # More than it has: what it touches is held to that of a block.
    program.run([*pointers, n, k, p], memory, p, 232448, seed)
    return np.array_equal(y, want)


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


def ptx(tool, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "gemv.mlir")
        path.write_text(text)
        done = subprocess.run([tool, path, "--dump=ptx"], capture_output=True,
                              text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def complaint(program, n, k, p, wide, f8=False):
    try:
        fine = launch(program, n, k, p, n + k, wide, f8)
    except Fault as fault:
        return str(fault)
    return "" if fine else "another result"


def main(tool, kernel):
    source, launches, failures = pathlib.Path(kernel).read_text(), 0, 0
    for rows, wide, shapes in ((4, False, SHAPES), (8, False, FEW),
                               (2, True, FEW), (1, False, FEW)):
        program = Program(ptx(tool, tiles_of(source, rows, wide)))
        for n, k, p in shapes:
            launches += 1
            if why := complaint(program, n, k, p, wide):
                failures += 1
                print(f"tiles of {rows}, N = {n}, K = {k}, P = {p}: {why}")
    deep = tiles_of(source, 1, False).replace("K <= 8192", "K <= 32768")
    program = Program(ptx(tool, deep.replace("slots = 4",
                                             "slots = 4, slot_bytes = 3584")))
    for n, k, p in DEEP:
        launches += 1
        if why := complaint(program, n, k, p, False):
            failures += 1
            print(f"long slots, N = {n}, K = {k}, P = {p}: {why}")
    program = Program(ptx(tool, of_f8(source)))
    for n, k, p in F8:
        launches += 1
        if why := complaint(program, n, k, p, False, True):
            failures += 1
            print(f"f8, N = {n}, K = {k}, P = {p}: {why}")
    if (wrong := codes_of_f8(program)).size:
        failures += 1
        print(f"f8: the numbers of the codes {wrong} are wrong")
    spoiled = Program(early(ptx(tool, source)))
    if complaint(spoiled, 64, 16, 1, False) != "another result":
        failures += 1
        print("a slot that is refilled before it is read is not found")
    print(f"{launches} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
