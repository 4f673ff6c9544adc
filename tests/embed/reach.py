#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every op of the language is written by some kernel in C++.

  reach.py PROGRAM..."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Functions are C++ functions; names of maps are made by elaboration.
NOT_WRITTEN = {"func.func", "func.call", "tile.name"}


def language():
    rows = (ROOT / "ir/ops/Elementwise.def").read_text()
    ops = set(re.findall(r'ELEMENTWISE\(\s*"([\w.]+)"', rows))
    for heading in re.findall(r"^### (.*)$", (ROOT / "spec/tile.md").read_text(), re.M):
        ops |= set(re.findall(r"`([\w.]+\.\w+)`", heading))
    return ops - NOT_WRITTEN


def main(*programs):
    text = ""
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, folder], check=True)
            for kernel in pathlib.Path(folder).glob("*.mlir"):
                text += kernel.read_text()
    written = set(re.findall(r"\b((?:arith|math|tile|scf|vector)\.\w+)", text))
    words = ["slice [", "step [", "permute [", "unfold ", "fix ", "flatten ",
             "inverse (", "bijective", "covers [", "given [", "symbols [", "requires [",
             "hints {", "strides [", "align = ", "out partial", ", raw>", "atomic<max>",
             " fastmath<afn>", " reverse", " keep", "rounding(", ": i32"]
    missing = sorted(language() - written) + [w for w in words if w not in text]
    for op in missing:
        print(f"no kernel in C++ has {op}")
    print(f"{len(language())} ops and {len(words)} forms, {len(missing)} missing")
    return missing != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
