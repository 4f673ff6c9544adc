#!/usr/bin/python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs the shipped kernels for this machine's GPU and runs them.

usage: run.py BIN_DIR ARCHIVE    (exit code 77 without a GPU)
"""

import pathlib
import re
import subprocess
import sys


def main():
    binaries, archive = pathlib.Path(sys.argv[1]), sys.argv[2]
    tool = binaries / "tile-run"
    devices = subprocess.run([tool, "--devices"], capture_output=True,
                             text=True)
    print(devices.stdout)
    if devices.returncode:
        return devices.returncode
    arch = re.search(r"sm_\d+", devices.stdout).group()
    pack = pathlib.Path(__file__).with_name("pack.py")
    subprocess.run([pack, binaries, archive, f"--arch={arch}"], check=True)
    return subprocess.run([tool, "--batch", archive]).returncode


if __name__ == "__main__":
    sys.exit(main())
