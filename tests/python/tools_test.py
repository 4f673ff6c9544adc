# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tools on PATH: programs of the wheel that need nothing beside it."""

import pathlib
import subprocess
import sys
import unittest

import girih
from tree import ROOT, shipped

BIN = pathlib.Path(sys.prefix) / "bin"


def run(tool, *arguments):
    return subprocess.run([BIN / tool, *map(str, arguments)],
                          capture_output=True, text=True,
                          stdin=subprocess.DEVNULL)


class Tools(unittest.TestCase):
    def test_versions(self):
        for tool in ("tile-compile", "tile-exec", "tile-fuzz", "tile-import",
                     "tile-opt", "tile-run", "tile-tune", "tile-verify"):
            done = run(tool, "--version")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(f"(Girih) {girih.__version__}", done.stdout, tool)

    def test_verdicts(self):
        done = run("tile-verify", shipped("add"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.rstrip(),
                         str(girih.verify(shipped("add"))))
        # Without certificates: the search and Z3 of the wheel.
        done = run("tile-verify", ROOT / "tests/corpus/girih/bugs/permute_race.mlir")
        self.assertEqual(done.returncode, 1)
        self.assertIn("[claim.disjoint]", done.stdout + done.stderr)
        self.assertEqual(run("tile-verify", "absent.mlir").returncode, 3)

    def test_launches(self):
        done = run("tile-exec", shipped("add"), "--set", "N=5")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_artefacts(self):
        """Validators are of the wheel's library of kernels."""
        kernel = ROOT / "tests/corpus/girih/contents/given_splits.good.mlir"
        done = run("tile-compile", kernel, "--arch=sm_90", "--no-cache",
                   f"--tileiras={ROOT}/tests/tileir/assembler.sh", "-o", "made")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(
            pathlib.Path("made/validate_sorted/manifest.json").is_file())


if __name__ == "__main__":
    unittest.main()
