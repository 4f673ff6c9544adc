#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operators of torch, arrays of CuPy and JAX, several devices and
ranges of NVTX on a GPU: what tests/unit/runtime/torch_ops.py and border.py take
their stand-ins to do, real libraries do.

usage: operators_test.py ARTEFACTS    (exit code 77 without torch or a GPU)
"""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import unittest
import unittest.mock

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "runtime/python"
sys.path.insert(0, str(PACKAGE))
# JAX would take three quarters of the memory at once.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
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
NAMES = iter(range(1 << 20))


def normal(*shape, **more):
    return torch.randn(*shape, device="cuda", **more)


def integers(*shape):
    """Small ones, of which products and sums are exact."""
    return torch.randint(-4, 5, shape, device="cuda").bfloat16()


def has_jax():
    try:
        import jax
        return jax.default_backend() == "gpu"
    except (ImportError, RuntimeError):
        return False


class Case(unittest.TestCase):
    @contextlib.contextmanager
    def refused(self, words, kind=girih.Refused):
        with self.assertRaises(kind) as caught:
            yield
        self.assertIn(words, str(caught.exception))

    def op(self, name, **options):
        return girih.torch_op(f"girih_gpu::op{next(NAMES)}",
                              girih.load(ARTEFACTS / name), **options)


class Operators(Case):
    def test_launches(self):
        add, total = self.op("add"), self.op("add", functional=True)
        for n in (0, 1, 1000, 123457):
            x, y, z = normal(n), normal(n), torch.full((n,), torch.nan).cuda()
            before = z._version
            add(x, y, z)
            self.assertTrue(torch.equal(z, x + y))
            self.assertGreater(z._version, before)
            self.assertTrue(torch.equal(total(x, y), x + y))
        x = torch.zeros(N + 1, device="cuda")[1:]
        for call in (lambda: add(x, x, torch.zeros(N, device="cuda")),
                     lambda: total(x, x)):
            with self.refused("not aligned to 16 bytes"):
                call()
        with self.refused("%x is not on the GPU"):
            total(torch.ones(8), torch.ones(8))

    def test_torch_agrees(self):
        x, y, z = normal(512), normal(512), normal(512)
        for op, arguments in ((self.op("add"), (x, y, z)),
                              (self.op("add", functional=True), (x, y))):
            self.assertEqual(set(torch.library.opcheck(
                op.op, arguments).values()), {"SUCCESS"})

    def test_compile(self):
        """Through inductor, and through graphs that torch captures itself."""
        gemm = self.op("gemm", functional=True)
        add = self.op("add")

        def program(a, b, bias):
            c = gemm(a * 2, b).relu()
            flat = c.reshape(-1)
            out = torch.empty_like(flat)
            add(flat, bias, out)
            return out + 1

        for options in ({}, {"mode": "reduce-overhead"}, {"dynamic": True},
                        {"backend": "aot_eager"}):
            torch._dynamo.reset()
            compiled = torch.compile(program, fullgraph=True, **options)
            for m, n, k in ((256, 128, 64), (256, 128, 64), (128, 384, 256)):
                for _ in range(3):
                    a, b = integers(m, k), integers(k, n)
                    bias = torch.arange(m * n, device="cuda").float() % 16
                    self.assertTrue(torch.equal(
                        compiled(a, b, bias).clone(),
                        (2 * a.float() @ b.float()).relu().reshape(-1) + bias +
                        1), options)
            with self.assertRaises(Exception):
                compiled(integers(256, 64), integers(65, 128), bias)
        torch._dynamo.reset()

    def test_backward(self):
        gemm = self.op("gemm", functional=True)

        def save(ctx, inputs, output):
            ctx.save_for_backward(*inputs)

        def backward(ctx, gradient):
            a, b = ctx.saved_tensors
            g = gradient.bfloat16().contiguous()
            return (gemm(g, b.t().contiguous()).bfloat16(),
                    gemm(a.t().contiguous(), g).bfloat16())

        a, b = integers(64, 32).requires_grad_(), integers(32, 128)
        with self.refused("%a requires a gradient, and no backward"):
            gemm(a, b)
        gemm.register_backward(backward, setup_context=save)
        g = integers(64, 128).float()
        for program in (gemm, torch.compile(gemm, fullgraph=True)):
            a, b = (integers(64, 32).requires_grad_(),
                    integers(32, 128).requires_grad_())
            (program(a, b) * g).sum().backward()
            self.assertTrue(torch.equal(a.grad, (g @ b.float().t()).bfloat16()))
            self.assertTrue(torch.equal(b.grad, (a.float().t() @ g).bfloat16()))

    def test_transforms(self):
        total = self.op("add", functional=True)
        x = normal(4, N)
        with self.refused("vmap is refused"):
            torch.vmap(total)(x, x)
        with self.refused("has a tangent"):
            torch.func.jvp(lambda y: total(x[0], y), (x[1],), (x[2],))

    def test_capture(self):
        """In a graph that the caller captures."""
        add, total = self.op("add"), self.op("add", functional=True)
        x, y, z = normal(N), normal(N), torch.zeros(N, device="cuda")
        add(x, y, z)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            add(x, y, z)
            w = total(z, y)
            with self.refused("stride 0 of %x is 2"):
                total(normal(2 * N)[::2], y)
        for _ in range(3):
            x.copy_(normal(N))
            z.zero_()
            graph.replay()
            self.assertTrue(torch.equal(z, x + y))
            self.assertTrue(torch.equal(w, (x + y) + y))

    def test_the_page(self):
        page = (PACKAGE / "README.md").read_text()
        programs = [p for p in re.findall(r"^```python\n(.*?)^```", page,
                                          re.M | re.S) if "import torch\n" in p]
        self.assertGreater(len(programs), 0)
        add = ARTEFACTS / "add"
        load = girih.load
        for program in programs:
            if "import jax\n" in program and not has_jax():
                continue
            said = re.findall(r"print\(.*\) +# (.*)", program)
            printed = io.StringIO()
            with unittest.mock.patch.object(girih, "load", lambda _: load(add)):
                with contextlib.redirect_stdout(printed):
                    exec(program, {})
            for line, form in zip(printed.getvalue().splitlines(), said,
                                  strict=True):
                self.assertRegex(line, "^" + re.escape(form).replace(
                    r"\.\.\.", ".*") + "$")


class Streams(Case):
    def test_another_stream(self):
        """The allocator gives memory to nobody while a stream that was given
        still uses it."""
        add = girih.load(ARTEFACTS / "add")
        x, y = normal(1 << 22), normal(1 << 22)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        for given in (stream, stream.cuda_stream):
            z, kept = (torch.zeros(1 << 22, device="cuda") for _ in "zk")
            stream.wait_stream(torch.cuda.current_stream())
            launch = add.prepare(x=x, y=y, z=z)
            with torch.cuda.stream(stream):
                torch.cuda._sleep(4_000_000_000)  # some seconds
            launch(given)
            with torch.cuda.stream(stream):
                kept.copy_(z)
            address = z.data_ptr()
            del launch, z
            # It would have that address if torch had not been told.
            other = torch.full((1 << 22,), 7., device="cuda")
            self.assertFalse(stream.query(), "too late to tell")
            self.assertNotEqual(other.data_ptr(), address)
            torch.cuda.synchronize()
            self.assertTrue(torch.equal(kept, x + y))
            self.assertTrue(bool((other == 7).all()))


class Through:
    """A tensor by DLPack alone."""

    def __init__(self, tensor):
        self.tensor, self.asked = tensor, []

    def __dlpack_device__(self):
        return tuple(map(int, self.tensor.__dlpack_device__()))

    def __dlpack__(self, **options):
        self.asked.append(options["stream"])
        return self.tensor.__dlpack__(**options)


class Others(Case):
    def setUp(self):
        self.add = girih.load(ARTEFACTS / "add")
        self.x, self.y, self.z = normal(N), normal(N), normal(N)

    def test_dlpack_of_torch(self):
        x, z = Through(self.x), Through(self.z)
        self.add(x=x, y=Through(self.y), z=z)
        self.assertTrue(torch.equal(self.z, self.x + self.y))
        self.assertEqual(x.asked[0], -1)
        launch = self.add.prepare(x=x, y=self.y, z=z)
        stream = torch.cuda.Stream()
        launch(stream)
        self.assertEqual(x.asked[-1], stream.cuda_stream)
        stream.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            launch()
        self.assertEqual(x.asked[-1], -1)
        self.x.fill_(3)
        graph.replay()
        self.assertTrue(torch.equal(self.z, self.x + self.y))
        with self.refused("%x is not on the GPU: its device of DLPack is of "
                          "type 1"):
            self.add(x=Through(torch.ones(N)), y=self.y, z=self.z)
        with self.refused("the written tensor %z may share memory with %x"):
            self.add(x=x, y=self.y, z=self.x)

    def test_cupy(self):
        try:
            import cupy
        except ImportError:
            self.skipTest("no cupy")
        x, y = cupy.arange(N, dtype=np.float32), cupy.ones(N, np.float32)
        z = cupy.zeros(N, np.float32)

        class OnlyDlpack(Through):
            pass

        for through in (lambda a: a, OnlyDlpack):
            z[...] = 0
            self.add(x=through(x), y=through(y), z=through(z))
            self.assertTrue(bool((z == x + y).all()))
        with self.refused("stride 0 of %x is 2"):
            self.add(x=OnlyDlpack(cupy.ones(2 * N, np.float32)[::2]), y=y, z=z)
        # And back: what a kernel wrote, with torch's own.
        self.add(x=x, y=y, z=self.z)
        self.assertTrue(bool((cupy.from_dlpack(self.z) == x + y).all()))

    def test_jax(self):
        if not has_jax():
            self.skipTest("no JAX, or none that sees a GPU")
        import jax
        x = jax.numpy.arange(N, dtype=np.float32)
        self.add(x=x, y=self.y, z=self.z)
        torch.cuda.synchronize()
        host = torch.from_numpy(np.array(x)).cuda()
        self.assertTrue(torch.equal(self.z, host + self.y))
        with self.refused("JAX takes its arrays for immutable"):
            self.add(x=self.x, y=self.y, z=x)
        self.assertTrue(np.array_equal(
            np.array(jax.dlpack.from_dlpack(self.z)), self.z.cpu().numpy()))
        gemm = girih.load(ARTEFACTS / "gemm")
        a = jax.numpy.ones((256, 128), jax.numpy.bfloat16)
        c = torch.empty(256, 256, device="cuda")
        gemm(a=a, b=torch.ones(128, 256, device="cuda").bfloat16(), c=c)
        torch.cuda.synchronize()
        self.assertTrue(bool((c == 128).all()))


@unittest.skipIf(torch.cuda.device_count() < 2, "one GPU")
class Devices(Case):
    def test_whichever_is_current(self):
        add, op = girih.load(ARTEFACTS / "add"), self.op("add", functional=True)
        for current in (0, 1):
            with torch.cuda.device(current):
                for device in ("cuda:1", "cuda:0", "cuda:1"):
                    x, y = (torch.randn(N, device=device) for _ in "xy")
                    z = torch.zeros(N, device=device)
                    add(x=x, y=y, z=z)
                    self.assertTrue(torch.equal(z, x + y))
                    self.assertTrue(torch.equal(op(x, y), x + y))
                    launch = add.prepare(x=x, y=y, z=z.zero_())
                    launch()
                    self.assertTrue(torch.equal(z, x + y))
                host = np.arange(N, dtype=np.float32)
                add(x=host, y=y, z=z)
                self.assertTrue(torch.equal(z.cpu(), torch.from_numpy(host) +
                                            y.cpu()))
                self.assertEqual(torch.cuda.current_device(), current)
        x = torch.randn(N, device="cuda:0")
        with self.refused("%y is on cuda:1, %x on cuda:0"):
            add(x=x, y=torch.randn(N, device="cuda:1"), z=torch.zeros_like(x))
        with self.refused("lies on device 1, the kernel is on device 0"):
            add(x=x, y=Through(torch.randn(N, device="cuda:1")),
                z=torch.zeros_like(x))

    def test_streams_and_graphs_of_the_second(self):
        add = girih.load(ARTEFACTS / "add")
        x, y, z = (torch.randn(N, device="cuda:1") for _ in "xyz")
        stream = torch.cuda.Stream("cuda:1")
        stream.wait_stream(torch.cuda.current_stream("cuda:1"))
        add.prepare(x=x, y=y, z=z)(stream)
        stream.synchronize()
        self.assertTrue(torch.equal(z, x + y))
        with self.refused("stream is of cuda:0"):
            add.prepare(x=x, y=y, z=z)(torch.cuda.Stream("cuda:0"))
        with torch.cuda.device(1):
            graph = torch.cuda.CUDAGraph()
            # torch keeps the first stream it captures on, whatever its device.
            with torch.cuda.graph(graph, stream=torch.cuda.Stream("cuda:1")):
                add(x=x, y=y, z=z)
        x.fill_(2)
        with torch.cuda.device(1):
            graph.replay()
        self.assertTrue(torch.equal(z, x + y))


class Processes(Case):
    def run_program(self, code, **environment):
        return subprocess.run(
            [sys.executable, "-c", code, str(ARTEFACTS), str(PACKAGE)],
            capture_output=True, text=True, timeout=300,
            env={**os.environ, **environment})

    PROGRAM = ("import sys; sys.path.insert(0, sys.argv[2])\n"
               "import torch, girih\n"
               "x, y, z = (torch.ones(64, device='cuda') for _ in 'xyz')\n"
               "girih.load(sys.argv[1] + '/add')(x=x, y=y, z=z)\n"
               "print(z.sum().item(), torch.cuda.device_count())\n")

    def test_visible_devices(self):
        for visible in [str(k) for k in range(torch.cuda.device_count())]:
            done = self.run_program(self.PROGRAM, CUDA_VISIBLE_DEVICES=visible)
            self.assertEqual(done.stdout, "128.0 1\n", done.stderr)
        done = self.run_program(
            "import sys; sys.path.insert(0, sys.argv[2])\n"
            "import girih, numpy as np\n"
            "x = np.ones(64, np.float32)\n"
            "try:\n"
            "    girih.load(sys.argv[1] + '/add')(x=x, y=x, z=x.copy())\n"
            "except girih.Refused as refusal:\n"
            "    print(refusal.code)\n", CUDA_VISIBLE_DEVICES="")
        self.assertEqual(done.stdout, "77\n", done.stderr)

    def test_ranges(self):
        """NVIDIA's own library takes them: the one of torch's wheel."""
        found = [str(file) for place in sys.path for file in
                 [*pathlib.Path(place).glob(
                     "nvidia/*/lib/libnv*x3interop.so.1"),
                  *pathlib.Path(place).glob(
                     "nvidia/nvtx/lib/libnvToolsExt.so.1")]]
        for library in found or ["1"]:
            done = self.run_program(self.PROGRAM, GIRIH_NVTX=library)
            self.assertTrue(done.stdout.startswith("128.0 "), done.stderr)
            if found:
                self.assertNotIn("girih:", done.stderr)
        done = self.run_program(self.PROGRAM, GIRIH_NVTX="/none.so")
        self.assertTrue(done.stdout.startswith("128.0 "), done.stderr)
        self.assertIn("girih: GIRIH_NVTX: no NVTX in /none.so", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
