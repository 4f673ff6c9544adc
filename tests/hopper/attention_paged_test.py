#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule attention_split of kernels whose caches stand in pages,
run and compared with NumPy: at the borders of a warp's keys, of pages and of
trips, with splits that have no keys, of one query and of both eights, and at drawn
sizes, each sequence with a length of its own and pages in any order. NaN is what
stands behind a length and in pages of nobody. Numbers that name no page, which the
contract forbids, are not followed, and lengths beyond the table end with it.

  attention_paged_test.py TILE_COMPILE PAGED.mlir PAGED_WHOLE.mlir
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

from attention_split_test import wanted
from attention_test import DEPTH, SCALE, UNTOUCHED, near
from machine import Fault, Memory, Program
from rows_test import narrow, wide

PAGE = 64


def drawn(rng, B, G, R, N, M, lengths):
    """Queries, caches in pages, the table, and the caches as they are meant."""
    q = narrow(rng.standard_normal((B, G, R, DEPTH)))
    pages = [np.full((N, PAGE, G, DEPTH), UNTOUCHED, np.uint16) for _ in "kv"]
    table = np.zeros((B, M), np.int32)
    free = list(rng.permutation(N))
    rows = [narrow(rng.standard_normal((B, G, M * PAGE, DEPTH))) for _ in "kv"]
    for b, length in enumerate(lengths):
        for j in range(-(-length // PAGE)):
            table[b, j] = free.pop()
            some = min(length - j * PAGE, PAGE)
            for of, all_rows in zip(pages, rows):
                there = all_rows[b, :, j * PAGE:j * PAGE + some]
                of[table[b, j], :some] = there.swapaxes(0, 1)
    return q, pages, table, rows


def run(program, q, pages, table, lengths, P, seed, scale=SCALE):
    """Means and logarithms of weights as bits, or bits of means rounded."""
    B, G, R, _ = q.shape
    N, M = pages[0].shape[0], table.shape[1]
    if P:
        results = [np.full((B, P, G, R, DEPTH), 0xFFFFFFFF, np.uint32),
                   np.full((B, P, G, R), 0xFFFFFFFF, np.uint32)]
    else:
        results = [np.full((B, G, R, DEPTH), UNTOUCHED, np.uint16)]
    memory = Memory()
    place = lambda array, early, written: memory.add(
        array.reshape(-1).view(np.uint8), early, written)
    arguments = [place(a, False, False) for a in (q, *pages)]
    arguments += [place(np.array(a, np.int32), True, False)
                  for a in (table, lengths)]
    arguments += [place(a, False, True) for a in results]
    arguments += [int(scale.view(np.uint32)), B, G, R, N, M]
    arguments += [P, G, B] if P else [B]
    program.run(arguments, memory, (P or 1) * G * B, 232448, seed)
    return results


def launch(program, G, R, lengths, P, seed):
    """What is wrong, or nothing. P splits, 0: the kernel of one."""
    rng = np.random.default_rng(seed)
    B = len(lengths)
    M = max(-(-length // PAGE) for length in lengths) + int(rng.integers(2))
    N = sum(-(-length // PAGE) for length in lengths) + int(rng.integers(2))
    q, pages, table, rows = drawn(rng, B, G, R, N, M, lengths)
    # A scale below 0, as if queries had the other sign: the largest product is
    # not the largest score then.
    sign = -1 if seed % 2 else 1
    try:
        results = run(program, q ^ 0x8000 if sign < 0 else q, pages, table,
                      lengths, P, seed, np.float32(sign) * SCALE)
    except Fault as fault:
        return str(fault)
    for b, length in enumerate(lengths):
        mean, weight = wanted(q[b:b + 1], *(r[b:b + 1] for r in rows), length,
                              P or 1, PAGE)
        if P == 0:
            if not near(results[0][b], mean[0, 0], 0.02):
                return "a mean is wrong"
            continue
        # Weights are rounded to bf16; a mean is of values of about 1.
        off = np.abs(wide(results[0][b]) - mean[0]).max(initial=0)
        if not off <= 0.02:
            return f"a mean is off by {off:.3g}"
        got = wide(results[1][b])
        with np.errstate(invalid="ignore"):
            good = np.abs(got - weight[0]) <= 2e-5
        if not (good | (got == weight[0])).all():
            return "the logarithm of a weight is wrong"
    return ""


def forged(program, P, seed):
    """A table and lengths that break the contract: nothing outside is touched."""
    rng = np.random.default_rng(seed)
    lengths = [130, 64, 1]
    q, pages, table, _ = drawn(rng, 3, 1, 4, 6, 3, lengths)
    for entry, length in ((6, 130), (-1, 130), (-2**31, 192), (2**31 - 1, 193),
                          (0, 2**31 - 1), (5, -1), (5, -2**31)):
        table[0, 1], lengths[0] = entry, length
        try:
            run(program, q, pages, table, lengths, P, seed)
        except Fault as fault:
            return f"page {entry}, length {length}: {fault}"
    return ""


def sizes(source):
    """G, R and a length for each sequence."""
    fixed = [(1, 1, [0]), (2, 4, [0, 5]), (1, 1, [1]), (1, 3, [17, 64]),
             (1, 8, [63, 65]), (2, 5, [127, 128]), (1, 2, [129]), (1, 7, [255]),
             (1, 8, [256, 0, 257]), (2, 6, [513]), (1, 9, [129, 40]),
             (1, 16, [300]), (2, 12, [541]), (1, 16, [0, 64])]
    more = [(source.randint(1, 3), source.randint(1, 16),
             [source.randint(0, 300) for _ in range(source.randint(1, 2))])
            for _ in range(4)]
    return fixed + more


def first_of(kernel, folder):
    """The first kernel of a list in a file of its own: the others are not of the
    schedule."""
    head, *kernels = pathlib.Path(kernel).read_text().split("tile.kernel ")
    head = re.sub(r"tile\.variants .*\n", "", head)
    path = pathlib.Path(folder, pathlib.Path(kernel).name)
    path.write_text(head + "tile.kernel " + kernels[0])
    return path


def ptx_of(tool, kernel):
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([tool, first_of(kernel, folder), "--dump=ptx"],
                              capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout


def main(tool, paged, whole):
    source, failures, count = random.Random(7), 0, 0
    for kernel, splits in ((paged, (1, 2, 3, 5)), (whole, (0,))):
        program = Program(ptx_of(tool, kernel))
        # In one split all is alike but for the result.
        for seed, size in enumerate(sizes(source)[::1 if splits[0] else 3]):
            P = source.choice(splits)
            count += 1
            if why := launch(program, *size, P, seed):
                failures += 1
                print(f"G, R, lengths, P = {size}, {P}: {why}")
        count += 1
        if why := forged(program, splits[0], 3):
            failures += 1
            print(f"forged: {why}")
    print(f"{count} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
