#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shipped kernels at drawn sizes beside their aligned neighbours, on a GPU with
PyTorch: where a size costs more than its neighbour is a cliff.

usage: sizes.py ARTEFACTS OUT.json [--seconds=S] [--seed=N] [WORK ...]

Each work has one extent that varies. Sizes are drawn: primes, tiles more or less
one, multiples of 2, 4 and 8, widths of models. The next multiple of 64 is
measured after a size in one process, and of products cuBLAS at both, interleaved; the cost is the
ratio of times over that of the work. Results are compared with the product in
higher precision. Medians over interleaved rounds, buffers beyond the L2 cache.
"""

import datetime
import json
import pathlib
import random
import statistics
import sys

import torch

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bench
from bench import HALF, empty, girihs, normal

WIDTHS = [640, 768, 896, 1536, 2560, 3584, 4864, 5120, 9728, 12288, 13696, 18944]


def product(artefacts, kernel, m, n, k, names="abc", out=torch.float32,
            turned=False):
    """`turned`: of a factor [N, K]."""
    def second(s):
        return s[1].t() if turned else s[1]
    return bench.Work(
        "TFLOP/s", bench.rotating(lambda: (
            normal(m, k, dtype=HALF),
            normal(*((n, k) if turned else (k, n)), dtype=HALF),
            empty(m, n, dtype=out))),
        {"girih": (2 * m * n * k / 1e12, girihs(artefacts / kernel, names)),
         "cuBLAS": (2 * m * n * k / 1e12, lambda s: lambda: torch.mm(
             s[0], second(s), out_dtype=out, out=s[2]))},
        lambda s: s[0].float() @ second(s).float(),
        1e-3 if out == torch.float32 else 5e-3)


def half_product(artefacts, *sizes):
    return product(artefacts, "gemm_bf16", *sizes, out=HALF)


def linear(artefacts, *sizes):
    return product(artefacts, "linear", *sizes, ("x", "weight", "y"), HALF,
                   turned=True)


def rows(artefacts, kernel, names, shapes, dtype, expected, **symbols):
    size = sum(torch.Size(s).numel() for s in shapes) * dtype.itemsize
    return bench.Work(
        "TB/s", bench.rotating(lambda: tuple(
            normal(*s, dtype=dtype) for s in shapes)),
        {"girih": (size / 1e12, girihs(artefacts / kernel, names, **symbols))},
        expected, 1e-2)


def norm(x, weight):
    return torch.nn.functional.rms_norm(x.double(), weight.shape,
                                        weight.double(), 1e-6)


def silu_mul(x):
    gate, up = x.double().chunk(2, -1)
    return torch.nn.functional.silu(gate) * up


# By name: a function from artefacts and the size, and the range of sizes.
WORKS = {
    "gemm, N": (lambda a, n: product(a, "gemm_by_size", 4096, n, 4096),
                256, 8192),
    "gemm, K": (lambda a, n: product(a, "gemm_by_size", 4096, 4096, n),
                256, 8192),
    "gemm, all": (lambda a, n: product(a, "gemm_by_size", n, n, n), 512, 6144),
    "gemm, few rows": (lambda a, n: product(a, "gemm_by_size", 64, n, 4096),
                       1024, 20480),
    "gemm_bf16, N": (lambda a, n: half_product(a, 4096, n, 4096), 256, 8192),
    "gemm_bf16, K": (lambda a, n: half_product(a, 4096, 4096, n), 256, 8192),
    "gemm_bf16, all": (lambda a, n: half_product(a, n, n, n), 512, 6144),
    "linear, N": (lambda a, n: linear(a, 1024, n, 2560), 256, 65536),
    "linear, K": (lambda a, n: linear(a, 1024, 4096, n), 256, 8192),
    "linear, few rows": (lambda a, n: linear(a, 16, n, 2560), 1024, 65536),
    "rms_norm": (lambda a, n: rows(
        a, "rms_norm", ("x", "weight", "y"), [(8192, n), (n,), (8192, n)], HALF,
        lambda s: norm(s[0], s[1]), eps=1e-6), 512, 16384),
    "softmax": (lambda a, n: rows(
        a, "softmax", "xy", [(8192, n), (8192, n)], torch.float32,
        lambda s: torch.softmax(s[0].double(), -1)), 512, 16384),
    "silu_mul": (lambda a, n: rows(
        a, "silu_mul", "xy", [(8192, 2 * n), (8192, n)], HALF,
        lambda s: silu_mul(s[0])), 512, 16384),
    "add": (lambda a, n: rows(
        a, "add", "xyz", [(8192 * n,)] * 3, torch.float32,
        lambda s: s[0].double() + s[1].double()), 512, 16384),
    "transpose": (lambda a, n: rows(
        a, "transpose", "xy", [(8192, n), (n, 8192)], torch.float32,
        lambda s: s[0].T), 512, 16384),
}


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))


def drawn(random, low, high):
    """One size of each kind."""
    def near(step, off=0):
        return random.randrange(low // step + 1, high // step) * step + off
    prime = near(1)
    while not is_prime(prime):
        prime += 1
    return {"prime": prime, "tile + 1": near(128, 1), "tile - 1": near(128, -1),
            "2": near(4, 2), "4": near(8, 4), "8": near(16, 8),
            "width": random.choice([w for w in WIDTHS if low <= w <= high])}


def timed(work, seconds):
    distances, wrong = bench.check(work)
    times = bench.measure(work, seconds)
    torch.cuda.empty_cache()
    return {name: (statistics.median(t), work.contestants[name][0])
            for name, t in times.items()}, wrong


def measure(make, artefacts, size, seconds):
    """A row of the table: microseconds, and costs over the neighbour and over
    cuBLAS."""
    neighbour = -(-size // 64) * 64
    ours, wrong = timed(make(artefacts, size), seconds)
    other, _ = timed(make(artefacts, neighbour), seconds)
    row = {"size": size, "neighbour": neighbour,
           "microseconds": round(ours["girih"][0], 2)}
    if wrong:
        row["wrong"] = wrong

    def rate(of):
        return of[1] / of[0]
    row["cost"] = round(rate(other["girih"]) / rate(ours["girih"]), 3)
    if "cuBLAS" in ours:
        row["over cuBLAS"] = round(rate(ours["girih"]) / rate(ours["cuBLAS"]), 3)
        row["neighbour over cuBLAS"] = round(
            rate(other["girih"]) / rate(other["cuBLAS"]), 3)
    return row


def main():
    options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) < 2 or set(options) - {"seconds", "seed"} or \
            any(w not in WORKS for w in words[2:]):
        sys.exit(__doc__ + "\nWORK is one of: " + "; ".join(WORKS))
    seconds, seed = float(options.get("seconds", 0.2)), int(options.get("seed", 1))
    artefacts, out = pathlib.Path(words[0]), pathlib.Path(words[1])
    torch.manual_seed(seed)
    source = random.Random(seed)
    result = {"command": "bench/sizes.py ARTEFACTS " + " ".join(
                  [out.name, *(a for a in sys.argv[1:] if a.startswith("--")),
                   *words[2:]]),
              "date": datetime.date.today().isoformat(),
              "machine": torch.cuda.get_device_name(),
              "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
              "works": {}}
    for name in words[2:] or WORKS:
        make, low, high = WORKS[name]
        result["works"][name] = table = {}
        for kind, size in drawn(source, low, high).items():
            table[kind] = row = measure(make, artefacts, size, seconds)
            print(name, kind, row, flush=True)
        out.write_text(json.dumps(result, indent=1) + "\n")
    costs = [row["cost"] for t in result["works"].values() for row in t.values()]
    print(f"{sum(c > 2 for c in costs)} of {len(costs)} sizes cost more than "
          f"twice their neighbour")
    return int(any("wrong" in row for t in result["works"].values()
                   for row in t.values()))


if __name__ == "__main__":
    sys.exit(main())
