#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one element more costs: kernels of the library at drawn extents n and
n + 1, on a GPU with PyTorch.

usage: sizes.py ARTEFACTS OUT.json [--seconds=S] [--draws=N] [--seed=N]
                [WORK ...]

A work is a kernel with the extent that varies (works.py). Of each, extents are
drawn evenly by magnitude: any, primes, tiles and tiles more or less one, other
multiples of 8 and of 64, widths of models. n, n + 1, the next multiple of 64 and
cuBLAS at n and n + 1 are interleaved in one process, on buffers beyond the L2
cache, after the results of both were compared with those of higher precision.
Times are medians; the GPU waits WAIT microseconds a call while the host queues,
enough for launches that copy rows. A cost is a ratio of times over that of the
bytes of all tensors: of n + 1 over n, and of n + 1 over the multiple of 64.
"""

import datetime
import math
import pathlib
import random
import statistics
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bench
from works import WORKS, Launches

WIDTHS = [64, 128, 256, 512, 640, 768, 896, 1024, 1536, 2048, 2560, 3584, 4096,
          4864, 5120, 8192, 9728, 12288, 13696, 18944, 25600, 32000, 50256, 128256]
KINDS = ["any", "prime", "tile - 1", "tile", "tile + 1", "8", "64", "width"]
ROUNDS = 10
WAIT = 200
TWICE = 2


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def extent(source, kind, low, high):
    """One of a kind, or the nearest that there is between low and high."""
    n = round(math.exp(source.uniform(math.log(low), math.log(high))))
    if kind == "prime":
        return next((p for p in range(n, high + 1) if is_prime(p)), n)
    if kind == "width":
        n = min(WIDTHS, key=lambda w: (not low <= w <= high, abs(w - n)))
    else:
        step, off = {"any": (1, 0), "tile - 1": (128, -1), "tile": (128, 0),
                     "tile + 1": (128, 1), "2": (2, 0), "4": (4, 0), "8": (8, 0),
                     "64": (64, 0)}[kind]
        n = max(1, round(n / step)) * step + off
    return min(max(low, n), high)


def drawn(name, draws, seed):
    """Kinds and extents of a work, each kind once before one comes again."""
    source = random.Random(f"{seed} {name}")
    work = WORKS[name]
    found = {}
    while len(found) < draws:
        for kind in source.sample(KINDS, len(KINDS)):
            if len(found) < draws:
                found.setdefault(extent(source, kind, work.low, work.high), kind)
    return [(kind, n) for n, kind in found.items()]


def measured(work, artefacts, n, seconds):
    """A row of the table."""
    even = -(-(n + 1) // 64) * 64
    there = [n, n + 1, *([even] if n + 1 < even <= work.high + 1 else [])]
    launches = {size: Launches(work, artefacts, size) for size in there}
    for size in (n, n + 1):
        wrong = launches[size].wrong()
        if wrong:
            return {"wrong": f"at {size}: {wrong}"}
    calls = {size: of.calls() for size, of in launches.items()}
    library = work.peer and work.peer[0] == "cuBLAS"
    if library:
        calls |= {("cuBLAS", size): launches[size].peers() for size in (n, n + 1)}

    times = {name: statistics.median(t) for name, t in
             bench.interleaved(calls, seconds, ROUNDS, WAIT).items()}

    def cost(less):
        return round(times[n + 1] / times[less] * launches[less].bytes /
                     launches[n + 1].bytes, 3)
    row = {"microseconds": [round(times[n], 2), round(times[n + 1], 2)],
           "cost": cost(n)}
    if even in times:
        row["over 64"] = cost(even)
    if library:
        row["of cuBLAS"] = [round(times["cuBLAS", size] / times[size], 3)
                            for size in (n, n + 1)]
    return row


def main():
    options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) < 2 or set(options) - {"seconds", "draws", "seed"} or \
            any(w not in WORKS for w in words[2:]):
        sys.exit(__doc__ + "\nWORK is one of: " + "; ".join(WORKS))
    seconds, seed = float(options.get("seconds", 0.012)), int(options.get("seed", 1))
    draws = int(options.get("draws", 3))
    artefacts, out = pathlib.Path(words[0]), pathlib.Path(words[1])
    torch.manual_seed(seed)
    pairs = []
    for name in words[2:] or WORKS:
        work = WORKS[name]
        for kind, n in drawn(name, draws, seed):
            pairs.append({"kernel": work.kernel, "extent": work.extent, "n": n,
                          "kind": kind, **measured(work, artefacts, n, seconds)})
            print(pairs[-1], flush=True)
            torch.cuda.empty_cache()
    over = [p for p in pairs if p.get("cost", 0) > TWICE]
    result = {"command": "bench/sizes.py ARTEFACTS " + " ".join(
                  [out.name, *(a for a in sys.argv[1:] if a.startswith("--")),
                   *words[2:]]),
              "date": datetime.date.today().isoformat(),
              "machine": torch.cuda.get_device_name(),
              "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
              "share above twice": round(len(over) / len(pairs), 4),
              "pairs": pairs}
    out.write_text(bench.compact(result))
    print(f"{len(over)} of {len(pairs)} pairs cost more than twice "
          f"({len(over) / len(pairs):.1%})")
    return int(any("wrong" in p for p in pairs))


if __name__ == "__main__":
    sys.exit(main())
