#!/usr/bin/python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts what a machine with a GPU needs into one folder: tile-run, the library
of the Python module, the program of the front page, and the archive of pack.py
in one file. Only a driver, a C library and Python are expected there; on_device.py
is what to start.

usage: carry.py BUILD_DIR FOLDER [what pack.py takes behind ARCHIVE]
"""

import pathlib
import shutil
import subprocess
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    build, folder = map(pathlib.Path, sys.argv[1:3])
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for file in ("bin/tile-run", "lib/libgirih_runtime.so",
                 "tests/unit/execution/kernels/readme_program"):
        target = folder / pathlib.Path(file).name
        shutil.copy2(build / file, target)
        subprocess.run(["strip", "--strip-unneeded", target], check=True)
    packed = subprocess.run([HERE / "pack.py", build / "bin",
                             folder / "archive", *sys.argv[3:]])
    if packed.returncode:
        return packed.returncode
    (folder / "command").write_text(" ".join(
        ["tests/gpu/carry.py BUILD FOLDER", *sys.argv[3:]]))
    with tarfile.open(folder / "archive.tar.xz", "w:xz", preset=4) as tar:
        tar.add(folder / "archive", "archive")
    shutil.rmtree(folder / "archive")
    size = sum(f.stat().st_size for f in folder.iterdir())
    print(f"{folder}: {size / 2**20:.1f} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
