#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the programs of program/README.md, as FOLDER/readme_0.cpp and so on; with
`run`, runs one and compares what it prints. The launch is compiled by a tile-compile
beside it, whose assembler is for the simulated driver. A program has at most 30 lines
without blank ones.

  readme.py write FOLDER
  readme.py run PROGRAM TILE_COMPILE EXPECTED"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAX_LINES = 30


def write(folder):
    text = (ROOT / "program/README.md").read_text()
    programs = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
    for number, program in enumerate(programs):
        lines = [line for line in program.splitlines() if line.strip()]
        if len(lines) > MAX_LINES:
            sys.exit(f"program {number} has {len(lines)} lines")
        file = pathlib.Path(folder, f"readme_{number}.cpp")
        if not file.exists() or file.read_text() != program:
            file.write_text(program)


def run(program, compiler, expected):
    with tempfile.TemporaryDirectory() as scratch:
        # On PATH: beside the program there is none.
        tool = pathlib.Path(scratch, "tile-compile")
        tool.write_text(f'#!/bin/sh\nexec "{compiler}" "$@" '
                        f'--tileiras="{ROOT}/tests/unit/execution/assembler.py"\n')
        tool.chmod(0o755)
        done = subprocess.run(
            [str(program)], capture_output=True, text=True,
            env={**os.environ, "PATH": f"{scratch}:{os.environ['PATH']}",
                 "XDG_CACHE_HOME": scratch})
        if done.returncode or not re.fullmatch(expected, done.stdout.strip()):
            sys.exit(f"exit code {done.returncode}:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    {"write": write, "run": run}[sys.argv[1]](*sys.argv[2:])
