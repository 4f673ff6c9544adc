#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a shipped kernel takes to compile, the assembler left out.

compile_times.py BIN_DIR [--save] [--check]

By kernel, in milliseconds, the least of several, because the machine may be
busy: a cold process from the kernel to its bytecode, what the processor spent on
it, and within one process the steps: to verify (with stored certificates), to
lower, to write, to read back, to find a cubin of 200 kB in the cache. --save
writes bench/results/compile_times.json. --check is for the GEMM alone and fails
above three times what is wanted of a quiet machine: 150 ms of the processor for
the process, 60 ms for all of it but the verification, 1 ms for the cache.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

import record

ROOT = record.ROOT
PROCESSES = 9
WANTED = {"processor": 150, "processor but verify": 60, "cached": 1}
ROOM = 3


def cold(binaries, kernel):
    """Milliseconds of a process that compiles up to the assembler, and those of
    the processor."""
    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    times, processor = [], []
    for _ in range(PROCESSES):
        begin, before = time.perf_counter(), spent()
        subprocess.run([binaries / "tile-compile", kernel, "--allow-trust",
                        "--arch=sm_100", "--dump=bytecode"], check=True,
                       stdout=subprocess.DEVNULL)
        times.append(1e3 * (time.perf_counter() - begin))
        processor.append(1e3 * (spent() - before))
    return round(min(times), 1), round(min(processor), 1)


def measure(binaries, kernel):
    with tempfile.TemporaryDirectory() as folder:
        steps = json.loads(subprocess.run(
            [binaries / "compile_times", kernel, folder], check=True,
            capture_output=True, text=True).stdout)
    process, processor = cold(binaries, kernel)
    steps = {name: round(us / 1e3, 3) for name, us in steps.items()}
    return {"process": process, "processor": processor,
            "processor but verify": round(processor - steps["verify"], 1),
            **steps}


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) != 1 or not set(options) <= {"--save", "--check"}:
        sys.exit(__doc__)
    binaries = pathlib.Path(words[0]).resolve()
    pattern = "gemm/gemm.mlir" if "--check" in options else "*/*.mlir"
    rows = {}
    for kernel in sorted((ROOT / "proofs/kernels").glob(pattern)):
        rows[kernel.stem] = measure(binaries, kernel)
        print(kernel.stem, rows[kernel.stem], flush=True)
    if "--save" in options:
        record.save("compile_times",
                    "bench/compile_times.py build/default/bin --save",
                    {"processes": PROCESSES, "milliseconds": rows})
    return int("--check" in options and
               any(rows["gemm"][k] > ROOM * most
                   for k, most in WANTED.items()))


if __name__ == "__main__":
    sys.exit(main())
