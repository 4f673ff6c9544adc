# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the kernels of the tests are."""

import os
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ["GIRIH_BUILD_DIR"])


def shipped(name):
    """A kernel of the library."""
    return ROOT / f"proofs/kernels/{name}/{name}.mlir"


def verdict(name):
    """A kernel of tests/corpus/girih."""
    return ROOT / f"tests/corpus/girih/{name}.mlir"
