#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what two builds of Girih say about every kernel of this tree.

usage: compare.py OLD_BIN NEW_BIN [--jobs=2] [--times=0] [PATH ...]

OLD_BIN and NEW_BIN are folders with tile-verify and tile-compile. A kernel is
compared by its verdict, its obligations with hash and status, its
counterexamples, and whether its stored certificates are accepted; a kernel of
proofs/kernels also by its Tile IR bytecode, byte for byte. Prints each difference
and one line at the end. PATH limits the comparison to these files and folders.

With --times=N the processor time of both builds on the kernels of proofs/kernels
is measured N times, interleaved, and the medians are printed as a ratio.

Exit codes: 0 no difference, 1 differences, 3 usage.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TIMEOUT = 300  # seconds a command


def output(command):
    """Exit code and output of a command; both say so if it took too long."""
    try:
        done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, timeout=TIMEOUT)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return "timeout", b""


def verdicts(bin_dir, kernel, *options):
    """By kernel of the file: verdict, count of obligations by rule and status,
    model, counterexamples; the text where it is no JSON."""
    code, text = output([bin_dir / "tile-verify", "--format=jsonl",
                         "--suggest=false", *options, kernel])
    found = [("exit code", code)]
    for line in text.decode(errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            found.append(("line", line))
            continue
        found.append(tuple(
            (key, json.dumps(record.get(key), sort_keys=True))
            for key in ("kernel", "verdict", "obligations", "rules", "model",
                        "counterexamples")))
    return found


def obligations(bin_dir, kernel):
    """The lines that number each obligation, with status and hash."""
    _, text = output([bin_dir / "tile-verify", "--dump-obligations",
                      "--suggest=false", kernel])
    return [line for line in text.decode(errors="replace").splitlines()
            if line.startswith("# ")]


def bytecode(bin_dir, kernel):
    code, data = output([bin_dir / "tile-compile", "--dump=bytecode",
                         "--allow-trust", kernel])
    return code, len(data), hashlib.sha256(data).hexdigest()


def differences(old, new, kernel):
    """What of a kernel is not the same, by name: the old and the new."""
    aspects = {
        "verdict": lambda b: verdicts(b, kernel, "--fresh"),
        "stored certificates": lambda b: verdicts(b, kernel, "--replay"),
        "obligations": lambda b: obligations(b, kernel),
    }
    if (ROOT / "proofs/kernels") in (ROOT / kernel).parents:
        aspects["bytecode"] = lambda b: bytecode(b, kernel)
    found = {}
    for name, of in aspects.items():
        before, after = of(old), of(new)
        if before != after:
            found[name] = (before, after)
    return found


def first_difference(before, after):
    """The first element in which two lists differ; else both whole."""
    if isinstance(before, list):
        for a, b in zip(before, after):
            if a != b:
                return a, b
        return len(before), len(after)
    return before, after


def processor_seconds(bin_dir, kernels):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    for kernel in kernels:
        output([bin_dir / "tile-verify", "--fresh", "--suggest=false", kernel])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime - before.ru_utime) + (after.ru_stime -
                                                 before.ru_stime)


def times(old, new, kernels, runs):
    measured = {old: [], new: []}
    for _ in range(runs):
        for bin_dir in (old, new):
            measured[bin_dir].append(processor_seconds(bin_dir, kernels))
    before, after = (statistics.median(measured[b]) for b in (old, new))
    print(f"{len(kernels)} kernels of proofs/kernels, searched anew: "
          f"{before:.2f} s before, {after:.2f} s after, "
          f"ratio {after / before:.3f} (medians of {runs}, processor time)")


def kernels_of(paths):
    for path in paths:
        path = pathlib.Path(os.path.abspath(path))
        if not path.exists():
            sys.exit(f"compare.py: error: {path} does not exist")
    files = [f for p in paths for f in
             ([pathlib.Path(p)] if pathlib.Path(p).is_file()
              else sorted(pathlib.Path(p).rglob("*.mlir")))]
    return [pathlib.Path(os.path.relpath(os.path.abspath(f), ROOT))
            for f in files]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=pathlib.Path)
    parser.add_argument("new", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("paths", nargs="*")
    args = parser.parse_intermixed_args()
    old, new = (p.resolve() for p in (args.old, args.new))
    for bin_dir in (old, new):
        for tool in ("tile-verify", "tile-compile"):
            if not os.access(bin_dir / tool, os.X_OK):
                print(f"compare.py: error: {bin_dir} has no {tool}",
                      file=sys.stderr)
                return 3
    paths = args.paths or [ROOT / "proofs/kernels", ROOT / "tests"]
    kernels = kernels_of(paths)
    count = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        results = pool.map(lambda k: differences(old, new, k), kernels)
        for kernel, found in zip(kernels, results):
            for aspect, (before, after) in found.items():
                count += 1
                a, b = first_difference(before, after)
                print(f"{kernel}: {aspect}\n  old: {a}\n  new: {b}")
    print(f"{len(kernels)} files, {count} differences")
    if args.times:
        times(old, new, [k for k in kernels if k.parts[0] == "proofs"],
              args.times)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
