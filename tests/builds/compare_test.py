#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests compare.py with a build that differs in one way at a time.

usage: compare_test.py BIN_DIR
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(sys.argv.pop(1)).resolve()
ADD = "proofs/kernels/add/add.mlir"
CLASH = "tests/corpus/girih/rules/claim.disjoint"


class Compare(unittest.TestCase):
    def compare(self, tool, change, *paths):
        """Exit code and output, where the other build's `tool` has its output
        run through the sed script `change`."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("tile-verify", "tile-compile"):
                run = f'"{BIN / name}" "$@"'
                script = pathlib.Path(folder, name)
                script.write_text(
                    f"#!/bin/bash\nset -o pipefail\n{run} | sed '{change}'\n"
                    if name == tool else f"#!/bin/sh\nexec {run}\n")
                script.chmod(0o755)
            done = subprocess.run(
                [sys.executable, "-B", HERE / "compare.py", BIN, folder, *paths],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            return done.returncode, done.stdout

    def check(self, tool, change, path, aspect):
        code, text = self.compare(tool, change, path)
        self.assertEqual(code, 1, text)
        self.assertIn(f": {aspect}\n", text)

    def test_no_difference(self):
        code, text = self.compare("tile-verify", "", ADD, CLASH)
        self.assertEqual((code, text), (0, "3 files, 0 differences\n"))

    def test_times_are_no_difference(self):
        code, text = self.compare("tile-verify", 's/"seconds":[^,]*/"seconds":7/',
                                  ADD)
        self.assertEqual(code, 0, text)

    def test_options_and_paths_in_any_order(self):
        done = subprocess.run([sys.executable, "-B", HERE / "compare.py", BIN,
                               BIN, "--jobs=1", ADD], capture_output=True,
                              text=True)
        self.assertEqual((done.returncode, done.stdout),
                         (0, "1 files, 0 differences\n"), done.stderr)

    def test_verdict(self):
        self.check("tile-verify", "s/VERIFIED/UNKNOWN/", ADD, "verdict")

    def test_counterexample(self):
        self.check("tile-verify", 's/"block":/"blocks":/', CLASH, "verdict")

    def test_stored_certificates(self):
        self.check("tile-verify", 's/"proved":/"proven":/', ADD,
                   "stored certificates")

    def test_obligations(self):
        self.check("tile-verify", "s/^# 2 proved ./# 2 proved x/", ADD,
                   "obligations")

    def test_bytecode(self):
        self.check("tile-compile", "s/TileIR/TileIS/", ADD, "bytecode")

    def test_no_build(self):
        done = subprocess.run([sys.executable, "-B", HERE / "compare.py", BIN,
                               "/nonexistent"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
        self.assertIn("/nonexistent has no tile-verify", done.stderr)


if __name__ == "__main__":
    unittest.main()
