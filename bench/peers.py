#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Shipped kernels beside the fastest of their peers at the shapes of language
models and at drawn ones, on a GPU with PyTorch.

usage: peers.py ARTEFACTS OUT.json [--seconds=S] [--seed=N] [WORK ...]

Peers: cuBLAS for products, of experts after a gather also by torch's grouped_mm;
flash, cuDNN's and the memory-efficient attention of torch; torch and
torch.compile for the rest; the ratio is over the fastest. A device copy of as
many bytes stands beside those that only move data. Beside the listed shapes half
as many, at least four, are drawn with the seed: of products multiples of 8, but
for those named odd; of others also primes and tiles more or less one. All
contestants of a shape are interleaved in one process, on random normal data and
buffers beyond the L2 cache; one output of each is compared with one of higher
precision first, and a peer that is far off is none. Medians; where a call of a
peer takes its host longer than the GPU, that is what is measured.
"""

import datetime
import json
import math
import pathlib
import random
import statistics
import sys

import torch
from torch.nn import functional

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import bench
import peers_attention
import peers_products
from bench import HALF, empty, girihs, normal
from contest import both, drawn, empty_half, half, work

EPS = 1e-6
POSITION = 100


def softmax(artefacts, m, n):
    return work(
        "TB/s", 8 * m * n / 1e12, lambda: (normal(m, n), empty(m, n)),
        girihs(artefacts / "softmax", "xy"),
        both(lambda x, y: torch.softmax(x, -1)),
        lambda s: torch.softmax(s[0].double(), -1), 1e-6, (0, 1))


def normed(x, weight):
    return functional.rms_norm(x, (x.shape[-1],), weight, EPS)


def rms_norm(artefacts, m, n):
    return work(
        "TB/s", 4 * m * n / 1e12,
        lambda: (half(m, n), half(n), empty_half(m, n)),
        girihs(artefacts / "rms_norm", ("x", "weight", "y"), eps=EPS),
        both(lambda x, weight, y: normed(x, weight)),
        lambda s: normed(s[0].double(), s[1].double()), 5e-3, (0, 2))


def add_rms_norm(artefacts, m, n):
    def function(x, residual, weight, *_):
        both = x + residual
        return normed(both, weight), both
    peers = {name: (lambda s, ready=ready: lambda: ready(s)()[0])
             for name, ready in both(function).items()}
    return work(
        "TB/s", 8 * m * n / 1e12,
        lambda: (half(m, n), half(m, n), half(n), empty_half(m, n),
                 empty_half(m, n)),
        girihs(artefacts / "add_rms_norm",
               ("x", "residual", "weight", "sum", "y"), eps=EPS), peers,
        lambda s: normed((s[0] + s[1]).double(), s[2].double()), 5e-3)


def qk_norm(artefacts, positions, heads):
    def function(q, k, q_weight, k_weight, *_):
        return normed(q, q_weight), normed(k, k_weight)
    peers = {name: (lambda s, ready=ready: lambda: ready(s)()[1])
             for name, ready in both(function).items()}
    return work(
        "TB/s", 4 * positions * (heads + 8) * 128 / 1e12,
        lambda: (half(positions, heads, 128), half(positions, 8, 128), half(128),
                 half(128), empty_half(positions, heads, 128),
                 empty_half(positions, 8, 128)),
        girihs(artefacts / "qk_norm",
               ("q", "k", "q_weight", "k_weight", "q_out", "k_out"), eps=EPS),
        peers, lambda s: normed(s[1].double(), s[3].double()), 5e-3)


def turned(x, cosine, sine):
    low, high = x.chunk(2, -1)
    return torch.cat((low * cosine - high * sine, high * cosine + low * sine), -1)


def angles(table, positions):
    return table[POSITION:POSITION + positions].unsqueeze(1)


def rope(artefacts, positions, heads):
    def function(x, cosine, sine, *_):
        return turned(x.float(), angles(cosine, len(x)),
                      angles(sine, len(x))).to(HALF)
    return work(
        "TB/s", 4 * positions * heads * 128 / 1e12,
        lambda: (half(positions, heads, 128), normal(positions + 512, 64),
                 normal(positions + 512, 64),
                 empty_half(positions, heads, 128)),
        girihs(artefacts / "rope", ("x", "cos", "sin", "y"), pos=POSITION),
        both(function), lambda s: function(*s), 5e-3)


def qk_norm_rope_append(artefacts, positions, heads):
    def function(q, k, v, q_weight, k_weight, cosine, sine, k_cache, v_cache, *_):
        c, s = angles(cosine, positions), angles(sine, positions)

        def one(x, weight):
            return turned(normed(x.float(), weight.float()), c, s).to(HALF)
        new = slice(POSITION, POSITION + positions)
        k_cache[:, new] = one(k, k_weight).transpose(0, 1)
        v_cache[:, new] = v.transpose(0, 1)
        return one(q, q_weight)
    length = positions + 512
    return work(
        "TB/s", 4 * positions * (heads + 16) * 128 / 1e12,
        lambda: (half(positions, heads, 128), half(positions, 8, 128),
                 half(positions, 8, 128), half(128), half(128),
                 normal(length, 64), normal(length, 64), half(8, length, 128),
                 half(8, length, 128), empty_half(positions, heads, 128)),
        girihs(artefacts / "qk_norm_rope_append",
               ("q", "k", "v", "q_weight", "k_weight", "cos", "sin", "k_cache",
                "v_cache", "q_out"), pos=POSITION, eps=EPS),
        both(function), lambda s: function(*s), 1e-2)


def silu_mul(artefacts, m, n):
    def function(x, y):
        gate, up = x.chunk(2, -1)
        return (functional.silu(gate.float()) * up.float()).to(HALF)
    return work(
        "TB/s", 6 * m * n / 1e12,
        lambda: (half(m, 2 * n), empty_half(m, n)),
        girihs(artefacts / "silu_mul", "xy"), both(function),
        lambda s: function(s[0].double(), None), 5e-3)


def rows_for(columns, elements):
    return max(1, elements // columns)


def rows(fixed, low, high, elements):
    """Shapes of kernels that work row by row, and how one is drawn."""
    return fixed, lambda source: (
        lambda n: (rows_for(n, elements), n))(drawn(source, low, high))


def heads(fixed):
    return fixed, lambda source: (drawn(source, 500, 8000),
                                  source.choice([16, 32, 40, 64]))


# By name: how it is made, its shapes, how one is drawn, the goal of the ratio.
WORKS = {
    **peers_products.WORKS,
    "softmax": (softmax, *rows([(65536, 1024), (16384, 4096), (16384, 8192),
                                (2048, 32768), (256, 151936)], 100, 160000,
                               1 << 26), 0.95),
    "rms_norm": (rms_norm, *rows([(2048, 2560), (65536, 2560), (2048, 5120),
                                  (65536, 5120)], 100, 16384, 1 << 26), 0.95),
    "add_rms_norm": (add_rms_norm, *rows([(2048, 2560), (65536, 2560),
                                          (2048, 5120), (65536, 5120)],
                                         100, 16384, 1 << 26), 0.95),
    "qk_norm": (qk_norm, *heads([(4096, 32), (4096, 64)]), 0.95),
    "rope": (rope, *heads([(4096, 32), (4096, 64)]), 0.95),
    "qk_norm_rope_append": (qk_norm_rope_append,
                            *heads([(4096, 32), (4096, 64)]), 0.95),
    "silu_mul": (silu_mul, *rows([(4096, 9728), (2048, 25600)], 512, 32768,
                                 1 << 25), 0.95),
    **peers_attention.WORKS,
}


def measured(made, seconds):
    """A row: microseconds of all, the ratio over the faster peer, what is wrong."""
    distances, wrong = bench.check(made)
    for name, far in distances.items():
        if not name.startswith("girih") and not far <= 5 * made.tolerance:
            print(f"{name} computes something else: {far}", flush=True)
            del made.contestants[name]
    times = {name: round(statistics.median(t), 2)
             for name, t in bench.measure(made, seconds).items()}
    if "girih" not in times:
        return {"wrong": wrong}
    peers = [t for name, t in times.items()
             if not name.startswith("girih") and name != "device copy"]
    return {"microseconds": times, "ratio": round(min(peers) / times["girih"], 3),
            **({"wrong": wrong} if wrong else {})}


def mean(ratios):
    return round(math.exp(statistics.fmean(map(math.log, ratios))), 3)


def main():
    options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) < 2 or set(options) - {"seconds", "seed"} or \
            any(w not in WORKS for w in words[2:]):
        sys.exit(__doc__ + "\nWORK is one of: " + "; ".join(WORKS))
    seconds, seed = float(options.get("seconds", 0.15)), int(options.get("seed", 1))
    artefacts, out = pathlib.Path(words[0]), pathlib.Path(words[1])
    torch.manual_seed(seed)
    torch._dynamo.config.recompile_limit = 1000
    result = {"command": "bench/peers.py ARTEFACTS " + " ".join(
                  [out.name, *(a for a in sys.argv[1:] if a.startswith("--")),
                   *words[2:]]),
              "date": datetime.date.today().isoformat(),
              "machine": torch.cuda.get_device_name(),
              "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
              "works": {}}
    wrong = False
    for name in words[2:] or WORKS:
        make, fixed, draw, goal = WORKS[name]
        source = random.Random(f"{seed} {name}")
        shapes = [("listed", s) for s in fixed]
        shapes += [("drawn", draw(source)) for _ in range(max(4, len(fixed) // 2))]
        found = []
        for kind, shape in shapes:
            row = measured(make(artefacts, *shape), seconds)
            found.append({"shape": "x".join(map(str, shape)), "kind": kind, **row})
            wrong |= "wrong" in row
            print(f"{name:20} {found[-1]['shape']:>18} {row.get('ratio')} "
                  f"{row.get('microseconds')} {row.get('wrong', '')}", flush=True)
            torch.cuda.empty_cache()
        ratios = [row["ratio"] for row in found if "ratio" in row]
        result["works"][name] = {"goal": goal, "mean": mean(ratios),
                                 "least": min(ratios), "shapes": found}
        out.write_text(json.dumps(result, indent=1) + "\n")
    return int(wrong)


if __name__ == "__main__":
    sys.exit(main())
