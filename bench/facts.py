#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What proved facts are worth: shipped kernels compiled with them, without, and
with checks in the kernel in place of proofs, side by side on a GPU.

usage: facts.py --pack BUILD_DIR FOLDER   on the machine with the toolkit
       facts.py FOLDER OUT.json [--seconds=S] [WORK ...]   on one with PyTorch

FOLDER has all that is needed there. The three are interleaved in one process as
in bench.py, on random data behind the L2 cache, and must give the same result.
A ratio is a median time over that with facts: above 1, facts pay.
"""

import contextlib
import ctypes
import datetime
import json
import math
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
MODES = {"facts": [], "no facts": ["--no-facts"],
         "in-kernel checks": ["--in-kernel-checks"]}
OTHERS = [m for m in MODES if m != "facts"]
TOLERANCE = 1e-2  # of results in bf16 whose sums have another order


def works():
    """By kernel: arguments by name, functions that make tensors or scalars and
    symbols as they are; outputs last."""
    import torch
    half = torch.bfloat16

    def normal(*shape, dtype=half):
        return lambda: torch.randn(*shape, device="cuda", dtype=dtype)

    def empty(*shape, dtype=half):
        return lambda: torch.empty(*shape, device="cuda", dtype=dtype)

    def indices(count, below):
        return lambda: torch.randint(below, (count,), device="cuda",
                                     dtype=torch.int32)

    n, single = 4096, torch.float32
    a, b, c = normal(n, n), normal(n, n), empty(n, n)
    heads = dict(q=normal(n, 32, 128), k=normal(8, n, 128),
                 v=normal(8, n, 128), y=empty(n, 32, 128), scale=0.0884)
    rows = dict(x=normal(16384, 4096), y=empty(16384, 4096))
    wide = 1 << 26
    return {
        "gemm": dict(a=a, b=b, c=empty(n, n, dtype=single)),
        "gemm_persistent": dict(a=a, b=b, c=empty(n, n, dtype=single), P=128),
        "gemm_grouped_order": dict(a=a, b=b, c=c),
        "gemm_swizzled": dict(a=a, b=b, c=c, G=8),
        "gemm_batched": dict(a=normal(32, 1024, 1024), b=normal(32, 1024, 1024),
                             c=empty(32, 1024, 1024)),
        "gemm_moe_gather": dict(
            a=normal(4096, 2048), ids=indices(8192, 4096),
            experts=indices(64, 8), w=normal(8, 2048, 1024),
            c=empty(8192, 1024)),
        "lm_head_argmax": dict(
            weights=normal(152064, 2048), hidden=normal(16, 2048),
            index=empty(16, 1188, dtype=torch.int32),
            max=empty(16, 1188, dtype=single)),
        "attention_causal": dict(
            q=normal(2, 16, n, 128), k=normal(2, 16, n, 128),
            v=normal(2, 16, n, 128), y=empty(2, 16, n, 128), scale=0.0884),
        "attention_prefill_gqa": dict(heads, R=4, pos=0),
        "attention_decode_gqa_split": dict(
            q=normal(8, 8, 4, 128), k=normal(8, 8, 8192, 128),
            v=normal(8, 8, 8192, 128),
            lse=empty(8, 16, 8, 4, dtype=single),
            partial=empty(8, 16, 8, 4, 128, dtype=single), scale=0.0884,
            L=8192),
        "attention_merge": dict(
            partial=normal(1024, 16, 32, 128, dtype=single),
            lse=normal(1024, 16, 32, dtype=single), y=empty(1024, 32, 128)),
        "add": dict(x=normal(wide, dtype=single), y=normal(wide, dtype=single),
                    z=empty(wide, dtype=single)),
        "softmax": dict(x=normal(8192, 8192, dtype=single),
                        y=empty(8192, 8192, dtype=single)),
        "rms_norm": dict(x=rows["x"], weight=normal(4096), y=rows["y"],
                         eps=1e-6),
        "add_rms_norm": dict(x=rows["x"], residual=rows["x"],
                             weight=normal(4096), sum=rows["y"], y=rows["y"],
                             eps=1e-6),
        "silu_mul": dict(x=normal(8192, 16384), y=empty(8192, 8192)),
        "rope": dict(x=normal(16384, 32, 128),
                     cos=normal(16384, 64, dtype=single),
                     sin=normal(16384, 64, dtype=single),
                     y=empty(16384, 32, 128), pos=0),
        "qk_norm": dict(q=normal(16384, 32, 128), k=normal(16384, 8, 128),
                        q_weight=normal(128), k_weight=normal(128),
                        k_out=empty(16384, 8, 128), q_out=empty(16384, 32, 128),
                        eps=1e-6),
        "embedding_batch": dict(ids=indices(32768, 151936),
                                table=normal(151936, 2048),
                                y=empty(32768, 2048)),
        "transpose": dict(x=normal(8192, 8192, dtype=single),
                          y=empty(8192, 8192, dtype=single)),
        "permute_heads": dict(x=normal(4, 4096, 32, 128),
                              y=empty(4, 32, 4096, 128)),
    }


@contextlib.contextmanager
def packing(build, folder):
    """Makes FOLDER of the runtime and what is put into the folder given."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    library = folder / "libgirih_runtime.so"
    shutil.copy2(build / "lib/libgirih_runtime.so", library)
    subprocess.run(["strip", "--strip-unneeded", library], check=True)
    with tempfile.TemporaryDirectory() as made:
        yield pathlib.Path(made)
        with tarfile.open(folder / "artefacts.tar.xz", "w:xz") as tar:
            tar.add(made, "artefacts")
    size = sum(f.stat().st_size for f in folder.iterdir())
    print(f"{folder}: {size / 2**20:.1f} MiB")


def unpack(folder):
    """The folder of what was packed, on the machine with the GPU."""
    with tarfile.open(folder / "artefacts.tar.xz") as tar:
        tar.extractall(folder)
    # By its name from now on.
    ctypes.CDLL(str(folder / "libgirih_runtime.so"))
    return folder / "artefacts"


def compile_kernel(build, kernel, folder, options=()):
    subprocess.run([build / "bin/tile-compile",
                    ROOT / f"proofs/kernels/{kernel}/{kernel}.mlir",
                    "--arch=sm_90", *options, "-o", folder], check=True)


def pack(build, folder):
    with packing(build, folder) as made:
        for kernel in KERNELS:
            for mode, options in MODES.items():
                compile_kernel(build, kernel, made / mode / kernel, options)


# What `works` has, for the machine without PyTorch.
KERNELS = ["gemm", "gemm_persistent", "gemm_grouped_order", "gemm_swizzled",
           "gemm_batched", "gemm_moe_gather", "lm_head_argmax",
           "attention_causal", "attention_prefill_gqa",
           "attention_decode_gqa_split", "attention_merge", "add", "softmax",
           "rms_norm", "add_rms_norm", "silu_mul", "rope", "qk_norm",
           "embedding_batch", "transpose", "permute_heads"]


def work_of(kernel, arguments, artefacts):
    """As bench.py measures it; expected is what the code with facts gives."""
    import bench
    import girih
    import torch
    tensors = {k: v for k, v in arguments.items() if callable(v)}
    others = {k: v for k, v in arguments.items() if not callable(v)}

    def ready(mode):
        loaded = girih.load(artefacts / mode / kernel)

        def call(values):
            # What `works` draws is within what is given.
            named = {k: girih.vouched(v) if k in ("ids", "experts") else v
                     for k, v in zip(tensors, values)}
            launch = loaded.prepare(**named, **others)
            stream = torch.cuda.current_stream().cuda_stream
            return lambda: launch(stream)
        return call

    calls = {mode: ready(mode) for mode in MODES}

    def expected(values):
        values[-1].fill_(0)
        calls["facts"](values)()
        return values[-1].clone()

    return bench.Work(
        "calls/s", bench.rotating(lambda: tuple(t() for t in tensors.values())),
        {f"girih {mode}": (1, call) for mode, call in calls.items()}, expected,
        TOLERANCE)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def measure(folder, out, seconds, names):
    import torch
    artefacts = unpack(folder)  # the library, which girih looks for
    sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "runtime/python")]
    import bench
    torch.manual_seed(1)
    result = {
        "command": "bench/facts.py FOLDER " + " ".join(
            [out.name, f"--seconds={seconds:g}", *names]),
        "date": datetime.date.today().isoformat(),
        "machine": torch.cuda.get_device_properties(0).name,
        "compiler": json.loads((artefacts / "facts/gemm/manifest.json")
                               .read_text())["producer"],
        "rounds": bench.ROUNDS, "kernels": {}, "wrong": {}}
    all_works = works()
    for kernel in names or KERNELS:
        work = work_of(kernel, all_works[kernel], artefacts)
        _, wrong = bench.check(work)
        if wrong:
            result["wrong"][kernel] = wrong
            print(f"{kernel}: {wrong}", flush=True)
            continue
        times = {name.removeprefix("girih "): values for name, values in
                 bench.measure(work, seconds).items()}
        median = {m: bench.percentile(v, 0.5) for m, v in times.items()}
        row = {"microseconds": {
            mode: {"median": round(median[mode], 3),
                   "low": round(bench.percentile(values, 0.1), 3),
                   "high": round(bench.percentile(values, 0.9), 3)}
            for mode, values in times.items()},
            "ratios": {mode: round(median[mode] / median["facts"], 4)
                       for mode in OTHERS}}
        result["kernels"][kernel] = row
        print(f"{kernel:28} {median['facts']:10.2f} us  " + "  ".join(
            f"{row['ratios'][mode]:7.3f} {mode}" for mode in OTHERS),
            flush=True)
        del work
        torch.cuda.empty_cache()
    ratios = {mode: [row["ratios"][mode] for row in
                     result["kernels"].values()] for mode in OTHERS}
    if all(ratios.values()):
        result["geometric_means"] = {
            mode: round(geometric_mean(r), 4) for mode, r in ratios.items()}
        result["lowest"] = {mode: min(r) for mode, r in ratios.items()}
        print(result["geometric_means"], result["lowest"])
    out.write_text(json.dumps(result, indent=1) + "\n")
    return int(bool(result["wrong"]))


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if options == ["--pack"] and len(words) == 2:
        pack(*(pathlib.Path(w).resolve() for w in words))
        return 0
    if len(words) < 2 or any(not o.startswith("--seconds=") for o in options) \
            or any(w not in KERNELS for w in words[2:]):
        sys.exit(__doc__)
    seconds = float(options[-1].split("=")[1]) if options else 6.0
    return measure(pathlib.Path(words[0]).resolve(), pathlib.Path(words[1]),
                   seconds, words[2:])


if __name__ == "__main__":
    sys.exit(main())
