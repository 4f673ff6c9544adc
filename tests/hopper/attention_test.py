#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule attention_step, run and compared with NumPy: at the
borders of tiles, at drawn sizes and positions, and at positions that are no row.
What stands in the caches from the new row on is NaN before: nobody may see it.

  attention_test.py TILE_COMPILE KERNEL.mlir
"""

import random
import subprocess
import sys

import numpy as np

from machine import Fault, Memory, Program
from rows_test import EPS, narrow, wide

SCALE, DEPTH = np.float32(0.3), 128
UNTOUCHED = 0xFFFF


def head(x, gain, cos, sin):
    """Normed, scaled and turned: what is rounded to bf16."""
    x = wide(x)
    mean = (x * x).mean(axis=-1, keepdims=True)
    x = x / np.sqrt(mean + np.float64(EPS)) * wide(gain)
    low, high = x[..., :64], x[..., 64:]
    return np.concatenate([low * cos - high * sin, high * cos + low * sin], -1)


def near(got, want, room):
    """Within a unit of bf16 and some room; NaN where NaN is wanted."""
    got, off = wide(got), 2.0 ** -8 * np.abs(want) + room
    with np.errstate(invalid="ignore"):
        good = np.abs(got - want) <= off
    return (good | (np.isnan(got) & np.isnan(want))).all()


def launch(program, G, R, T, pos, seed):
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
    before = [cache.copy() for cache in caches]
    y = np.full((G, R, DEPTH), UNTOUCHED, np.uint16)
    memory = Memory()
    place = lambda array, early, written: memory.add(
        array.reshape(-1).view(np.uint8), early, written)
    arguments = [place(a, False, False) for a in (q, k, v)]
    arguments += [place(a, True, False) for a in
                  (np.array([pos], np.int32), *gains, cos, sin)]
    arguments += [place(cache, False, None) for cache in caches]
    arguments += [place(y, False, True), int(EPS.view(np.uint32)),
                  int(SCALE.view(np.uint32)), G, R, T]
    try:
        program.run(arguments, memory, G, 232448, seed)
    except Fault as fault:
        return str(fault)
    if pos != row:
        same = all((a == b).all() for a, b in zip(caches, before))
        return "" if same and (y == 0x7FC0).all() else "touched without a row"
    turns = cos[row].astype(np.float64), sin[row].astype(np.float64)
    key = head(k, gains[1], *turns)
    for cache, new, old in zip(caches, (None, v), before):
        if new is not None and not (cache[:, row] == new).all():
            return "the new value is not in its cache"
        old[:, row] = cache[:, row]
        if not (cache == old).all():
            return "another row of a cache is written"
    if not near(caches[0][:, row], key, 1e-6):
        return "the new key is wrong"
    # From the key as it was rounded: the last unit is not what is asked here.
    keys, values = wide(caches[0][:, :row + 1]), wide(caches[1][:, :row + 1])
    queries = wide(narrow(head(q, gains[0], *turns)))
    scores = np.einsum("grd,gtd->grt", queries, keys) * np.float64(SCALE)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    mean = np.einsum("grt,gtd->grd", weights, values)
    mean /= weights.sum(-1, keepdims=True)
    return "" if near(y, mean, 0.02) else (
        f"the mean is off by {np.abs(wide(y) - mean).max():.3g}")


def sizes(source):
    """G, R, T and a position: the first rows, borders of a warp's tile and of
    the block's, the last row, none."""
    fixed = [(1, 1, 1, 0), (2, 4, 130, 128), (1, 8, 129, 128), (1, 3, 17, 16),
             (3, 5, 16, 15), (1, 8, 300, 127), (1, 2, 300, 299),
             (2, 7, 5, -1), (1, 1, 9, 9), (1, 8, 4, 2**31 - 1),
             (1, 4, 3, -2**31)]
    drawn = [(source.randint(1, 2), source.randint(1, 8), source.randint(1, 420))
             for _ in range(6)]
    return fixed + [(g, r, t, source.randrange(t)) for g, r, t in drawn]


def main(tool, kernel):
    done = subprocess.run([tool, kernel, "--dump=ptx"], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    program, failures = Program(done.stdout), 0
    launches = sizes(random.Random(3))
    for seed, (g, r, t, pos) in enumerate(launches):
        if why := launch(program, g, r, t, pos, seed):
            failures += 1
            print(f"G = {g}, R = {r}, T = {t}, position {pos}: {why}")
    print(f"{len(launches)} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
