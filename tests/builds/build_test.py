#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that ctest builds first, and runs nothing after a build that fails.

usage: build_test.py CTEST
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CTEST = sys.argv.pop(1)


class Build(unittest.TestCase):
    def ctest(self, command, **environment):
        """Exit code and output of ctest over one test, where a build runs the
        shell command; and whether the test ran."""
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text)
            cmake = folder / "cmake"
            cmake.write_text(f"#!/bin/sh\ncd {folder}\n{command}\n")
            cmake.chmod(0o755)
            script = (HERE.parent / "build.cmake.in").read_text()
            (folder / "CTestTestfile.cmake").write_text(
                script.replace("@CMAKE_COMMAND@", str(cmake))
                .replace("@PROJECT_BINARY_DIR@", text) +
                f'include("{folder}/tests.cmake" OPTIONAL)\n'
                f'add_test(kept touch {folder}/ran)\n')
            env = {k: v for k, v in os.environ.items() if k != "GIRIH_NO_BUILD"}
            done = subprocess.run([CTEST, "--test-dir", folder],
                                  env=env | environment, text=True,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT)
            return done.returncode, done.stdout, (folder / "ran").exists()

    def test_builds_before_it_lists_the_tests(self):
        code, text, ran = self.ctest("echo 'add_test(built true)' > tests.cmake")
        self.assertEqual((code, ran), (0, True), text)
        self.assertIn("100% tests passed, 0 tests failed out of 2", text)

    def test_runs_nothing_after_a_failed_build(self):
        code, text, ran = self.ctest("exit 1")
        self.assertNotEqual(code, 0, text)
        self.assertIn("The build failed; no test was run.", text)
        self.assertFalse(ran)

    def test_leaves_the_build_out_when_told(self):
        code, text, ran = self.ctest("exit 1", GIRIH_NO_BUILD="1")
        self.assertEqual((code, ran), (0, True), text)


if __name__ == "__main__":
    unittest.main()
