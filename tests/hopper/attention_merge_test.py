#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule attention_merge, run and compared with NumPy: as many
splits as are on their way together, one more and one less, none, splits without
keys, numbers of all sizes; of a new token positions that are a row, and that are
none.

  attention_merge_test.py TILE_COMPILE MERGE.mlir STEP_MERGE.mlir
"""

import random
import subprocess
import sys

import numpy as np

from attention_test import DEPTH, UNTOUCHED, head, near
from gate import HEAD, variants
from machine import Fault, Memory, Program
from rows_test import EPS, narrow

#: Splits of the first variant; beyond them the second one is launched.
FEW = 8


def splits_of(rng, B, P, H):
    """Means of splits and the logarithms of their weights; some have no keys."""
    lse = (rng.standard_normal((B, P, H)) * rng.choice([1, 20])).astype(np.float32)
    partial = rng.standard_normal((B, P, H, DEPTH)) * rng.choice([1, 100])
    empty = rng.random((B, P, H)) < 0.3
    lse[empty], partial[empty] = -np.inf, 0
    return partial.astype(np.float32), lse


def merged(partial, lse):
    """And the size of what is added up: by it sums in f32 are off."""
    weights = np.exp2(lse.astype(np.float64) -
                      lse.max(1, keepdims=True, initial=-1e30))[..., None]
    total = np.maximum(weights.sum(1), 1e-30)
    return ((partial * weights).sum(1) / total,
            (np.abs(partial) * weights).sum(1) / total)


def placed(memory, arrays, written):
    return [memory.add(a.reshape(-1).view(np.uint8), False, written)
            for a in arrays]


def merge(programs, B, P, H, seed):
    """What is wrong, or nothing."""
    partial, lse = splits_of(np.random.default_rng(seed), B, P, H)
    y = np.full((B, H, DEPTH), UNTOUCHED, np.uint16)
    memory = Memory()
    arguments = placed(memory, (partial, lse), False) + placed(memory, (y,), True)
    try:
        programs[P > FEW].run(arguments + [B, P, H, B], memory, H * B, 0, seed)
    except Fault as fault:
        return str(fault)
    mean, size = merged(partial, lse)
    return "" if near(y, mean, 1e-5 * size) else "a mean is off"


def step(programs, P, H, G, T, pos, seed):
    """What is wrong, or nothing."""
    rng = np.random.default_rng(seed)
    partial, lse = splits_of(rng, 1, P, H)
    k, v = (narrow(rng.standard_normal((G, DEPTH))) for _ in "kv")
    gain = narrow(1 + rng.standard_normal(DEPTH) / 4)
    angle = rng.standard_normal((T, DEPTH // 2))
    cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
    caches = [np.full((G, T, DEPTH), UNTOUCHED, np.uint16) for _ in "kv"]
    y = np.full((H, DEPTH), UNTOUCHED, np.uint16)
    memory = Memory()
    arguments = placed(memory, (partial, lse, k, v, np.array([pos], np.int32), gain,
                                cos, sin), False)
    arguments += placed(memory, (*caches, y), True)
    arguments += [int(EPS.view(np.uint32)), P, H, G, T]
    try:
        programs[P > FEW].run(arguments, memory, H + G, 0, seed)
    except Fault as fault:
        return str(fault)
    mean, size = merged(partial, lse)
    if not near(y, mean[0], 1e-5 * size[0]):
        return "a mean is off"
    row = min(max(pos, 0), T - 1)
    others = [row] if pos == row else []
    if any((np.delete(cache, others, 1) != UNTOUCHED).any() for cache in caches):
        return "another row of a cache is written"
    if pos != row:
        return ""
    if not (caches[1][:, row] == v).all():
        return "the new value is not in its cache"
    key = head(k, gain, cos[row].astype(np.float64), sin[row].astype(np.float64))
    return "" if near(caches[0][:, row], key, 1e-6) else "the new key is wrong"


def programs_of(tool, kernel):
    done = subprocess.run([tool, kernel, "--dump=ptx"], capture_output=True,
                          text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [Program(text) for text in variants(done.stdout, HEAD)]


#: Splits at the borders of what is on its way together, in both variants.
SPLITS = (0, 1, 7, 8, 9, 15, 16, 17, 33)


def main(tool, kernel, of_step):
    source, failures, count = random.Random(11), 0, 0
    few = lambda: source.randint(1, 5)
    rows = lambda t: source.choice([0, t - 1, source.randrange(t), -1, t,
                                    2**31 - 1, -2**31])
    cases = [(merge, programs_of(tool, kernel), (few(), p, few()))
             for p in SPLITS]
    programs = programs_of(tool, of_step)
    for p in SPLITS * 2:
        t = source.randint(1, 40)
        cases.append((step, programs, (p, few(), source.randint(0, 3), t, rows(t))))
    cases.append((step, programs, (3, 0, 2, 9, 4))) # the caches alone
    for seed, (launch, some, size) in enumerate(cases):
        count += 1
        if why := launch(some, *size, seed):
            failures += 1
            print(f"{launch.__name__} of {size}: {why}")
    print(f"{count} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
