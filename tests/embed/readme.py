#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of ir/embed/README.md, compiled and run: what they print is VERIFIED.
A compiler needs at most 1.5 seconds of its own time for the file.

  readme.py BIN_DIR LIBRARY COMPILER..."""

import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_SECONDS = 1.5


def spent():
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime


def main(bin_dir, library, *compilers):
    text = (ROOT / "ir/embed/README.md").read_text()
    programs = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
    failures, texts = [], set()
    for program in programs:
        for compiler in compilers:
            with tempfile.TemporaryDirectory() as folder:
                source = pathlib.Path(folder, "kernel.cpp")
                source.write_text(program)
                before = spent()
                subprocess.run([compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror",
                                f"-I{ROOT}/ir/embed", "-c", source, "-o",
                                f"{folder}/kernel.o"], check=True)
                seconds = spent() - before
                if seconds > MAX_SECONDS:
                    failures.append(f"{compiler} takes {seconds:.2f} s")
                subprocess.run([compiler, f"{folder}/kernel.o", library, "-o",
                                f"{folder}/kernel"], check=True)
                done = subprocess.run([f"{folder}/kernel"], capture_output=True, text=True)
                kernel = pathlib.Path(folder, "kernel.mlir")
                kernel.write_text(done.stdout)
                texts.add(done.stdout)
                verdict = subprocess.run([f"{bin_dir}/tile-verify", kernel],
                                         capture_output=True, text=True)
                if verdict.returncode:
                    failures.append(verdict.stdout + verdict.stderr)
                print(f"{compiler}: {seconds:.2f} s, {verdict.stdout.split()[0]}")
    if len(texts) != len(programs):
        failures.append(f"{len(programs)} programs have {len(texts)} texts")
    for failure in failures:
        print(failure)
    return failures != [] or not programs


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
