# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package itself: what it exports, its stubs, and its documents."""

import ast
import importlib
import importlib.metadata
import importlib.util
import pathlib
import re
import subprocess
import sys
import unittest

import girih
from tree import ROOT

PACKAGE = pathlib.Path(girih.__file__).parent


def imported(path):
    """The names that a stub exports."""
    tree = ast.parse(path.read_text())
    return {alias.asname for node in tree.body
            if isinstance(node, ast.ImportFrom) for alias in node.names}


class Package(unittest.TestCase):
    def test_names(self):
        for name in girih.__all__:
            self.assertTrue(getattr(girih, name).__doc__, name)
        self.assertEqual(imported(PACKAGE / "__init__.pyi"),
                         set(girih.__all__))
        self.assertLessEqual(set(girih.__all__), set(dir(girih)))
        with self.assertRaises(AttributeError):
            girih.absent

    def test_the_extensions_have_their_stubs(self):
        for name in ("_core", "_launch"):
            tree = ast.parse((PACKAGE / f"{name}.pyi").read_text())
            stub = {node.name for node in tree.body
                    if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
            module = importlib.import_module(f"girih.{name}")
            self.assertEqual({n for n in dir(module) if n[0] != "_"}, stub)

    def test_launches_go_through_the_extension(self):
        bases = girih.Kernel.__bases__ + girih.Launch.__bases__
        self.assertEqual({base.__module__ for base in bases},
                         {"girih._launch"})

    def test_the_page_on_python(self):
        """Its first program runs and prints what its comments say; the others
        need torch, and tests/unit/runtime/torch_ops.py runs them."""
        page = (ROOT / "runtime/python/README.md").read_text()
        program = re.findall(r"^```python\n(.*?)^```", page, re.M | re.S)[0]
        # NumPy is not everywhere where this is run.
        if importlib.util.find_spec("numpy") is None:
            self.skipTest("NumPy is not installed")
        done = subprocess.run([sys.executable, "-I", "-c", program], cwd=ROOT,
                              capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        said = re.findall(r"print\(.*\) +# (.*)", program)
        self.assertEqual(len(said), 3)
        for line, form in zip(done.stdout.splitlines(), said, strict=True):
            self.assertRegex(line, "^" + re.escape(form).replace(
                r"\.\.\.", ".*") + "$")

    def test_metadata(self):
        data = importlib.metadata.metadata("girih")
        self.assertEqual(data["Version"], girih.__version__)
        self.assertEqual(data["Requires-Python"], ">=3.11")
        text = (ROOT / "CMakeLists.txt").read_text()
        self.assertIn(f"VERSION {girih.__version__} ", text)
        pinned = (ROOT / ".ci/wheels.txt").read_text().split()
        project = (ROOT / "pyproject.toml").read_text()
        asked = re.findall(r'"([\w-]+==[\d.]+)"', project)
        self.assertEqual(len(asked), 5)
        self.assertLessEqual(set(asked), set(pinned))


if __name__ == "__main__":
    unittest.main()
