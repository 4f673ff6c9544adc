#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the program of the front page on a GPU, beside artefacts with code for
it.

usage: readme.py PROGRAM TILE_RUN ARTEFACTS

Exit code: that of the program, 77 without a GPU.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    program, tool, artefacts = map(pathlib.Path, sys.argv[1:])
    devices = subprocess.run([tool, "--devices"], stdout=subprocess.DEVNULL)
    if devices.returncode:
        return devices.returncode
    with tempfile.TemporaryDirectory() as folder:
        # Artefacts are found beside the program.
        copy = pathlib.Path(folder, "program")
        shutil.copy2(program, copy)
        for kernel in ("add", "saxpy"):
            shutil.copytree(artefacts / kernel, pathlib.Path(folder, kernel))
        return subprocess.run([copy]).returncode


if __name__ == "__main__":
    sys.exit(main())
