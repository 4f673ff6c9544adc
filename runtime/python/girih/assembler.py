# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the package nvidia-cuda-tileiras has the assembler."""

from __future__ import annotations

import importlib.util
import pathlib


def packaged() -> pathlib.Path | None:
    """The program `tileiras`; None where the package is not installed."""
    try:
        package = importlib.util.find_spec("nvidia")
    except (ImportError, ValueError):
        return None
    for folder in (package and package.submodule_search_locations) or []:
        for found in sorted(pathlib.Path(folder).glob("*/bin/tileiras")):
            return found
    return None
