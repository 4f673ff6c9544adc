#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random kernels, printed as C++ and as text by a printer that shares nothing with the
recorder: the text from every compiler is one, both texts have one verdict, compile to the
same Tile IR up to the order of ops, and compute the same on the executor.

  random_kernels.py BIN_DIR LIBRARY COMPILER... [--seeds FIRST:LAST] [--keep FOLDER]"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = HERE.parents[1] / "ir/embed"
sys.path.insert(0, str(HERE / "drawn"))
import dataflow
from cpp import SYMBOL, print_cpp
from data import Tensor
from draw import EXTENT_NAMES
from kernels import draw_kernel, draw_launch
from text import print_text

# Kernels to a file of C++, which share what templates they use.
A_FILE = 25
LAUNCHES = 2
# Claims and loads stay between the statements that they stood between, in either order,
# and views come before what first needs them: of several that are wrong the texts may name
# one or another.
UNORDERED = {"claim.bounds", "claim.disjoint", "gather.bounds", "load.bounds", "load.pad",
             "view.fix", "view.flatten", "view.slice", "view.unfold"}


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True)


def source(kernels):
    """A program that writes the texts of kernels into a folder."""
    symbols = "\n".join(f'constexpr Sym {SYMBOL}{n}{{"{n}"}};' for n in EXTENT_NAMES)
    entries = ",\n".join(f'    {{"{k.name}", record<{k.name}>}}' for k in kernels)
    return (f'#include "{HERE.parents[1]}/proofs/kernels/Library.h"\n'
            f'using namespace girih::kernel;\n\n{symbols}\n\n'
            + "\n".join(print_cpp(k) for k in kernels) +
            f"\nint main(int argc, char **argv) {{\n  return library::writeAll(argc, argv, {{\n"
            f"{entries}}});\n}}\n")


def record(compiler, library, cpp, folder):
    """The texts that a program writes, built by a compiler."""
    program = cpp.with_suffix("." + pathlib.Path(compiler).name)
    done = run(compiler, "-std=c++20", "-O0", f"-I{INCLUDE}", cpp, library, "-o", program)
    if done.returncode:
        return f"{compiler}: {cpp.name}:\n" + "\n".join(done.stderr.splitlines()[:30])
    folder.mkdir(exist_ok=True)
    done = run(program, folder)
    program.unlink()
    return f"{cpp.name}: {done.stderr}" if done.returncode else ""


def verdicts(bin_dir, folder, names):
    """By kernel what is decided, and by which rules."""
    files = [folder / f"{name}.mlir" for name in names]
    done = run(bin_dir / "tile-verify", "--fresh", "--format=jsonl", "--suggest=false", *files)
    found = {}
    for line in done.stdout.splitlines():
        row = json.loads(line)
        found[pathlib.Path(row["file"]).stem] = row
    return found, done.stderr


def verdict(row):
    return row["verdict"], tuple(sorted({d["rule"] for d in row["diagnostics"]}))


def same(got, want):
    """Of (verdict or exit code, rules)."""
    return got == want or (got[0] == want[0] and bool(got[1]) and bool(want[1]) and
                           set(got[1]) ^ set(want[1]) <= UNORDERED)


def module(bin_dir, kernel):
    done = run(bin_dir / "tile-compile", "--dump=module", kernel)
    return done.stdout if done.returncode == 0 else ""


def execution(bin_dir, kernel, file, launch, folder):
    """What a launch computes, or why it does not, without places and names."""
    outputs = [a.name for a in kernel.arguments
               if isinstance(a, Tensor) and a.mode != "shared"]
    command = [bin_dir / "tile-exec", file]
    if launch:
        command += ["--set", ",".join(f"{k}={v}" for k, v in launch.items())]
    for name in outputs:
        command += ["--output", f"{name}={folder}/{name}.npy",
                    "--bound", f"{name}={folder}/{name}.bound.npy"]
    done = run(*command)
    if done.returncode:
        rules = re.findall(r"\[([a-z_]+\.[a-z_]+)\]", done.stderr)
        return done.returncode, tuple(rules[:1])
    return 0, tuple(pathlib.Path(folder, f"{n}{end}").read_bytes()
                    for n in outputs for end in (".npy", ".bound.npy"))


class Check:
    def __init__(self, bin_dir, kernels, folder):
        self.bin_dir, self.kernels, self.folder = bin_dir, kernels, folder
        self.failures, self.counts = [], collections.Counter()

    def fail(self, kernel, what):
        self.failures.append(f"{kernel.name}: {what}")

    def files(self, kernel):
        return (self.folder / "recorded" / f"{kernel.name}.mlir",
                self.folder / "own" / f"{kernel.name}.mlir")

    def verdicts(self):
        names = [k.name for k in self.kernels]
        got, error = verdicts(self.bin_dir, self.folder / "recorded", names)
        want, other = verdicts(self.bin_dir, self.folder / "own", names)
        for k in self.kernels:
            if k.name not in got or k.name not in want:
                self.fail(k, f"no verdict: {error}{other}"[:2000])
            elif not same(verdict(got[k.name]), verdict(want[k.name])):
                self.fail(k, f"{verdict(got[k.name])}, not {verdict(want[k.name])}")
            else:
                self.counts[verdict(got[k.name])[0]] += 1

    def modules(self, kernel):
        got, want = (module(self.bin_dir, f) for f in self.files(kernel))
        if bool(got) != bool(want):
            self.fail(kernel, "one of two compiles")
        elif got:
            self.counts["compiled"] += 1
            if dataflow.digest(got) != dataflow.digest(want):
                self.fail(kernel, "Tile IR differs by more than order")

    def executions(self, kernel):
        rng = random.Random(f"launch {kernel.name}")
        for _ in range(LAUNCHES):
            launch = draw_launch(rng, kernel)
            with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
                got, want = (execution(self.bin_dir, kernel, f, launch, d)
                             for f, d in zip(self.files(kernel), (one, two)))
            if not same(got, want):
                self.fail(kernel, f"{launch}: executions differ: {got[0]}, {want[0]}"
                          + (f" {got[1]}, {want[1]}" if got[0] and want[0] else ""))
            self.counts["executed" if got[0] == 0 else "refused or stuck"] += 1

    def run(self):
        self.verdicts()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            list(pool.map(self.modules, self.kernels))
            list(pool.map(self.executions, self.kernels))


def spent():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bin_dir", type=pathlib.Path)
    parser.add_argument("library")
    parser.add_argument("compilers", nargs="+")
    parser.add_argument("--seeds", default="0:30")
    parser.add_argument("--keep", type=pathlib.Path)
    options = parser.parse_args()
    first, last = map(int, options.seeds.split(":"))
    kernels = [draw_kernel(seed, f"k{seed}") for seed in range(first, last)]
    with tempfile.TemporaryDirectory() as top:
        folder = options.keep or pathlib.Path(top)
        (folder / "own").mkdir(parents=True, exist_ok=True)
        for k in kernels:
            (folder / "own" / f"{k.name}.mlir").write_text(print_text(k))
        files = []
        for n in range(0, len(kernels), A_FILE):
            files.append(folder / f"kernels{n}.cpp")
            files[-1].write_text(source(kernels[n:n + A_FILE]))
        folders = [folder / ("recorded" if n == 0 else f"by_{pathlib.Path(c).name}")
                   for n, c in enumerate(options.compilers)]
        begin = spent()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            errors = [e for e in pool.map(
                lambda job: record(job[0][0], options.library, job[1], job[0][1]),
                [(pair, f) for pair in zip(options.compilers, folders) for f in files]) if e]
        if errors:
            sys.exit("\n".join(errors))
        recorded = spent()
        check = Check(options.bin_dir, kernels, folder)
        for k in kernels:
            texts = {(f / f"{k.name}.mlir").read_bytes() for f in folders}
            if len(texts) != 1:
                check.fail(k, "compilers differ")
        check.run()
    for failure in check.failures:
        print(failure)
    planted = sum(k.mistake != "" for k in kernels)
    print(f"{len(kernels)} kernels, {planted} with a mistake: "
          f"{dict(sorted(check.counts.items()))}, {len(check.failures)} failures; "
          f"{recorded - begin:.1f} s to compile, {spent() - recorded:.1f} s to compare")
    # Nothing is said by kernels that all end alike.
    if len(kernels) >= 16 and not (check.counts["VERIFIED"] and check.counts["REFUTED"]):
        sys.exit("no two verdicts")
    sys.exit(check.failures != [])


if __name__ == "__main__":
    main()
