#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rates of kernels over one of their extents beside a library's, on a GPU with
PyTorch; plot.py draws them.

usage: curves.py ARTEFACTS OUT.json [--seconds=S] [--points=N] [--seed=N]

Extents are drawn, one of the kinds of sizes.py or a multiple of 2 or 4 in each of
as many steps of equal magnitude as there are points, and both contestants measured
as there.
"""

import dataclasses
import datetime
import math
import pathlib
import random
import statistics
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bench
from sizes import KINDS, ROUNDS, extent
from works import WORKS, Launches

# By name: the work, its low end, what is said of it.
FIGURES = {
    "gemm_bf16": (WORKS["gemm_bf16, N"], 256, "4096 x N x 4096 in bf16"),
    # The gate of a layer of Qwen3 4B.
    "linear": (dataclasses.replace(
        WORKS["linear, M"], high=4096,
        symbols=lambda m: {"M": m, "N": 9728, "K": 2560}),
        1, "M rows by a weight of 9728 x 2560 in bf16"),
    "softmax": (WORKS["softmax, N"], 64, "2048 rows of N columns in f32"),
    "rms_norm": (WORKS["rms_norm, N"], 64, "4096 rows of N columns in bf16"),
}


def extents(name, work, low, points, seed):
    source = random.Random(f"{seed} {name}")
    kinds = [*KINDS, "2", "4"]
    step = math.log((work.high + 1) / low) / points
    found = set()
    for number in range(points):
        # The kinds in another order in each turn.
        if number % len(kinds) == 0:
            source.shuffle(kinds)
        begin, end = (round(low * math.exp(step * k)) for k in (number, number + 1))
        found.add(extent(source, kinds[number % len(kinds)], begin,
                         max(begin, end - 1)))
    return sorted(found)


def amount(launches):
    """In T of what the unit counts."""
    s = launches.symbols
    return (2 * s["M"] * s["N"] * s["K"] if "K" in s else launches.bytes) / 1e12


def main():
    options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) != 2 or set(options) - {"seconds", "points", "seed"}:
        sys.exit(__doc__)
    seconds, seed = float(options.get("seconds", 0.03)), int(options.get("seed", 1))
    points = int(options.get("points", 80))
    artefacts, out = pathlib.Path(words[0]), pathlib.Path(words[1])
    torch.manual_seed(seed)
    figures, wrong = {}, []
    for name, (work, low, title) in FIGURES.items():
        rows = []
        for n in extents(name, work, low, points, seed):
            launches = Launches(work, artefacts, n)
            if launches.wrong():
                wrong.append(f"{name} at {n}: {launches.wrong()}")
                continue
            times = bench.interleaved({"ours": launches.calls(),
                                       "library": launches.peers()}, seconds, ROUNDS)
            rows.append([n, *(round(amount(launches) / statistics.median(t) * 1e6, 3)
                              for t in times.values())])
            print(name, rows[-1], flush=True)
            del launches
            torch.cuda.empty_cache()
        figures[name] = {"title": title, "extent": work.extent,
                         "unit": "TFLOP/s" if "K" in work.symbols(1) else "TB/s",
                         "library": work.peer[0], "points": rows}
    result = {"command": "bench/curves.py ARTEFACTS " + " ".join(
                  [out.name, *(a for a in sys.argv[1:] if a.startswith("--"))]),
              "date": datetime.date.today().isoformat(),
              "machine": torch.cuda.get_device_name(),
              "versions": {"torch": torch.__version__, "cuda": torch.version.cuda}}
    out.write_text(bench.compact(result | {"figures": figures}))
    print("\n".join(wrong))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
