# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""girih.execute: results of the reference executor, contracts, and arguments
that are nothing else than they seem."""

import fractions
import importlib.util
import inspect
import unittest

import girih
import numpy as np
from tree import ROOT, shipped

ADD = shipped("add")


class Broken:
    """Fails at whatever is asked of it."""

    def __getattr__(self, name):
        raise RuntimeError(name)

    __index__ = __float__ = __repr__ = lambda self: self.absent


def ones(n, dtype=np.float32):
    return np.ones(n, dtype)


class Execute(unittest.TestCase):
    def refuses(self, words, kernel, *options, **arguments):
        with self.assertRaises(girih.Refused) as caught:
            girih.execute(kernel, *options, **arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(caught.exception.code, 3)

    def test_results(self):
        x, z = np.arange(2000, dtype=np.float32), np.zeros(2000, np.float32)
        done = girih.execute(ADD, x=x, y=x, z=z)
        np.testing.assert_array_equal(z, 2 * x)
        self.assertTrue(done)
        self.assertEqual((done.kernel, done.grid, done.blocks, done.faults),
                         ("add", (2,), 2, ()))
        self.assertEqual(done["z"].dtype, np.float32)
        np.testing.assert_array_equal(done["z"], z)
        self.assertIsNone(done.tensors["z"].defined)
        # Without the output: its extent is that of the inputs.
        np.testing.assert_array_equal(girih.execute(ADD, x=x, y=x)["z"], z)

    def test_own_tensors_and_scalars(self):
        y = np.full((3, 2), 10, np.float32)
        girih.execute(shipped("saxpy"), alpha=2, x=ones(3), y=y[:, 1])
        np.testing.assert_array_equal(y, [[10, 12]] * 3)
        self.refuses("%alpha: True is no number", shipped("saxpy"),
                     alpha=True, x=ones(3), y=ones(3))
        self.refuses("%alpha: '2' is no number", shipped("saxpy"),
                     alpha="2", x=ones(3), y=ones(3))
        self.refuses("%alpha: <Broken instance", shipped("saxpy"),
                     alpha=Broken(), x=ones(3), y=ones(3))
        self.refuses("is no double", shipped("saxpy"),
                     alpha=2 ** 53 + 1, x=ones(3), y=ones(3))
        self.refuses("argument %alpha is missing", shipped("saxpy"),
                     x=ones(3), y=ones(3))

    def test_bf16(self):
        a = np.array([[1, 2], [3, 4]], np.float32)
        bits = (a.view(np.uint32) >> 16).astype(np.uint16)
        c = np.zeros((2, 2), np.float32)
        for given in (a, bits, a.astype(np.float64), np.asfortranarray(bits)):
            c[:] = 0
            girih.execute(shipped("gemm"), a=given, b=bits, c=c)
            np.testing.assert_array_equal(c, a @ a)
        self.refuses("which is no bf16", shipped("gemm"), a=a + 2.0 ** -20,
                     b=bits, c=c)
        table = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
        y = np.zeros(3, np.uint16)
        girih.execute(shipped("embedding"), id=np.array([1], np.int32),
                      table=table, y=y)
        np.testing.assert_array_equal(
            (y.astype(np.uint32) << 16).view(np.float32), [4, 5, 6])

    def test_narrow_floats(self):
        kernel = girih.read(ROOT / "tests/tileir/kernels/small_floats.mlir")
        kinds = {a.name: a.element for a in kernel.signature.arguments}

        def call(b, d, e):
            a = np.linspace(-2, 2, 512, dtype=np.float32).reshape(16, 32)
            done = kernel(a=a, b=b, c=np.ones((32, 16), np.float32), d=d, e=e,
                          h=np.zeros((16, 16), np.float32),
                          i=np.zeros((16, 32), np.int8))
            self.assertTrue(done, done.faults)
            self.assertEqual(done.tensors["d"].element, kinds["d"])
            return done

        b, e = np.full((16, 32), 0.625), np.zeros((16, 32), np.float32)
        d = np.zeros((16, 32), np.float32)
        done = call(b, d, e.copy())
        self.assertEqual(done["d"].dtype, np.float32)
        np.testing.assert_array_equal(d, done["d"])
        self.assertTrue(d.any())
        call(d, d.copy(), e.copy())  # a result is an input
        with self.assertRaisesRegex(girih.Refused, "which is no f8E4M3FN"):
            call(b + 2.0 ** -9, d, e)
        with self.assertRaisesRegex(girih.Refused, "elements of type u1"):
            call(b.astype(np.uint8), d, e)
        if importlib.util.find_spec("ml_dtypes"):
            import ml_dtypes
            typed = np.zeros((16, 32), ml_dtypes.float8_e4m3fn)
            call(b.astype(typed.dtype), typed,
                 e.astype(ml_dtypes.float8_e5m2))
            np.testing.assert_array_equal(typed.astype(np.float32), done["d"])
            with self.assertRaises(girih.Refused):
                call(b.astype(ml_dtypes.float8_e5m2), d, e)

    def test_bounds(self):
        a = 2.0 ** np.arange(-32, 32, dtype=np.float32)[None, :]
        done = girih.execute(shipped("gemm"), a=a, b=a.T)
        exact = float((a.astype(np.float64) ** 2).sum())
        [[bound]] = done.tensors["c"].bounds
        self.assertGreater(bound, 0)
        self.assertLessEqual(abs(done["c"][0, 0] - exact), bound)

    def test_contract(self):
        self.refuses("contract: N is 3 for axis 0 of %x and 4 for axis 0 of %y",
                     ADD, x=ones(3), y=ones(4))
        self.refuses("contract: N is 3 for axis 0 of %x and 4 for axis 0 of %z",
                     ADD, x=ones(3), y=ones(3), z=ones(4))
        self.refuses("contract: N is 7 for the caller and 3 for axis 0 of %x",
                     ADD, x=ones(3), y=ones(3), N=7)
        self.refuses("argument %y is missing", ADD, x=ones(3))
        self.refuses("no argument or symbol w", ADD, x=ones(3), y=ones(3), w=1)
        self.refuses("%x has 2 axes, the kernel has 1", ADD,
                     x=np.ones((3, 1), np.float32), y=ones(3))
        self.refuses("within(%id, 0, V)", shipped("embedding"),
                     id=np.array([2], np.int32), table=ones((2, 3)))

    def test_symbols_are_integers(self):
        for wrong in (1.9, "3", True, None, 2 ** 64 + 1, -2 ** 63 - 1, 3.0,
                      fractions.Fraction(3), np.float32(3), ones(1), np.True_,
                      Broken()):
            with self.subTest(type(wrong)), self.assertRaises(girih.Refused):
                girih.execute(ADD, x=ones(3), y=ones(3), N=wrong)
        self.assertTrue(girih.execute(ADD, x=ones(3), y=ones(3), N=np.int8(3)))

    def test_arrays_are_what_they_are(self):
        good = {"x": ones(3), "y": ones(3)}
        read_only = ones(3)
        read_only.setflags(write=False)
        overlapping = np.lib.stride_tricks.as_strided(ones(1), (3,), (0,))
        for words, wrong in (
                ("%x holds f64, the kernel has f32", {"x": ones(3, "f8")}),
                ("%x holds i32, the kernel has f32", {"x": ones(3, "i4")}),
                ("lowest byte first", {"x": ones(3, ">f4")}),
                ("no kernel has elements of type u4", {"x": ones(3, "u4")}),
                ("a list is no NumPy array", {"x": [1.0, 1.0, 1.0]}),
                ("a float is no NumPy array", {"x": 1.0}),
                ("a Broken is no NumPy array", {"x": Broken()}),
                ("has a mask", {"x": np.ma.array(ones(3))}),
                ("%z is written and read-only", {"z": read_only}),
                ("its elements share memory", {"z": overlapping}),
                ("%z shares memory with %x", {"z": good["x"]}),
                ("%z shares memory with %y", {"z": good["y"][:3]})):
            self.refuses(words, ADD, **{**good, **wrong})
        np.testing.assert_array_equal(good["x"], ones(3))
        # What is only read may be shared and read-only.
        self.assertTrue(girih.execute(ADD, x=read_only, y=read_only))
        self.assertTrue(girih.execute(ADD, x=overlapping, y=ones(3)))

    def test_faults(self):
        race = girih.read(ROOT / "tests/corpus/girih/bugs/permute_race.mlir")
        found = race.verify()
        done = girih.replay(race, found.counterexample)
        self.assertFalse(done)
        [fault] = done.faults
        self.assertEqual(fault.rule, "claim.disjoint")
        self.assertEqual(fault.tensor, "y")
        self.assertEqual(fault.element, (0, 2, 0, 0))
        self.assertEqual((fault.at.line, fault.at.column), (26, 23))
        self.assertIn("tile.claim", str(fault))

    def test_faults_write_nothing(self):
        y = np.full((1, 6, 1, 1), 5, np.uint16)
        done = girih.execute(ROOT / "tests/corpus/girih/bugs/permute_race.mlir",
                             x=np.ones((1, 1, 6, 1), np.uint16), y=y, G=3, R=2)
        self.assertEqual(done.faults[0].rule, "claim.disjoint")
        self.assertEqual(y.tolist(), [[[[5]]] * 6])

    def test_orders(self):
        x = np.arange(5000, dtype=np.float32)
        for order in ("sequential", "reverse", "random", "interleaved"):
            options = girih.ExecuteOptions(order=order, seed=7)
            np.testing.assert_array_equal(
                girih.execute(ADD, options, x=x, y=x)["z"], 2 * x)
        some = girih.execute(ADD, girih.ExecuteOptions(blocks=[[1]]), x=x, y=x)
        self.assertEqual(some.blocks, 1)
        defined = some.tensors["z"].defined
        self.assertEqual((defined[:1024].any(), defined[1024:2048].all()),
                         (False, True))
        # What is undefined stays as it was.
        z = np.full(5000, 9, np.float32)
        girih.execute(ADD, girih.ExecuteOptions(blocks=[[1]]), x=x, y=x, z=z)
        self.assertEqual((z[0], z[1024]), (9, 2048))

    def test_options(self):
        done = girih.execute(ADD, girih.ExecuteOptions(random=True), N=5)
        self.assertEqual(done["z"].shape, (5,))
        for wrong in ({"seed": 1.0}, {"seed": -1}, {"order": "any"},
                      {"random": 1}, {"index_width": 4}, {"max_faults": 0},
                      {"blocks": 3}, {"blocks": [3]}, {"blocks": [[1.5]]},
                      {"contents": {"x": [1.5]}}, {"contents": {"x": 3}},
                      {"contents": [1]}, {"contents": {3: [1]}},
                      {"variant": 3}):
            with self.assertRaises(girih.Refused, msg=wrong):
                girih.ExecuteOptions(**wrong)
        self.refuses("no ExecuteOptions", ADD, {"x": 1})
        with self.assertRaises(girih.Error) as caught:
            girih.execute(ADD, girih.ExecuteOptions(max_steps=3), x=ones(9),
                          y=ones(9))
        self.assertEqual(caught.exception.kind, "limit")

    def test_signatures(self):
        add = girih.read(ADD)
        self.assertEqual(str(inspect.signature(add)),
                         "(*, x: shared f32[N], y: shared f32[N], "
                         "z: out f32[N], N: index = inferred)")
        self.assertEqual(
            repr(add),
            "tile.kernel @add(%x: !tile.tensor<[N] x f32, shared>, "
            "%y: !tile.tensor<[N] x f32, shared>, "
            "%z: !tile.tensor<[N] x f32, out>) grid [ceildiv(N, 1024)]")
        self.assertIn("given [within(%id, 0, V)]",
                      repr(girih.read(shipped("embedding"))))
        self.assertEqual(len(girih.read(shipped("gemm_by_size"))
                             .signature.contracts), 7)
        with self.assertRaises(girih.Malformed):
            girih.read("{")
        with self.assertRaises(girih.Malformed):
            girih.execute("{", x=ones(3))


if __name__ == "__main__":
    unittest.main()
