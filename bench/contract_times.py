#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long the launch contract of each shipped kernel takes on the host.

contract_times.py BIN_DIR [KERNEL...] [--save] [--limit=NS]

The kernels are those of the library, or the ones that are named. The launch is
the model stored beside the kernel. --save writes
bench/results/contract_times.json; above the limit the exit code is 1.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import record

ROOT = record.ROOT
BIN = pathlib.Path(sys.argv[1])
NAMED = [a for a in sys.argv[2:] if not a.startswith("--")]
LIMIT = next((float(a.split("=")[1]) for a in sys.argv if
              a.startswith("--limit=")), float("inf"))


def run(*command):
    return subprocess.run([str(c) for c in command], check=True,
                          capture_output=True, text=True).stdout


def measure(kernel, folder):
    """Nanoseconds a check, or None where the kernel has no artefact yet."""
    compiled = subprocess.run(
        [BIN / "tile-compile", kernel, "--arch=sm_90", "-o", folder,
         f"--tileiras={ROOT / 'tests/tileir/assembler.sh'}"],
        capture_output=True, text=True)
    if compiled.returncode != 0:
        print(f"{kernel.stem}: no artefact: {compiled.stderr.splitlines()[0]}")
        return None
    model = re.search(r"^model ?(.*)$", kernel.with_suffix(".cert").read_text(),
                      re.M)[1].split()
    # The least of three: the machine may be busy.
    return min(float(run(BIN / "contract_times", folder / "manifest.json", *model))
               for _ in range(3))


def main():
    times = {}
    with tempfile.TemporaryDirectory() as scratch:
        kernels = {kernel.stem: kernel for kernel in
                   sorted((ROOT / "proofs/kernels").glob("*/*.mlir"))}
        if unknown := [name for name in NAMED if name not in kernels]:
            sys.exit(f"contract_times.py: error: the library has no {unknown[0]}")
        for name in NAMED or kernels:
            kernel = kernels[name]
            time = measure(kernel, pathlib.Path(scratch) / kernel.stem)
            if time is not None:
                times[kernel.stem] = time
                print(f"{kernel.stem}: {time:.0f} ns")
    if "--save" in sys.argv:
        record.save("contract_times",
                    "bench/contract_times.py build/default/bin --save",
                    {"nanoseconds": times})
    return 1 if not times or max(times.values()) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
