#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`import girih` on torch tensors: right results, refusals before any launch,
streams and CUDA graphs.

usage: torch_test.py ARTEFACTS    (exit code 77 without torch or a GPU)
"""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] /
                       "runtime/python"))
try:
    import torch
except ImportError:
    print("not run: no torch")
    sys.exit(77)
if not torch.cuda.is_available():
    print("not run: torch sees no GPU")
    sys.exit(77)
import girih

ARTEFACTS = pathlib.Path(sys.argv[1])


def normal(*shape):
    return torch.randn(*shape, device="cuda")


class Torch(unittest.TestCase):
    def refused(self, kernel, words, **arguments):
        with self.assertRaises(girih.Refused) as caught:
            kernel(**arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(caught.exception.code, 3)

    def test_add(self):
        add = girih.load(ARTEFACTS / "add")
        for n in (0, 1, 1000, 123457):
            x, y, z = normal(n), normal(n), torch.full((n,), torch.nan).cuda()
            add(x=x, y=y, z=z)
            self.assertTrue(torch.equal(z, x + y), n)

    def test_gemm(self):
        gemm = girih.load(ARTEFACTS / "gemm")
        for m, n, k in ((512, 768, 256), (333, 77, 129), (5, 3, 0)):
            # Integers up to 4: products and sums are exact.
            a, b = (torch.randint(-4, 5, shape, device="cuda").bfloat16()
                    for shape in ((m, k), (k, n)))
            c = torch.full((m, n), torch.nan, device="cuda")
            gemm(a=a, b=b, c=c)
            self.assertTrue(torch.equal(c, a.float() @ b.float()), (m, n, k))

    def test_scalar_and_symbol(self):
        saxpy = girih.load(ARTEFACTS / "saxpy")
        x, y = (torch.randint(-9, 10, (5000,), device="cuda").float()
                for _ in "xy")
        expected = 2.5 * x + y
        saxpy(alpha=2.5, x=x, y=y)
        self.assertTrue(torch.equal(y, expected))
        persistent = girih.load(ARTEFACTS / "gemm_persistent")
        a, b = (torch.ones(300, 300, device="cuda").bfloat16() for _ in "ab")
        c = torch.empty(300, 300, device="cuda")
        persistent(a=a, b=b, c=c, P=7)
        self.assertTrue(bool((c == 300).all()))
        self.refused(persistent, "requires", a=a, b=b, c=c, P=0)

    def test_refusals(self):
        add = girih.load(ARTEFACTS / "add")
        x, y, z = normal(1000), normal(1000), torch.zeros(1000).cuda()
        memory = torch.zeros(3000).cuda()
        self.refused(add, "missing", x=x, y=y)
        self.refused(add, "N is 1000 for axis 0 of %x and 999", x=x, y=y,
                     z=z[:999])
        self.refused(add, "not aligned to 16 bytes", x=memory[1:1001], y=y,
                     z=z)
        self.refused(add, "stride 0 of %x is 2", x=memory[:2000:2], y=y, z=z)
        self.refused(add, "may share memory with %x", x=memory[:1000], y=y,
                     z=memory[996:1996])
        self.refused(add, "holds f16", x=x.half(), y=y, z=z)
        self.refused(add, "not on the GPU", x=x.cpu(), y=y, z=z)
        torch.cuda.synchronize()
        self.assertFalse(bool(z.any()) or bool(memory.any()))

    def test_stream_and_graph(self):
        add = girih.load(ARTEFACTS / "add")
        x, y, z = normal(4096), normal(4096), torch.zeros(4096).cuda()
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        launch = add.prepare(x=x, y=y, z=z)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.stream(stream):
            launch()
            with torch.cuda.graph(graph, stream=stream):
                launch()
        z.zero_()
        x.copy_(normal(4096))
        torch.cuda.synchronize()
        graph.replay()
        torch.cuda.synchronize()
        self.assertTrue(torch.equal(z, x + y))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
