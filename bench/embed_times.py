#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels in C++: how long each file compiles, and each kernel is recorded.

  embed_times.py LIBRARY COMPILER... [--save] [--check]

CPU times of this thread and its children, the median of five: compilers run with -O0, as
they do for the tests. --save writes bench/results/embed_times.json. --check takes the least
of three, on some of the files, and fails above 1.5 s of a compiler or 2 ms of recording; a
machine that compiles a file of the standard headers alone slower than MODEL has as much
more time."""

import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile

import record

ROOT = pathlib.Path(__file__).resolve().parents[1]
MAX_SECONDS, MAX_MICROSECONDS = 1.5, 2000
CHECKED = ["rows"]
# What the headers include, and how long the machine of the results needs for it.
STANDARD = ("#include <cstdint>\n#include <exception>\n#include <initializer_list>\n"
            "#include <source_location>\n#include <stdexcept>\n#include <string>\n"
            "#include <tuple>\n#include <utility>\n#include <vector>\n")
MODEL = 0.4


def spent(*command):
    """CPU seconds of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(c) for c in command], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime) - (before.ru_utime + before.ru_stime)


def compiled(compiler, source, folder, middle, rounds, *more):
    return middle(spent(compiler, "-std=c++20", "-O0", f"-I{ROOT}/ir/embed", f"-I{ROOT}", *more, "-c",
                        source, "-o", pathlib.Path(folder, "kernels.o"))
                  for _ in range(rounds))


def measure(compilers, library, sources, middle, rounds):
    files, kernels = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder, "standard.cpp")
        empty.write_text(STANDARD)
        standard = {pathlib.Path(c).name: compiled(c, empty, folder, middle, rounds)
                    for c in compilers}
        for source in sources:
            name = str(source.relative_to(ROOT).with_suffix(""))
            files[name] = {
                pathlib.Path(c).name: round(compiled(c, source, folder, middle, rounds), 3)
                for c in compilers}
            program = pathlib.Path(folder, "times")
            subprocess.run([compilers[0], "-std=c++20", "-O0", f"-I{ROOT}/ir/embed",
                            f"-I{ROOT}", "-include", ROOT / "bench/EmbedTimes.h", source, library, "-o",
                            program], check=True)
            done = subprocess.run([program, "15"], capture_output=True, text=True, check=True)
            kernels |= json.loads(done.stdout)
    return standard, files, kernels


def main(library, *arguments):
    compilers = [a for a in arguments if not a.startswith("--")]
    is_check = "--check" in arguments
    sources = sorted((ROOT / "tests/embed/kernels").glob("*.cpp"))
    if is_check:
        sources = [s for s in sources if s.stem in CHECKED]
    else:
        sources += sorted((ROOT / "proofs/kernels").glob("*.cpp"))
    standard, files, kernels = measure(compilers, library, sources,
                                       min if is_check else statistics.median,
                                       3 if is_check else 5)
    slow = {c: max(1.0, seconds / MODEL) for c, seconds in standard.items()}
    failures = [f"{name}: {c} takes {seconds} s"
                for name, by in files.items() for c, seconds in by.items()
                if seconds > MAX_SECONDS * slow[c]]
    most = MAX_MICROSECONDS * max(slow.values())
    failures += [f"{name}: recorded in {row['median']} us, at first in {row['first']} us"
                 for name, row in kernels.items() if row["median"] > most]
    for name, by in files.items():
        print(f"{name}: " + ", ".join(f"{c} {s:.2f} s" for c, s in by.items()))
    print("standard headers: " + ", ".join(f"{c} {s:.2f} s" for c, s in standard.items()))
    print("recording: " + ", ".join(f"{n} {r['median']:.0f} us" for n, r in kernels.items()))
    if "--save" in arguments:
        record.save("embed_times", "bench/embed_times.py LIBRARY g++-12 clang++-22 --save", {
            "compilers": {pathlib.Path(c).name: record.output(c, "--version").splitlines()[0]
                          for c in compilers},
            "standard_headers": {c: round(s, 3) for c, s in standard.items()},
            "seconds": files, "microseconds": kernels})
    for failure in failures:
        print(failure)
    return failures != [] or not sources or not kernels


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
