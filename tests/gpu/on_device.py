#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Everything that needs a GPU, in one go, from a folder that carry.py made:
every kernel at every shape against the reference executor, the Python module on
torch tensors, and the benchmarks.

usage: on_device.py FOLDER OUT [--seconds=S] [--sanitize=TOOL,...] [--archive]

Writes OUT/correctness.json and OUT/speed.json for bench/results. --sanitize
runs a launch of each entry point once more under compute-sanitizer, with each of
the tools, and writes OUT/sanitizer.json and what the tools print. --archive
leaves out the Python module and the benchmarks. Exit code: 0 all is well, 1
something is not, 77 without a GPU.
"""

import collections
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]


def run_archive(tool, archive, prefix=()):
    """The lines of a batch, and its exit code."""
    result = subprocess.run([*prefix, tool, "--batch", archive],
                            capture_output=True, text=True)
    sys.stderr.write(result.stderr[-2000:])
    lines = [json.loads(line) for line in result.stdout.splitlines()
             if line.startswith("{")]
    for line in [line for line in lines if line["verdict"] != "ok"][:20]:
        print(json.dumps(line), flush=True)
    return lines, result.returncode


def summary(lines):
    """By kernel: how many cases there were, and how many were right."""
    kernels = {}
    for line in lines:
        kernel = kernels.setdefault(line["case"].split("-")[0], {})
        verdict = line["verdict"]
        kernel[verdict] = kernel.get(verdict, 0) + 1
    return kernels


def save(path, result):
    """As JSON, with what has nothing within on a line each."""
    text = re.sub(r"{[^{}]*}", lambda m: " ".join(m[0].split()),
                  json.dumps(result, indent=1))
    path.write_text(text + "\n")


def sanitized(tool, archive, name, out):
    """What a tool of compute-sanitizer reports: cases, errors, and how often it
    names which place in the code."""
    began = time.perf_counter()
    log = out / f"{name}.log"
    lines, _ = run_archive(tool, archive / "first.jsonl", [
        "compute-sanitizer", "--tool", name, "--target-processes", "all",
        "--print-limit", "0", "--log-file", log])
    reported = log.read_text()
    places = collections.Counter(re.findall(r" at (\w+\+0x[0-9a-f]+)", reported))
    summaries = re.findall(r"SUMMARY: (\d+)", reported)  # one a process
    result = {"cases": len(lines), "ok": sum(c["verdict"] == "ok" for c in lines),
              "errors": sum(map(int, summaries)) if summaries else None,
              "places": dict(places.most_common(20)),
              "seconds": round(time.perf_counter() - began, 1)}
    print(f"{name}: {result}", flush=True)
    return result


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    if len(words) != 2:
        sys.exit(__doc__)
    folder, out = (pathlib.Path(w).resolve() for w in words)
    out.mkdir(parents=True, exist_ok=True)
    tool, archive = folder / "tile-run", folder / "archive"
    packed = folder / "archive.tar.xz"
    if not archive.exists() and packed.exists():
        with tarfile.open(packed) as tar:
            tar.extractall(folder)
    os.environ["LD_LIBRARY_PATH"] = ":".join(
        [str(folder), os.environ.get("LD_LIBRARY_PATH", "")]).rstrip(":")
    devices = subprocess.run([tool, "--devices"], capture_output=True,
                             text=True)
    print(devices.stdout, end="", flush=True)
    if devices.returncode:
        return devices.returncode

    began = time.perf_counter()
    lines, code = run_archive(tool, archive)
    worst = int(code != 0)
    kernels = summary(lines)
    for kernel, verdicts in kernels.items():
        print(f"{kernel:20} " + ", ".join(f"{n} {v}" for v, n in
                                          verdicts.items()), flush=True)
    about = {"command": f"tests/gpu/on_device.py FOLDER OUT, FOLDER from "
                        f"{(folder / 'command').read_text()}",
             "date": datetime.date.today().isoformat(),
             "machine": devices.stdout.strip().splitlines()}
    save(out / "correctness.json", about | {
        "seconds": round(time.perf_counter() - began, 1),
        "kernels": kernels, "cases": lines})

    tools = next((o.split("=")[1].split(",") for o in options
                  if o.startswith("--sanitize=")), [])
    if tools:
        found = {}
        for name in tools:
            found[name] = sanitized(tool, archive, name, out)
            save(out / "sanitizer.json", about | {"tools": found})
        worst |= int(any(f["errors"] != 0 or f["ok"] != f["cases"]
                         for f in found.values()))
    if "--archive" in options:
        return worst

    for name, command in (
            ("torch_test.py", [HERE / "torch_test.py", archive / "artefacts"]),
            ("readme.py", [HERE / "readme.py", folder / "readme_program", tool,
                           archive / "artefacts"]),
            ("border_test.py", [HERE / "border_test.py",
                                archive / "artefacts"]),
            ("operators_test.py", [HERE / "operators_test.py",
                                   archive / "artefacts"]),
            ("bench.py", [ROOT / "bench/bench.py", archive / "artefacts",
                          out / "speed.json",
                          *(o for o in options if o.startswith("--seconds"))])):
        code = subprocess.run([sys.executable, *command]).returncode
        print(f"{name}: exit code {code}", flush=True)
        worst |= int(code not in (0, 77))
    return worst


if __name__ == "__main__":
    sys.exit(main())
