#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The launch border against real torch, CuPy and the real driver: what
tests/unit/runtime/border.py takes its stand-ins to do, they do.

usage: border_test.py ARTEFACTS    (exit code 77 without torch or a GPU)
"""

import ctypes
import os
import pathlib
import subprocess
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] /
                       "runtime/python"))
try:
    import numpy as np
    import torch
except ImportError:
    print("not run: no torch")
    sys.exit(77)
if not torch.cuda.is_available():
    print("not run: torch sees no GPU")
    sys.exit(77)
import girih

ARTEFACTS = pathlib.Path(sys.argv[1])
N = 4096


class Interface:
    def __init__(self, address, shape, typestr="<f4", **more):
        self.__cuda_array_interface__ = {
            "shape": shape, "typestr": typestr, "data": (address, False),
            "version": 3, **more}


class Border(unittest.TestCase):
    def setUp(self):
        self.add = girih.load(ARTEFACTS / "add")
        self.x, self.y = (torch.randn(N, device="cuda") for _ in "xy")
        self.z = torch.zeros(N, device="cuda")

    def call(self, **others):
        return {"x": self.x, "y": self.y, "z": self.z, **others}

    def refused(self, words, function=None, *args, **arguments):
        with self.assertRaises(girih.Refused) as caught:
            (function or self.add)(*args, **arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(caught.exception.code, 3)

    def right(self, x=None):
        torch.cuda.synchronize()
        x = self.x if x is None else x
        self.assertTrue(torch.equal(self.z, x + self.y))

    def test_integers(self):
        persistent = girih.load(ARTEFACTS / "gemm_persistent")
        a, b = (torch.ones(300, 300, device="cuda").bfloat16() for _ in "ab")
        c = torch.empty(300, 300, device="cuda")
        for p in (7, np.int64(7), np.uint8(7)):
            c.zero_()
            persistent(a=a, b=b, c=c, P=p)
            self.assertTrue(bool((c == 300).all()))
        for p in (1.9, "1", (1 << 64) + 1, True, np.True_, None,
                  torch.tensor(7), torch.tensor(7, device="cuda")):
            self.refused("P: ", persistent, a=a, b=b, c=c, P=p)

    def test_lazy_tensors(self):
        lazy = torch._neg_view(self.x)
        self.assertTrue(lazy.is_neg())
        self.refused("%x is negated lazily", **self.call(x=lazy))
        self.add(**self.call(x=lazy.resolve_neg()))
        self.right(-self.x)
        imaginary = torch.randn(N, dtype=torch.complex64,
                                device="cuda").conj().imag
        self.assertTrue(imaginary.is_neg())
        self.refused("%x is negated lazily", **self.call(x=imaginary))
        conjugated = torch.randn(N, dtype=torch.complex64,
                                 device="cuda").conj()
        self.refused("%x is conjugated lazily", **self.call(x=conjugated))

    def test_kinds_of_tensors(self):
        self.add(**self.call(x=torch.nn.Parameter(self.x)))
        self.right()
        self.refused("%x has the layout", **self.call(x=self.x.to_sparse()))
        self.refused("%x is not on the GPU", **self.call(x=self.x.cpu()))
        from torch._subclasses.fake_tensor import FakeTensorMode
        with FakeTensorMode():
            fake = torch.zeros(N, device="cuda")
        self.refused("%x is a FakeTensor", **self.call(x=fake))
        self.refused("%x is not on the GPU",
                     **self.call(x=self.x.to("meta")))

    def test_gradients(self):
        """A backward pass that saved what a launch wrote fails."""
        w = torch.ones(N, device="cuda", requires_grad=True)
        loss = (self.z * w).sum()
        before = self.z._version
        self.add(**self.call())
        self.assertGreater(self.z._version, before)
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace"):
            loss.backward()
        self.refused("%z is written and requires a gradient",
                     **self.call(z=w))
        loss = (w * w).sum()
        with torch.no_grad():
            self.add(**self.call(z=w))
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace"):
            loss.backward()
        # A detached tensor is the same memory, and the same version.
        loss = (w * w).sum()
        self.add(**self.call(z=w.detach()))
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace"):
            loss.backward()
        # What is only read has not changed.
        before = w._version
        self.add(**self.call(x=w))
        self.assertEqual(w._version, before)
        # A gradient that is asked for after prepare.
        launch = self.add.prepare(**self.call())
        self.z.requires_grad_()
        self.refused("%z is written and requires a gradient", launch)

    def test_inference_mode(self):
        with torch.inference_mode():
            z = torch.zeros(N, device="cuda")
            self.add(**self.call(z=z))
            before = self.z._version
            self.add(**self.call())
        self.assertGreater(self.z._version, before)
        self.assertTrue(torch.equal(z, self.x + self.y))
        self.add(**self.call(z=z))

    def test_after_prepare(self):
        def reset(t):
            return torch.zeros(N, device="cuda")

        changes = {
            "resized": lambda t: t.resize_(8 * N),
            "shorter": lambda t: t.resize_(N // 2),
            "set": lambda t: t.set_(torch.zeros(N, device="cuda")),
            "data": lambda t: setattr(t, "data",
                                      torch.zeros(N, device="cuda")),
            "storage": lambda t: t.untyped_storage().resize_(0)}
        for what, change in changes.items():
            for name in "xz":
                with self.subTest(what=what, name=name):
                    tensor = reset(None)
                    launch = self.add.prepare(**self.call(**{name: tensor}))
                    launch()
                    change(tensor)
                    self.refused(f"%{name} has changed since prepare", launch)

    def test_memory(self):
        at = self.x.data_ptr()
        self.add(**self.call(x=Interface(at, (N,))))
        self.right()
        self.refused("which its elements of 4 bytes do not divide",
                     **self.call(x=Interface(at, (N,), strides=(6,))))
        self.refused("holds >f4", **self.call(x=Interface(at, (N,), ">f4")))
        host = np.ones(N, np.float32)
        start = host.ctypes.data // 16 * 16
        self.refused("is no memory of a device",
                     **self.call(x=Interface(start, (N,))))
        self.refused(" is no memory of a device",
                     **self.call(x=Interface(4096, (N,))))
        # Far beyond whatever the allocator took from the driver.
        long = 1 << 37
        x, y, z = (Interface(at, (long,)) for _ in "xyz")
        self.refused("", x=x, y=y, z=self.z)
        self.refused("the memory there ends after", x=x, y=y,
                     z=Interface(at + 4 * long, (long,)))
        pinned = torch.randn(N).pin_memory()
        self.add(**self.call(x=Interface(pinned.data_ptr(), (N,))))
        self.right(pinned.cuda())
        if torch.cuda.device_count() > 1:
            other = torch.zeros(N, device="cuda:1")
            self.refused("%y is on cuda:1", **self.call(y=other))
            self.refused("lies on device 1, the kernel is on device 0",
                         **self.call(y=Interface(other.data_ptr(), (N,))))

    def test_expandable_segments(self):
        """Tensors in memory that is mapped piece by piece."""
        code = ("import sys; sys.path.insert(0, sys.argv[2])\n"
                "import torch, girih\n"
                "x, y, z = (torch.ones(1 << 26, device='cuda') for _ in 'xyz')\n"
                "girih.load(sys.argv[1] + '/add')(x=x, y=y, z=z)\n"
                "print(z.sum().item() == 2.0 * (1 << 26))\n")
        done = subprocess.run(
            [sys.executable, "-c", code, str(ARTEFACTS),
             os.path.dirname(os.path.dirname(girih.__file__))],
            capture_output=True, text=True,
            env={**os.environ,
                 "PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True",
                 "PYTORCH_ALLOC_CONF": "expandable_segments:True"})
        self.assertEqual(done.stdout, "True\n", done.stderr)

    def test_threads(self):
        launch = self.add.prepare(**self.call())
        torch.cuda.synchronize()
        failures = []

        def work():
            try:
                launch(0)
            except Exception as error:  # for the main thread
                failures.append(error)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(failures, [])
        self.right()

    def test_captures(self):
        """Refusals beside a capture leave it whole."""
        embedding = girih.load(ARTEFACTS / "embedding")
        table = torch.randn(50, 512, device="cuda").bfloat16()
        ids = torch.tensor([7], dtype=torch.int32, device="cuda")
        row = torch.zeros(512, device="cuda").bfloat16()
        looked_up = embedding.prepare(id=girih.validated(ids), table=table,
                                      y=row)
        looked_up()
        host = np.ones(N, np.float32)
        copied = self.add.prepare(**self.call(x=host))
        launch = self.add.prepare(**self.call())
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            launch()
            self.refused("cannot be validated", looked_up)
            self.refused("cannot be captured", copied)
            self.refused("cannot be captured", **self.call(x=host))
            # Code that is loaded, used and let go meanwhile.
            fresh = girih.load(ARTEFACTS / "add")
            fresh(**self.call())
            del fresh
        self.z.zero_()
        self.x.copy_(torch.randn(N, device="cuda"))
        graph.replay()
        self.right()
        looked_up()
        self.assertTrue(torch.equal(row, table[7]))

    def test_a_capture_that_waits_for_the_default_stream(self):
        driver = ctypes.CDLL("libcuda.so.1")
        handle = ctypes.c_void_p()
        self.assertEqual(driver.cuStreamCreate(ctypes.byref(handle), 0), 0)
        stream = torch.cuda.ExternalStream(handle.value)
        launch = self.add.prepare(**self.call())
        looked = self.add.prepare(**self.call(x=np.ones(N, np.float32)))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, stream=stream):
            launch()
            self.refused("a graph is captured", launch, 0)
            self.refused("cannot be captured", looked)
        self.z.zero_()
        graph.replay()
        self.right()

    def test_numpy(self):
        x, y = np.arange(N, dtype=np.float32), np.ones(N, np.float32)
        records = np.zeros(N, [("a", "<i2"), ("f", "<f4")])
        self.add(x=x, y=y, z=records["f"])
        np.testing.assert_array_equal(records["f"], x + y)
        self.assertFalse(records["a"].any())
        y.flags.writeable = False
        self.refused("%z is written and read-only", x=x, y=x, z=y)
        self.refused("holds >f4", x=x.astype(">f4"), y=y, z=x)

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no cupy")
        x, y = cupy.arange(N, dtype=np.float32), cupy.ones(N, np.float32)
        z = cupy.zeros(N, np.float32)
        self.add(x=x, y=y, z=z)
        self.assertTrue(bool((z == x + y).all()))
        self.refused("holds f64", x=x.astype(np.float64), y=y, z=z)
        self.refused("stride 0 of %x is 2", x=cupy.ones(2 * N, np.float32)[::2],
                     y=y, z=z)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
