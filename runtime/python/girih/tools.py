# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tools on PATH: each name of the wheel's scripts becomes the program of that
name in this package."""

import os
import pathlib
import shutil
import sys

from girih import assembler

_BIN = pathlib.Path(__file__).resolve().parent / "bin"


def main() -> None:
    """Becomes the tool under whose name it was called."""
    tool = pathlib.Path(sys.argv[0]).name
    found = assembler.packaged()
    if found and not shutil.which("tileiras"):
        os.environ["PATH"] = os.pathsep.join(
            [os.environ.get("PATH", os.defpath), str(found.parent)])
    program = str(_BIN / tool)
    try:
        os.execv(program, [tool, *sys.argv[1:]])
    except OSError as error:
        sys.exit(f"{program}: {error.strerror}")
