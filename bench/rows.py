#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Softmax and norms by the schedule rows on a GPU, beside a device copy of the
same bytes: each contestant is interleaved with the copy alone, since kernels
that divide a multiprocessor's memory in another way slow each other down.
Results are compared with torch in f64 first, at ragged shapes as well.

usage: rows.py FOLDER OUT.json [--seconds=S]

FOLDER has what `tile-compile --backend=hopper` makes of softmax_by_row,
rms_norm_by_row and add_rms_norm_by_row, and with `.tileir` behind the name what
it makes without. A ratio is the copy's median time over ours: 1 is its rate.
"""

import datetime
import pathlib
import random
import sys

import torch
from torch.nn import functional

import bench

EPS = 1e-6
GOALS = [(16384, 8192), (4096, 4096)]
SEED, DRAWS = 20, 6


def norm(x, weight):
    return functional.rms_norm(x, (x.shape[-1],), weight, EPS)


def add_norm(x, residual, weight):
    both = x + residual
    return both, norm(both, weight)


#: By kernel: what goes in, what comes out, and the same by torch.
KERNELS = {
    "softmax_by_row": (["x"], ["y"], lambda x: (torch.softmax(x, -1),)),
    "rms_norm_by_row": (["x", "weight"], ["y"], lambda x, w: (norm(x, w),)),
    "add_rms_norm_by_row": (["x", "residual", "weight"], ["sum", "y"],
                            add_norm),
}


def made(name, m, n):
    """Tensors in, tensors out."""
    ins, outs, _ = KERNELS[name]
    return ([bench.normal(n, dtype=bench.HALF) if i == "weight" else
             bench.normal(m, n, dtype=bench.HALF) for i in ins],
            [torch.full((m, n), float("nan"), device="cuda", dtype=bench.HALF)
             for _ in outs])


def ready(name, artefact):
    ins, outs, _ = KERNELS[name]
    scalars = {"eps": EPS} if "weight" in ins else {}
    call = bench.girihs(artefact, ins + outs, **scalars)
    return lambda tensors: call(tensors[0] + tensors[1])


def distance(name, call, m, n):
    """The worst of the results, from what f64 gives of the same numbers."""
    inputs, outputs = made(name, m, n)
    call((inputs, outputs))()
    wide = [t.double() for t in inputs]
    if name == "add_rms_norm_by_row":
        both = (inputs[0] + inputs[1]).double()  # is rounded on the way
        wanted = (both, norm(both, wide[2]))
    else:
        wanted = KERNELS[name][2](*wide)
    return max(bench.distance(got, want) for got, want in zip(outputs, wanted))


def copies(tensors):
    inputs, outputs = tensors
    rows = [t for t in inputs if t.dim() == 2]

    def call():
        for source, target in zip(rows, outputs):
            target.copy_(source)
    return call


def measure(call, sets, seconds):
    """Median microseconds of a call, and of the copy beside it."""
    times = bench.interleaved({"copy": [copies(s) for s in sets],
                               "ours": [call(s) for s in sets]}, seconds)
    return [round(bench.percentile(times[who], 0.5), 2)
            for who in ("ours", "copy")]


def case(name, contestants, m, n, seconds):
    sets = [made(name, m, n)]
    size = sum(t.nbytes for t in sets[0][0] + sets[0][1])
    l2 = torch.cuda.get_device_properties(0).L2_cache_size
    sets += [made(name, m, n) for _ in range(max(1, 2 * l2 // size))]
    row = {"kernel": name, "shape": [m, n]}
    for who, call in contestants.items():
        ours, copy = measure(call, sets, seconds)
        row[who] = {"us": ours, "copy_us": copy, "ratio": round(copy / ours, 3)}
    print(row, flush=True)
    return row


def main(folder, out, *options):
    seconds = float(next((o.split("=")[1] for o in options), 0.4))
    folder, draw = pathlib.Path(folder), random.Random(SEED)
    torch.manual_seed(SEED)
    ragged = [(draw.randint(1, 40), 8 * draw.randint(1, 2048))
              for _ in range(40)]
    shapes = GOALS + [(draw.randint(1, 1 << 24) // n + 1, n) for n in
                      (8 * draw.randint(64, 2048) for _ in range(DRAWS))]
    rows, worst = [], 0.0
    for name in KERNELS:
        compiled = torch.compile(KERNELS[name][2], dynamic=False)
        contestants = {
            "rows": ready(name, folder / name),
            "Tile IR": ready(name, folder / (name + ".tileir"))}
        for m, n in ragged + shapes:
            for who, call in contestants.items():
                far = distance(name, call, m, n)
                worst = max(worst, far)
                if not far <= 5e-3:
                    sys.exit(f"{name} by {who} is wrong at {m} x {n}: {far}")
        contestants["torch.compile"] = lambda s: lambda: compiled(*s[0])
        rows += [case(name, contestants, m, n, seconds) for m, n in shapes]
    pathlib.Path(out).write_text(bench.compact({
        "command": "bench/rows.py " + " ".join(["FOLDER", "OUT.json", *options]),
        "date": datetime.date.today().isoformat(),
        "machine": torch.cuda.get_device_name(),
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
        "worst distance": worst, "rows": rows}))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
