# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""girih.record and girih.load_module: structs of C++ as kernels of Python."""

import os
import pathlib
import subprocess
import sys
import unittest

import girih
import numpy as np
from tree import BUILD, ROOT

KERNELS = pathlib.Path(__file__).with_name("kernels.cpp")
SIMULATED = ROOT / "tests/unit/execution/assembler.py"

# On the simulated driver, in a process of its own.
LAUNCH = """
import girih, numpy as np
kernels = girih.load_module({file!r}, folder="simulated", arch="sm_90", cache="",
                            tileiras={assembler!r})
x, y = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
kernels.axpy_128(a=2, x=x, y=y)
print(y.tolist())
"""


def module(folder, **options):
    return girih.load_module(KERNELS, folder=folder, arch="sm_90", cache="",
                             tileiras=SIMULATED, **options)


class Cpp(unittest.TestCase):
    def test_records(self):
        kernels = girih.record(KERNELS)
        self.assertEqual(list(kernels), ["axpy_128", "race"])
        axpy = kernels["axpy_128"]
        self.assertEqual([(a.name, a.mode) for a in axpy.signature.arguments
                          if a.is_tensor], [("x", "shared"), ("y", "own")])
        found = axpy.verify()
        self.assertTrue(found)
        self.assertIn("VERIFIED axpy_128.mlir: ", str(found))
        self.assertFalse(kernels["race"].verify())
        x, y = np.arange(300, dtype=np.float32), np.ones(300, np.float32)
        axpy(a=2, x=x, y=y)
        self.assertEqual(y.tolist(), (2 * x + 1).tolist())

    def test_compilers_and_options(self):
        for cxx in ("g++", "clang++-22"):
            kernels = girih.record(KERNELS, cxx=cxx, options=["-DBLOCK=64"])
            self.assertEqual(list(kernels), ["axpy_64", "race"])

    def test_modules(self):
        kernels = module("made")
        self.assertFalse(pathlib.Path("made").exists())
        self.assertEqual(list(kernels), ["axpy_128", "race"])
        self.assertIn("axpy_128", dir(kernels))
        axpy = kernels.axpy_128
        self.assertIsInstance(axpy, girih.Kernel)
        self.assertIs(kernels["axpy_128"], axpy)
        self.assertTrue(pathlib.Path("made/axpy_128/manifest.json").is_file())
        x = np.ones(3, np.float32)
        axpy.check(a=1, x=x, y=np.ones(3, np.float32))
        with self.assertRaises(girih.Refused) as caught:
            axpy.check(a=1, x=x, y=np.ones(4, np.float32))
        self.assertIn("N is 3 for axis 0 of %x and 4 for axis 0 of %y",
                      str(caught.exception))
        with self.assertRaises(girih.NotVerified):
            kernels.race
        with self.assertRaisesRegex(AttributeError, "no kernel 'gemm' is listed, "
                                    "but axpy_128, race"):
            kernels.gemm
        with self.assertRaises(KeyError):
            kernels["gemm"]

    def test_a_launch(self):
        """The kernel runs, on the simulated driver."""
        program = LAUNCH.format(file=str(KERNELS), assembler=str(SIMULATED))
        done = subprocess.run(
            [sys.executable, "-B", "-I", "-c", program], capture_output=True,
            text=True, env={**os.environ, "LD_LIBRARY_PATH":
                            str(BUILD / "tests/simulated/driver")})
        self.assertEqual((done.stdout, done.returncode),
                         ("[1.0, 3.0, 5.0, 7.0, 9.0]\n", 0), done.stderr)

    def refuses(self, kind, words, *files, **options):
        with self.assertRaises(girih.Error) as caught:
            girih.record(*files, **options)
        self.assertEqual((caught.exception.code, caught.exception.kind), (3, kind))
        self.assertIn(words, str(caught.exception))

    def test_mistakes(self):
        wrong = pathlib.Path("wrong.cpp")
        text = KERNELS.read_text()
        self.refuses("missing", "nowhere++ cannot be run", KERNELS, cxx="nowhere++")
        wrong.write_text(text.replace("template struct", "// "))
        self.refuses("malformed", "no kernel is listed", wrong)
        wrong.write_text(text.replace("zeros<f32, 8>()", "zeros<bf16, 8>()"))
        self.refuses("malformed", "elements of two types", wrong)
        wrong.write_text(text.replace("    grid(2);\n", ""))
        self.refuses("malformed", "error: kernel race has no grid", wrong)
        self.refuses("malformed", "absent.cpp", "absent.cpp")
        for arguments in ((), (1,), (b"k.cpp",)):
            with self.assertRaises(girih.Refused):
                girih.record(*arguments)
        with self.assertRaises(girih.Refused):
            girih.record(KERNELS, options="-DBLOCK=64")


if __name__ == "__main__":
    unittest.main()
