#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The texts of the library, from its families in C++.

  regenerate.py PROGRAM... [--check]

A program is a family here, compiled; its name ends with that of the family. Writes
NAME/NAME.mlir of each kernel: what is said of its struct, then what is recorded.
Certificates of what has changed are `tile-verify --save`'s. With --check writes nothing;
1 where a text is another one, or a folder has no kernel."""

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def comment(source, struct):
    """The lines above a struct that explain it."""
    lines = source.read_text().splitlines()
    at = next(n for n, line in enumerate(lines)
              if re.search(rf"^(template <.*> )?struct {struct}\b", line))
    while not lines[at - 1].startswith("//") and lines[at - 1]:
        at -= 1
    first = at
    while lines[first - 1].startswith("//"):
        first -= 1
    return lines[first:at]


def kernels(program):
    """Of a family: each name and its text."""
    family = pathlib.Path(program).name.rpartition("library_")[2]
    source = HERE / f"{family}.cpp"
    structs = dict(re.findall(r'\{"(\w+)",\s*record<(\w+)', source.read_text()))
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run([program, folder], capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        for name, struct in structs.items():
            text = pathlib.Path(folder, f"{name}.mlir").read_text()
            head = comment(source, struct) + [f"// generated from {source.name}"]
            yield name, "\n".join(head) + "\n" + text


def main(*arguments):
    programs = [a for a in arguments if a != "--check"]
    texts = dict(pair for program in programs for pair in kernels(program))
    failures = 0
    for name, text in sorted(texts.items()):
        path = HERE / name / f"{name}.mlir"
        old = path.read_text() if path.exists() else ""
        if old == text:
            continue
        if "--check" not in arguments:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            print(f"{name}.mlir is written")
            continue
        failures += 1
        print("\n".join(difflib.unified_diff(
            old.splitlines(), text.splitlines(), f"{name}.mlir", "from C++",
            lineterm="")))
    for path in sorted(HERE.glob("*/*.mlir")):
        if path.stem not in texts:
            failures += 1
            print(f"{path.stem}: no family has it")
    print(f"{len(texts)} kernels, {failures} differ")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
