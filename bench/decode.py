#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The products of decode on a GPU, a matrix with a vector each: plain, with a
residual, of a norm, and of a norm with SiLU of gate and up; beside cuBLAS, and
each fused one beside the plain one of the same matrix. Results are compared
with torch in f64 first, at drawn sizes as well.

usage: decode.py FOLDER OUT.json [--seconds=S] [--programs=P]

FOLDER has what `tile-compile --backend=hopper` makes of gemv_by_depth, gemv_add,
gemv_norm and gemv_norm_silu. A share is of LIMIT, what bulk copies read.
"""

import datetime
import pathlib
import random
import sys

import torch

import bench

LIMIT = 4.68e12  # bytes a second
EPS = 1e-6
SEED, DRAWS = 20, 40
#: Rows and columns of matrices of Qwen3-4B and 32B, and the goal.
PLAIN = [((2560, 4096), 0.60), ((6144, 2560), 0.69), ((2560, 9728), 0.77),
         ((19456, 2560), 0.85), ((5120, 25600), 0.93), ((51200, 5120), 0.96),
         ((151936, 2560), 0.97), ((800000, 2560), 1)]
FUSED = {"gemv_add": [(2560, 4096), (2560, 9728), (5120, 8192)],
         "gemv_norm": [(6144, 2560), (10240, 5120), (151936, 2560)],
         "gemv_norm_silu": [(9728, 2560), (25600, 5120)]}


def norm(x, gain):
    scaled = (x.float() * gain.float()).to(bench.HALF).double()
    return scaled * (x.double().square().mean() + EPS).rsqrt()


def silu(w, x, gain):
    gate, up = w.double() @ norm(x, gain)
    return gate / (1 + (-gate).exp()) * up


#: By kernel: what goes in beside w and x; in f64.
KERNELS = {
    "gemv_by_depth": ([], lambda w, x: w.double() @ x.double()),
    "gemv_add": (["residual"], lambda w, x, r: w.double() @ x.double() + r),
    "gemv_norm": (["gain"], lambda w, x, g: w.double() @ norm(x, g)),
    "gemv_norm_silu": (["gain"], silu),
}


def made(name, n, k):
    both = (2,) if name == "gemv_norm_silu" else ()
    w = torch.randn(*both, n, k, device="cuda", dtype=bench.HALF) / k ** 0.5
    other = {"residual": n, "gain": k}
    return [w, bench.normal(k, dtype=bench.HALF),
            *(bench.normal(other[i], dtype=bench.HALF)
              for i in KERNELS[name][0]),
            torch.full((n,), float("nan"), device="cuda", dtype=bench.HALF)]


def ready(folder, name, programs):
    names = ["w", "x", *KERNELS[name][0], "y"]
    scalars = {"eps": EPS} if "gain" in names else {}
    return bench.girihs(folder / name, names, P=programs, **scalars)


def compare(folder, name, shapes, programs):
    worst, call = 0.0, ready(folder, name, programs)
    for n, k in shapes:
        tensors = made(name, n, k)
        call(tensors)()
        far = bench.distance(tensors[-1], KERNELS[name][1](*tensors[:-1]))
        worst = max(worst, far)
        if not far <= 5e-3:
            sys.exit(f"{name} is wrong at {n} x {k}: {far}")
    return worst


def case(folder, name, n, k, programs, seconds):
    """Median microseconds of ours, of the plain product of the same matrix where
    ours is another one, and of cuBLAS."""
    rows = n * (2 if name == "gemv_norm_silu" else 1)
    size = 2 * rows * k
    sets = [made(name, n, k) for _ in range(1 + max(1, int(2e8) // size))]
    calls = {name: [ready(folder, name, programs)(s) for s in sets]}
    plain = [[s[0].view(rows, k), s[1],
              torch.empty(rows, device="cuda", dtype=bench.HALF)] for s in sets]
    if name != "gemv_by_depth":
        calls["plain"] = [ready(folder, "gemv_by_depth", programs)(s)
                          for s in plain]
    calls["cuBLAS"] = [lambda s=s: torch.mv(s[0], s[1], out=s[2])
                       for s in plain]
    times = bench.interleaved(calls, seconds, wait=60)
    row = {"kernel": name, "shape": [n, k], "bytes": size,
           **{who: round(bench.percentile(t, 0.5), 2)
              for who, t in times.items()}}
    row["share"] = round(size / row[name] / 1e-6 / LIMIT, 3)
    print(row, flush=True)
    return row


def main(folder, out, *options):
    given = dict(o.removeprefix("--").split("=") for o in options)
    seconds, programs = float(given.get("seconds", 0.4)), int(
        given.get("programs", 264))
    folder, draw = pathlib.Path(folder), random.Random(SEED)
    torch.manual_seed(SEED)
    shapes = [(draw.randint(1, 9000), 8 * draw.randint(1, 1280))
              for _ in range(DRAWS)]
    worst = max(compare(folder, name, shapes, programs) for name in KERNELS)
    rows = []
    for (n, k), goal in PLAIN:
        rows.append(case(folder, "gemv_by_depth", n, k, programs, seconds))
        rows[-1]["goal"] = goal
    for name, wanted in FUSED.items():
        rows += [case(folder, name, n, k, programs, seconds)
                 for n, k in wanted]
    pathlib.Path(out).write_text(bench.compact({
        "command": " ".join(["bench/decode.py FOLDER OUT.json", *options]),
        "date": datetime.date.today().isoformat(),
        "machine": torch.cuda.get_device_name(),
        "versions": {"torch": torch.__version__, "cuda": torch.version.cuda},
        "limit": LIMIT, "worst distance": worst, "rows": rows}))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
