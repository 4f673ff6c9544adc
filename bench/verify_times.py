#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# verify_times.py BIN_DIR [--runs=N] [--group=NAME]: wall time of tile-verify, one
# cold process a kernel, over the shipped kernels with their certificates and
# without, and over the test kernels; the obligations of each shipped kernel, by class, and
# the size of its certificates; and, as "together", one process over all maps,
# searched anew, and one over these and their planted bugs. Writes
# bench/results/verify_times.json, of which other groups than the one named stay
# as they are.
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import time

import record

root = record.ROOT
sys.path.append(str(root / "tests/corpus"))
import corpus  # noqa: E402

tool = pathlib.Path(sys.argv[1]) / "tile-verify"
runs = next((int(a.split("=")[1]) for a in sys.argv if a.startswith("--runs=")), 7)
only = next((a.split("=")[1] for a in sys.argv if a.startswith("--group=")), "")
groups = {
    "shipped": sorted((root / "proofs/kernels").glob("*/*.mlir")),
    "searched": sorted((root / "proofs/kernels").glob("*/*.mlir")),
    "tests": corpus.paths("girih"),
    "maps": corpus.paths("maps"),
}


CLASSES = {"claim.disjoint": "disjoint", "claim.bounds": "bounds",
           "load.bounds": "bounds", "gather.bounds": "bounds",
           "scatter.bounds": "bounds", "atomic_scatter.bounds": "bounds",
           "view.slice": "bounds",
           "view.fix": "bounds", "load.pad": "pads", "out.covered": "covered",
           "index.width": "width", "loop.width": "width"}


def measure(kernel, *options):
    """Median seconds of cold processes, and the verdict."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        out = subprocess.run([tool, *options, kernel], capture_output=True,
                             text=True)
        times.append(time.perf_counter() - start)
    return statistics.median(times), out.stdout.strip().split("\n")[-1].split(" ")[0]


def obligations(kernel):
    """How many obligations of each class, and the bytes of the certificates."""
    out = subprocess.run([tool, "--replay", "--format=jsonl", kernel],
                         capture_output=True, text=True)
    classes = {}
    for line in out.stdout.splitlines():  # one a kernel
        for rule, count in json.loads(line)["rules"].items():
            kind = CLASSES.get(rule, "other")
            classes[kind] = classes.get(kind, 0) + count
    return {"obligations": classes,
            "certificate_bytes": kernel.with_suffix(".cert").stat().st_size}


def together(kernels, named):
    """Least wall and CPU seconds of one process over kernels: what else the
    machine does only adds to them."""
    command = ["tile-verify", "--fresh", "--suggest=false", *kernels]
    walls, cpus = [], []
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.perf_counter()
        out = subprocess.run([tool, *command[1:]], cwd=root, text=True,
                             capture_output=True).stdout
        walls.append(time.perf_counter() - start)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpus.append(after.ru_utime + after.ru_stime
                    - before.ru_utime - before.ru_stime)
    lines = [line.split(" ")[0] for line in out.split("\n")]
    return {"command": " ".join([*command[:3], named]), "cores": os.cpu_count(),
            "verified": lines.count("VERIFIED"),
            "refuted": lines.count("REFUTED"),
            "wall_seconds": round(min(walls), 2),
            "cpu_seconds": round(min(cpus), 2)}


path = root / "bench/results/verify_times.json"
measured = json.loads(path.read_text())["groups"] if only else {}
for name, kernels in groups.items():
    if only not in ("", name):
        continue
    rows = {}
    for kernel in kernels:
        seconds, verdict = measure(
            kernel, *(["--fresh"] if name == "searched" else []))
        row = {"verdict": verdict, "milliseconds": round(seconds * 1000, 1)}
        row |= obligations(kernel) if name == "shipped" else {}
        rows[str(kernel.relative_to(root))] = row
    times = [row["milliseconds"] for row in rows.values()]
    measured[name] = {"median": statistics.median(times),
                      "largest": max(times), "kernels": rows}
    print(f"{name}: {len(times)} kernels, median {statistics.median(times)} ms, "
          f"largest {max(times)} ms")
if only in ("", "together"):
    whole = [str(k.relative_to(root)) for k in groups["maps"]]
    verified = [k.name for k in corpus.kernels("maps", "VERIFIED")]
    measured["together"] = {
        "maps": together(verified, "tests/corpus/maps without bugs"),
        "maps and bugs": together(whole, "tests/corpus/maps")}
    print("together:", json.dumps(measured["together"], indent=1))
record.save("verify_times", "bench/verify_times.py build/default/bin",
            {"runs": runs, "groups": measured})
