#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule attention_step of a kernel in splits, run and compared
with NumPy: at the borders of tiles and of splits, with splits that have no keys,
at drawn sizes and positions, and at positions that are no row. What stands in the
caches from the new row on is NaN: nobody may see it.

  attention_step_split_test.py TILE_COMPILE KERNEL.mlir
"""

import random
import subprocess
import sys

import numpy as np

from attention_split_test import wanted
from attention_test import DEPTH, SCALE, UNTOUCHED, head
from machine import Fault, Memory, Program
from rows_test import EPS, narrow, wide

TILE = 128


def launch(program, G, R, T, P, pos, seed):
    """What is wrong, or nothing."""
    rng = np.random.default_rng(seed)
    q, k, v = (narrow(rng.standard_normal(shape)) for shape in
               ((G, R, DEPTH), (G, DEPTH), (G, DEPTH)))
    gains = [narrow(1 + rng.standard_normal(DEPTH) / 4) for _ in "qk"]
    angle = rng.standard_normal((T, DEPTH // 2))
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    caches = [narrow(rng.standard_normal((G, T, DEPTH))) for _ in "kv"]
    row = min(max(pos, 0), T - 1)
    for cache in caches:
        cache[:, row:] = UNTOUCHED
    partial = np.full((P, G, R, DEPTH), 0xFFFFFFFF, np.uint32)
    lse = np.full((P, G, R), 0xFFFFFFFF, np.uint32)
    memory = Memory()
    place = lambda array, early, written: memory.add(
        array.reshape(-1).view(np.uint8), early, written)
    arguments = [place(a, False, False) for a in (q, k, v)]
    arguments += [place(a, True, False) for a in
                  (np.array([pos], np.int32), *gains, cos, sin)]
    arguments += [place(cache, True, False) for cache in caches]
    arguments += [place(a, False, True) for a in (partial, lse)]
    arguments += [int(x.view(np.uint32)) for x in (EPS, SCALE)]
    arguments += [G, R, T, P, G]
    try:
        program.run(arguments, memory, P * G, 232448, seed)
    except Fault as fault:
        return str(fault)
    if pos != row:
        right = (partial == 0x7FC00000).all() and not lse.any()
        return "" if right else "no NaN without a row"
    turns = cos[row].astype(np.float64), sin[row].astype(np.float64)
    new = narrow(head(k, gains[1], *turns)), v
    keys, values = (np.concatenate((cache[:, :row], some[:, None]), 1)
                    for cache, some in zip(caches, new))
    queries = narrow(head(q, gains[0], *turns))
    mean, weight = (x[0] for x in wanted(queries[None], keys[None], values[None],
                                         row + 1, P, TILE))
    # Weights are rounded to bf16; a mean is of values of about 1.
    if not (off := np.abs(wide(partial) - mean).max(initial=0)) <= 0.02:
        return f"a mean is off by {off:.3g}"
    with np.errstate(invalid="ignore"):
        good = np.abs(wide(lse) - weight) <= 0.01 # of heads in bf16
    if not (good | (wide(lse) == weight)).all():
        return "the logarithm of a weight is wrong"
    return ""


def sizes(source):
    """G, R, T, P and a position: the first rows, the borders of a warp's keys, of
    a tile and of a split, more splits than tiles, splits of several tiles, the
    last row, none."""
    fixed = [(1, 1, 1, 1, 0), (2, 4, 130, 3, 0), (1, 3, 40, 2, 17),
             (1, 8, 129, 1, 128), (2, 1, 127, 2, 126), (1, 5, 131, 2, 127),
             (1, 2, 257, 2, 255), (1, 7, 257, 2, 256), (2, 8, 300, 5, 299),
             (1, 6, 700, 2, 513), (1, 8, 1100, 3, 1024), (1, 4, 640, 16, 639),
             (2, 7, 5, 2, -1), (1, 1, 9, 1, 9), (1, 8, 4, 3, 2**31 - 1),
             (1, 4, 3, 2, -2**31)]
    drawn = [(source.randint(1, 2), source.randint(1, 8), source.randint(1, 600),
              source.randint(1, 5)) for _ in range(6)]
    return fixed + [(g, r, t, p, source.randrange(t)) for g, r, t, p in drawn]


def main(tool, kernel):
    done = subprocess.run([tool, kernel, "--dump=ptx"], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    program, failures = Program(done.stdout), 0
    launches = sizes(random.Random(7))
    for seed, size in enumerate(launches):
        if why := launch(program, *size, seed):
            failures += 1
            named = ", ".join(f"{n} = {v}" for n, v in zip("GRTP", size))
            print(f"{named}, position {size[-1]}: {why}")
    print(f"{len(launches)} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
