#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether the numbers of randn are normal and independent, over seeds, and
depend on seed and position alone. Run on the reference executor.

usage: randn_test.py TILE_EXEC KERNEL_DIR

Every statistic is turned into a number that is about standard normal if the
numbers are; none of them is beyond LIMIT. Seeds are fixed, so the outcome is.
"""

import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

LIMIT = 4.5  # of some hundred statistics; by chance once in a thousand trials
COUNT = 20000
SEEDS = [0, 1, 2, 3, -1, 2**31, 2**32, 2**32 + 1, 2**63 - 1, -(2**63),
         0x123456789ABCDEF, 77]


def draw(tile_exec, folder, name, count, seed, order="sequential"):
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch, "y.npy")
        subprocess.run([tile_exec, pathlib.Path(folder, name, f"{name}.mlir"),
                        f"--order={order}", "--set", f"N={count},seed={seed}",
                        "--output", f"y={out}"], check=True,
                       stdout=subprocess.DEVNULL)
        bits = np.load(out)
    if bits.dtype == np.uint16:  # bf16
        return (bits.astype(np.uint32) << 16).view(np.float32)
    return bits


def moments(x):
    """The first four moments, each beside its deviation for normal numbers."""
    n = len(x)
    for power, mean, variance in ((1, 0, 1), (2, 1, 2), (3, 0, 15),
                                  (4, 3, 96)):
        yield (np.mean(x**power) - mean) / math.sqrt(variance / n)


def kolmogorov(x):
    """Distance of the distribution function from the normal one, as the normal
    number that is as unlikely."""
    x = np.sort(x)
    n = len(x)
    wanted = np.array([0.5 * math.erfc(-v / math.sqrt(2)) for v in x])
    steps = np.arange(n)
    distance = max(np.max(wanted - steps / n), np.max((steps + 1) / n - wanted))
    t = distance * (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n))
    chance = 2 * sum((-1) ** (k - 1) * math.exp(-2 * k * k * t * t)
                     for k in range(1, 100))
    # Half of it on either side: the deviation by bisection.
    low, high = 0.0, 40.0
    for _ in range(100):
        middle = (low + high) / 2
        above = math.erfc(middle / math.sqrt(2)) > min(max(chance, 0), 1)
        low, high = (middle, high) if above else (low, middle)
    return low


def correlation(x, y):
    return np.mean(x * y) * math.sqrt(len(x))


def tails(x):
    """How often numbers are beyond 3: not more seldom, not more often."""
    chance = math.erfc(3 / math.sqrt(2))
    seen = np.count_nonzero(np.abs(x) > 3)
    return ((seen - len(x) * chance) /
            math.sqrt(len(x) * chance * (1 - chance)))


def main(tile_exec, folder):
    failures, statistics = [], 0

    def check(holds, text):
        if not holds:
            failures.append(text)

    def judge(value, text):
        nonlocal statistics
        statistics += 1
        check(abs(value) <= LIMIT, f"{text}: {value:.2f} deviations")

    drawn = {}
    for seed in SEEDS:
        x = draw(tile_exec, folder, "randn", COUNT, seed).astype(np.float64)
        check(np.isfinite(x).all(), f"seed {seed}: not all are finite")
        for power, value in enumerate(moments(x), 1):
            judge(value, f"seed {seed}: moment {power}")
        judge(kolmogorov(x), f"seed {seed}: distribution")
        judge(tails(x), f"seed {seed}: tails")
        for lag in (1, 2, 4, 32, 1024):
            judge(correlation(x[lag:], x[:-lag]), f"seed {seed}: lag {lag}")
            judge(correlation(x[lag:]**2 - 1, x[:-lag]**2 - 1) / 2,
                  f"seed {seed}: squares at lag {lag}")
        drawn[seed] = x
    for one, other in zip(SEEDS, SEEDS[1:]):
        judge(correlation(drawn[one], drawn[other]), f"seeds {one}, {other}")
    everything = np.concatenate(list(drawn.values()))
    judge(kolmogorov(everything), "all seeds: distribution")
    check(len(np.unique(everything)) > 0.99 * len(everything),
          "numbers come again")

    # Position and seed alone, whatever the size and the order of blocks.
    for count, order in ((1, "sequential"), (1500, "reverse"),
                         (5000, "interleaved")):
        again = draw(tile_exec, folder, "randn", count, 77, order)
        check(np.array_equal(again, drawn[77][:count].astype(np.float32)),
              f"N = {count} draws other numbers")
    # The narrow ones are the same numbers, rounded.
    for name, digits in (("randn_bf16", 8), ("randn_f16", 11)):
        narrow = draw(tile_exec, folder, name, 3000, 77).astype(np.float64)
        off = np.abs(narrow - drawn[77][:3000])
        check((off <= np.abs(drawn[77][:3000]) * 2.0**-digits + 2.0**-24).all(),
              f"{name} is not randn rounded")

    # The statistics see a distribution that is a little off.
    x = drawn[77]
    check(kolmogorov(np.clip(x, -1.8, 1.8)) > LIMIT, "a cut is not seen")
    check(abs(list(moments(x * 1.05))[1]) > LIMIT, "a factor is not seen")
    check(abs(correlation(x[1:] + 0.1 * x[:-1], x[:-1])) > LIMIT,
          "a correlation is not seen")
    for failure in failures:
        print("FAIL:", failure)
    print(f"{statistics} statistics, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
