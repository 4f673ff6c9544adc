#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What clang-tidy says of kernels: of those in tidy/ the lines that say so and no
others, of every other kernel nothing.

  tidy.py CLANG_TIDY KERNEL.cpp ..."""

import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CONFIG = ROOT / "ir/embed/kernel.clang-tidy"


def warnings(tool, source):
    """(line, check) of each warning; other messages end the test."""
    done = subprocess.run(
        [tool, "--experimental-custom-checks", f"--config-file={CONFIG}",
         "--quiet", str(source), "--", "-std=c++20",
         f"-I{ROOT / 'ir/embed'}", f"-I{ROOT}"],
        capture_output=True, text=True)
    if done.returncode or "rror" in done.stdout + done.stderr:
        sys.exit(f"FAIL: {source}: {done.stdout}{done.stderr}")
    return {(int(line), check) for line, check in re.findall(
        rf"^{re.escape(str(source))}:(\d+):\d+: warning: .*"
        r"\[custom-girih-([\w-]+)\]$", done.stdout, re.M)}


def main():
    tool, *kernels = sys.argv[1:]
    bad = 0
    for path in sorted((HERE / "tidy").glob("*.cpp")) + \
            [pathlib.Path(k) for k in kernels]:
        lines = path.read_text().splitlines()
        want = {(number, check) for number, line in enumerate(lines, 1)
                for check in re.findall(r"// warns: ([\w-]+)$", line)}
        got = warnings(tool, path)
        for line, check in sorted(want ^ got):
            bad += 1
            print(f"FAIL: {path.name}:{line}: {check} is "
                  f"{'missing' if (line, check) in want else 'not asked for'}")
        if path.parent.name == "tidy" and len(want) < 3:
            sys.exit(f"FAIL: {path} asks for nothing")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
