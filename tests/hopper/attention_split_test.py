#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule attention_split, run and compared with NumPy: at the
borders of tiles and trips, with splits that have no keys, of one query and of
both eights, and at drawn sizes. What stands in the caches from key L on is NaN:
nobody may see it.

  attention_split_test.py TILE_COMPILE KERNEL.mlir
"""

import random
import subprocess
import sys

import numpy as np

from attention_test import DEPTH, SCALE, UNTOUCHED
from machine import Fault, Memory, Program
from rows_test import narrow, wide

TILE = 256


def wanted(q, k, v, L, P, tile=TILE):
    """Means, and logarithms of weights in base 2, of each split; of one without
    keys 0 and -inf."""
    B, G, R, _ = q.shape
    mean, lse = np.zeros((B, P, G, R, DEPTH)), np.full((B, P, G, R), -np.inf)
    share = -(-(-(-L // tile)) // P) * tile
    scores = np.einsum("bgrd,bgtd->bgrt", wide(q), wide(k[:, :, :L]))
    scores *= np.float64(SCALE) * np.log2(np.e)
    for p in range(P):
        keys = slice(min(p * share, L), min((p + 1) * share, L))
        if keys.start == keys.stop:
            continue
        some = scores[..., keys]
        top = some.max(-1, keepdims=True)
        weights = np.exp2(some - top)
        weight = weights.sum(-1, keepdims=True)
        mean[:, p] = np.einsum("bgrt,bgtd->bgrd", weights / weight,
                               wide(v[:, :, keys]))
        lse[:, p] = (top + np.log2(weight))[..., 0]
    return mean, lse


def run(program, q, caches, L, P, seed):
    """Means and logarithms of weights, as bits of f32."""
    B, G, R, _ = q.shape
    T = caches[0].shape[2]
    partial = np.full((B, P, G, R, DEPTH), 0xFFFFFFFF, np.uint32)
    lse = np.full((B, P, G, R), 0xFFFFFFFF, np.uint32)
    memory = Memory()
    place = lambda array, early, written: memory.add(
        array.reshape(-1).view(np.uint8), early, written)
    arguments = [place(q, False, False)]
    arguments += [place(cache, True, False) for cache in caches]
    arguments += [place(a, False, True) for a in (partial, lse)]
    arguments += [int(SCALE.view(np.uint32)), B, G, R, T, P, L, G, B]
    program.run(arguments, memory, P * G * B, 232448, seed)
    return partial, lse


def launch(program, B, G, R, T, L, P, seed):
    """What is wrong, or nothing."""
    rng = np.random.default_rng(seed)
    q = narrow(rng.standard_normal((B, G, R, DEPTH)))
    caches = [narrow(rng.standard_normal((B, G, T, DEPTH))) for _ in "kv"]
    for cache in caches:
        cache[:, :, L:] = UNTOUCHED
    try:
        partial, lse = run(program, q, caches, L, P, seed)
    except Fault as fault:
        return str(fault)
    mean, weight = wanted(q, *caches, L, P)
    # Weights are rounded to bf16; a mean is of values of about 1.
    if not (off := np.abs(wide(partial) - mean).max(initial=0)) <= 0.02:
        return f"a mean is off by {off:.3g}"
    with np.errstate(invalid="ignore"):
        good = np.abs(wide(lse) - weight) <= 2e-5
    if not (good | (wide(lse) == weight)).all():
        return "the logarithm of a weight is wrong"
    return ""


def near_one(program):
    """Units by which the logarithms of weights are off that are 1 and a bit: of
    one key with score 0 and one far below, a query for each distance."""
    R = 16
    q, k = np.zeros((1, 1, R, DEPTH)), np.zeros((1, 1, 2, DEPTH))
    q[..., 0], k[:, :, 1, 0] = np.arange(1, R + 1) / 2, -6
    lse = wide(run(program, narrow(q), [narrow(k)] * 2, 2, 1, 0)[1])[0, 0, 0]
    factor = SCALE * np.float32(1.44269504)
    score = (-6 * q[0, 0, :, 0]).astype(np.float32) * factor
    weight = np.float32(1) + np.exp2(score.astype(np.float64)).astype(np.float32)
    want = np.log2(weight.astype(np.float64))
    return (np.abs(lse - want) / np.spacing(want.astype(np.float32))).max()


def sizes(source):
    """B, G, R, T, L and P: the borders of a warp's keys, of a trip and of a
    tile, no key, more splits than tiles, splits of several tiles."""
    fixed = [(1, 1, 1, 1, 0, 1), (1, 2, 4, 5, 0, 3), (1, 1, 1, 1, 1, 1),
             (1, 1, 3, 40, 17, 2), (2, 1, 8, 127, 127, 1),
             (1, 1, 5, 131, 128, 1), (1, 2, 2, 129, 129, 1),
             (1, 1, 7, 255, 255, 1), (1, 1, 8, 300, 256, 2),
             (2, 2, 1, 257, 257, 2), (1, 1, 6, 520, 513, 1),
             (1, 1, 8, 1031, 1031, 2), (1, 1, 9, 130, 129, 1),
             (2, 1, 16, 300, 257, 3), (1, 1, 12, 600, 541, 1),
             (1, 1, 16, 7, 0, 2)]
    drawn = [(source.randint(1, 2), source.randint(1, 2), source.randint(1, 16),
              source.randint(1, 600), source.randint(1, 4)) for _ in range(4)]
    return fixed + [(b, g, r, t, source.randint(0, t), p)
                    for b, g, r, t, p in drawn]


def main(tool, kernel):
    done = subprocess.run([tool, kernel, "--dump=ptx"], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    program, failures = Program(done.stdout), 0
    launches = sizes(random.Random(5))
    for seed, size in enumerate(launches):
        if why := launch(program, *size, seed):
            failures += 1
            named = ", ".join(f"{n} = {v}" for n, v in zip("BGRTLP", size))
            print(f"{named}: {why}")
    if not (units := near_one(program)) <= 4:
        failures += 1
        print(f"the logarithm of a weight near 1 is off by {units:.1f} units")
    print(f"{len(launches) + 1} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
