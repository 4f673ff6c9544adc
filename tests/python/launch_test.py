# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""girih.load without a driver: artefacts, contracts and their refusals."""

import inspect
import pathlib
import unittest

import girih
import numpy as np
from tree import ROOT, shipped

TILEIRAS = ROOT / ".tools/nvidia/cu13/bin/tileiras"


def ones(n, dtype=np.float32):
    return np.ones(n, dtype)


class Load(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.add, cls.embedding = (girih.load(girih.compile(
            shipped(name), name, arch="sm_90", tileiras=TILEIRAS))
            for name in ("add", "embedding"))

    def refuses(self, words, function, **arguments):
        with self.assertRaises(girih.Refused) as caught:
            function(**arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(caught.exception.code, 3)

    def test_signatures(self):
        self.assertEqual(str(inspect.signature(self.add)),
                         "(*, x: shared f32[N], y: shared f32[N], "
                         "z: out f32[N], N: index = inferred)")
        self.assertEqual(repr(self.add),
                         "@add(x: shared f32[N], y: shared f32[N], "
                         "z: out f32[N]) grid [ceildiv(N, 1024)]")
        self.assertEqual(repr(self.embedding),
                         "@embedding(id: shared i32[1], "
                         "table: shared bf16[V, N], y: out bf16[N]) "
                         "grid [ceildiv(N, 1024)] given [within(%id, 0, V)]")
        self.assertEqual((self.add.name, self.add.architectures),
                         ("add", ("sm_90",)))

    def test_contracts_need_no_driver(self):
        """The same words from a check, a preparation and a call."""
        x = ones(3)
        for words, arguments in (
                ("contract: N is 3 for axis 0 of %x and 4 for axis 0 of %z",
                 {"x": x, "y": x, "z": ones(4)}),
                ("argument %z is missing", {"x": x, "y": x}),
                ("%z holds i32, the kernel has f32",
                 {"x": x, "y": x, "z": ones(3, np.int32)}),
                ("contract: the kernel has no symbol w",
                 {"x": x, "y": x, "z": ones(3), "w": 1}),
                ("N: 3.0 is no integer",
                 {"x": x, "y": x, "z": ones(3), "N": 3.0}),
                ("%x: [1.0] is no array", {"x": [1.0], "y": x, "z": ones(3)})):
            for function in (self.add.check, self.add.prepare, self.add):
                self.refuses(words, function, **arguments)
        self.add.check(x=x, y=x, z=ones(3))
        self.refuses("shares memory", self.add.check, x=x, y=x, z=x)
        table = np.ones((5, 3), np.uint16)
        good = {"table": table, "y": np.empty(3, np.uint16)}
        self.embedding.check(id=np.array([4], np.int32), **good)
        for function in (self.embedding.check, self.embedding.prepare):
            self.refuses("element [0] is 5, outside [0, 5)", function,
                         id=np.array([5], np.int32), **good)
        self.embedding.check(id=girih.vouched(np.array([5], np.int32)), **good)

    def test_what_the_executor_takes_the_contract_takes(self):
        x, z = ones(5), np.empty(5, np.float32)
        for kernel in (shipped("add"), girih.read(shipped("add"))):
            girih.execute(kernel, x=x, y=x, z=z)
        self.add.check(x=x, y=x, z=z)
        self.assertEqual(z.tolist(), [2] * 5)

    def test_no_driver(self):
        try:
            self.add(x=ones(3), y=ones(3), z=ones(3))
        except girih.Refused as error:
            self.assertEqual(error.code, 77)

    def test_artefacts(self):
        self.refuses("absent is no folder", lambda: girih.load("absent"))
        for wrong in (None, 3, "a\0b"):
            with self.assertRaises(girih.Refused):
                girih.load(wrong)
        manifest = pathlib.Path("add/manifest.json")
        text = manifest.read_text()
        manifest.write_text(text.replace("ceildiv", "div"))
        with self.assertRaises(girih.Refused) as caught:
            girih.load("add")
        self.assertEqual(caught.exception.code, 1)
        manifest.write_text(text)


if __name__ == "__main__":
    unittest.main()
