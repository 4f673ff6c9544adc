#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# verify_times.py BIN_DIR [--runs=N]: wall time of tile-verify, one cold process
# a kernel, over the shipped kernels with their certificates and over the test
# kernels without any. Writes bench/results/verify_times.json.
import datetime
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent
tool = pathlib.Path(sys.argv[1]) / "tile-verify"
runs = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--runs=")), 7)
groups = {
    "shipped": sorted((root / "proofs/kernels").glob("*/*.mlir")),
    "tests": sorted([*(root / "tests/kernels").glob("*.mlir"),
                     *(root / "tests/rules").glob("*/*.mlir"),
                     *(root / "tests/verdicts").glob("*.mlir")]),
}


def measure(kernel):
    """Median seconds of cold processes, and the verdict."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        out = subprocess.run([tool, kernel], capture_output=True, text=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times), out.stdout.strip().split("\n")[-1].split(" ")[0]


result = {
    "command": "bench/verify_times.py build/default/bin",
    "date": datetime.date.today().isoformat(),
    "machine": next((line.split(":")[1].strip()
                     for line in open("/proc/cpuinfo") if "model name" in line),
                    platform.machine()),
    "runs": runs,
    "groups": {},
}
for name, kernels in groups.items():
    rows = {}
    for kernel in kernels:
        seconds, verdict = measure(kernel)
        rows[str(kernel.relative_to(root))] = {
            "verdict": verdict, "milliseconds": round(seconds * 1000, 1)}
    times = [row["milliseconds"] for row in rows.values()]
    result["groups"][name] = {"median": statistics.median(times),
                              "largest": max(times), "kernels": rows}
    print(f"{name}: {len(times)} kernels, median {statistics.median(times)} ms, "
          f"largest {max(times)} ms")
path = root / "bench/results/verify_times.json"
path.write_text(json.dumps(result, indent=1) + "\n")
