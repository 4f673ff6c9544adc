# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tests of this folder on an installed package, in a folder of their own
and with no part of the source tree or of MLIR on any search path. Called with
`python -I` of a virtual environment.

  outside.py BUILD_DIR MODULE...     MODULE: verify_test, ...
"""

import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent


def main():
    os.environ["GIRIH_BUILD_DIR"] = str(pathlib.Path(sys.argv[1]).resolve())
    for name in ("LD_LIBRARY_PATH", "PYTHONPATH", "GIRIH_TILEIRAS"):
        os.environ.pop(name, None)
    sys.path.insert(0, str(HERE))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        os.chdir(folder)
        suite = unittest.defaultTestLoader.loadTestsFromNames(sys.argv[2:])
        result = unittest.TextTestRunner().run(suite)
        os.chdir("/")
    sys.exit(not result.wasSuccessful() or not result.testsRun)


if __name__ == "__main__":
    main()
