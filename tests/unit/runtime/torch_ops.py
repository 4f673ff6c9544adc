# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels as operators of real torch, on the fake driver, whose memory is the
host's: tensors on the CPU are handed to it as memory of a GPU. What a trace says
of drawn tensors is compared with what the contract says of them.

usage: torch_ops.py [CALLS] [--seed=N]
(the module and both libraries on their paths; exit code 77 without torch, which
is looked for in $GIRIH_TORCH_PYTHON where this Python has none)
"""

import argparse
import collections
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import random
import re
import sys
import tempfile
import unittest
import unittest.mock

try:
    import numpy as np
    import torch
except ImportError:
    other = os.environ.pop("GIRIH_TORCH_PYTHON", None)
    if other:
        os.execv(other, [other, "-B", *sys.argv])
    print("not run: no torch, or no NumPy")
    sys.exit(77)
# Of a GPU it would ask the fake driver, and fail.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import (
    DimDynamic, ShapeEnv, StatelessSymbolicContext)

import girih
from fake import artefact, sealed
from girih import dlpack

parser = argparse.ArgumentParser()
parser.add_argument("calls", nargs="?", type=int, default=300)
parser.add_argument("--seed", type=int, default=0)
OPTIONS = parser.parse_args()
SEEDS = range(OPTIONS.seed, OPTIONS.seed + OPTIONS.calls)
N, M = {"symbol": "N"}, {"symbol": "M"}
NAMES = iter(range(1 << 30))
TAKEN = torch.library.Library("girih_test", "FRAGMENT")


class Interface:
    def __init__(self, tensor):
        self.__cuda_array_interface__ = {
            "shape": tuple(tensor.shape), "version": 3,
            "strides": tuple(tensor.element_size() * n
                             for n in tensor.stride()),
            "typestr": {"float32": "<f4", "float16": "<f2", "int32": "<i4",
                        "float64": "<f8"}[str(tensor.dtype)[6:]],
            "data": (tensor.data_ptr(), False)}


def on_device(value):
    if isinstance(value, girih.launch._Known):
        value.tensor = on_device(value.tensor)
        return value
    return Interface(value) if isinstance(value, torch.Tensor) else value


class OnHost(girih.Kernel):
    """Takes tensors on the CPU for tensors on the GPU."""

    def __call__(self, **arguments):
        super().__call__(**{name: on_device(value) for name, value in
                            arguments.items()})

    def check(self, **arguments):
        super().check(**{name: on_device(value) for name, value in
                         arguments.items()})


def tensor(name, mode, dims=(N,), strides=(1,), **more):
    return {"kind": "tensor", "name": name, "dtype": "f32", "mode": mode,
            "partial": False, "dims": list(dims), "strides": list(strides),
            "align": 16, **more}


def condition(op, *args):
    return {"op": op, "args": list(args), "text": f"of {op}"}


class Case(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()

    def tearDown(self):
        self.temporary.cleanup()

    def kernel(self, change=lambda manifest: None, kind=OnHost, **more):
        """z[N] = x[N] + y[N], with another manifest."""
        folder = pathlib.Path(self.temporary.name) / str(next(NAMES))
        artefact(folder, "add", **more)
        file = folder / "manifest.json"
        manifest = json.loads(file.read_text())
        del manifest["seal"]
        change(manifest)
        file.write_text(sealed(manifest))
        return kind(folder)

    def op(self, kernel=None, **options):
        return girih.torch_op(f"girih_test::op{next(NAMES)}",
                              kernel or self.kernel(), **options)

    @contextlib.contextmanager
    def refused(self, words, kind=girih.Refused):
        with self.assertRaises(kind) as caught:
            yield
        self.assertIn(words, str(caught.exception))

    def outcome(self, function, *arguments, **named):
        """The words of a refusal without addresses, which differ, or None."""
        try:
            function(*arguments, **named)
        except (girih.Refused, RuntimeError) as error:
            return re.sub(r"lies at 0x\w+", "lies somewhere", str(error))
        return None


def schema(op):
    return str(op.op._schema).partition("(")[2]


class Operators(Case):
    def test_schemas(self):
        self.assertEqual(schema(self.op()),
                         "Tensor x, Tensor y, Tensor(a2!) z) -> ()")
        self.assertEqual(schema(self.op(functional=True)),
                         "Tensor x, Tensor y) -> Tensor")

        def modes(manifest):
            manifest["arguments"][0]["mode"] = "own"
            manifest["arguments"][1]["mode"] = "atomic<add>"
            manifest["arguments"] += [
                tensor("r", "raw"), tensor("w", "out"),
                {"kind": "scalar", "name": "alpha", "dtype": "f32"}]
            manifest["symbols"] += [
                {"name": "P", "type": "i32", "source": "caller"}]
        several = self.kernel(modes)
        self.assertEqual(
            schema(self.op(several)),
            "Tensor(a0!) x, Tensor(a1!) y, Tensor(a2!) z, Tensor(a3!) r, "
            "Tensor(a4!) w, float alpha, SymInt P) -> ()")
        with self.refused("%x is own: what it holds before matters"):
            self.op(several, functional=True)

    def test_strides(self):
        """Strides are no arguments of an operator; those of a result, of which
        nobody says anything, are packed."""
        def apart(manifest):
            for k, ld in ((0, "ldx"), (2, "ldz")):
                manifest["arguments"][k]["dims"] = [N, 4]
                manifest["arguments"][k]["strides"] = [{"symbol": ld}, 1]
                manifest["symbols"].append(
                    {"name": ld, "type": "index", "source": "stride"})
        kernel = self.kernel(apart)
        op = self.op(kernel, functional=True)
        self.assertEqual(schema(op), "Tensor x, Tensor y) -> Tensor")
        for where in ("cpu", "meta"):
            y = torch.arange(8., device=where)
            for x in (torch.zeros(8, 4, device=where),
                      torch.zeros(8, 9, device=where)[:, 4:8]):
                z = op(x, y)
                self.assertEqual((tuple(z.shape), z.stride()), ((8, 4), (4, 1)))
            with self.refused("stride 1 of %x is 8, the kernel has 1"):
                op(torch.zeros(4, 8, device=where).t(), y)

    def test_results(self):
        def two(manifest):
            manifest["arguments"].append(
                tensor("w", "out", [M, N], [N, 1], dtype="f16"))
            manifest["symbols"].append(
                {"name": "M", "type": "index", "source": "extent"})
        op = self.op(self.kernel(two), functional=True)
        self.assertEqual(schema(op), "Tensor x, Tensor y, SymInt M) -> "
                         "(Tensor, Tensor)")
        x = torch.arange(8.)
        z, w = op(x, x, 3)
        self.assertTrue(torch.equal(z, 2 * x))
        self.assertEqual((tuple(w.shape), w.stride(), w.dtype),
                         ((3, 8), (8, 1), torch.float16))
        z, w = op(x=x, y=x, M=0)
        self.assertEqual(tuple(w.shape), (0, 8))
        for m in (-1, (1 << 40) + 1, -1 << 63):
            for where in ("cpu", "meta"):
                with self.refused(f"extent 0 of %w = {m} is outside 0.."):
                    op(x.to(where), x.to(where), m)

        def partial(manifest):
            manifest["arguments"][2]["partial"] = True
        with self.refused("%z is partial: a result would have elements"):
            self.op(self.kernel(partial), functional=True)

        def outputs(manifest):
            for argument in manifest["arguments"]:
                argument["mode"] = "out"
        with self.refused("no argument says on which device"):
            self.op(self.kernel(outputs), functional=True)

        def small(manifest):
            manifest["arguments"][2]["dtype"] = "i4"
        with self.refused("has elements i4, of which torch has no tensors"):
            self.op(self.kernel(small), functional=True)

    def test_names(self):
        kernel = self.kernel()
        for name in ("sum", "a::b::c", "a::", "::b", "a b::c", "a::b.out", 3,
                     None, "a::b\0", "a::\u00e9"):
            with self.refused("is no name of an operator"):
                girih.torch_op(name, kernel)
        for other in (None, "sum", print):
            with self.refused("is no kernel"):
                girih.torch_op("girih_test::none", other)
        girih.torch_op("girih_test::twice", kernel)
        with self.refused("girih_test::twice is an operator already"):
            girih.torch_op("girih_test::twice", kernel)
        TAKEN.define("taken(Tensor x) -> ()")
        for name in ("girih_test::taken", "aten::mul", "aten::__and__"):
            with self.refused(f"{name} is an operator already"):
                girih.torch_op(name, kernel)
        with self.refused("prim::sum: "):
            girih.torch_op("prim::sum", kernel)

    def test_evidence(self):
        given = [{"fact": "within", "tensor": "ids", "args": [0, N],
                  "assumed": False, "text": "within(%ids, 0, N)"}]
        kernel = self.kernel(given=given)
        x, ids = torch.ones(8), torch.arange(8, dtype=torch.int32)
        z = torch.zeros(8)
        bare = self.op(kernel)
        for where in ("cpu", "meta"):
            with self.refused("nobody has looked at the contents of %ids"):
                bare(*(t.to(where) for t in (x, x, z, ids)))
        for options in ({"vouched": ["ids"]}, {"validated": "ids"}):
            op = self.op(kernel, **options)
            z.zero_()
            op(x, x, z, ids)
            self.assertEqual(z.sum(), 16)
            op(*(t.to("meta") for t in (x, x, z, ids)))
        with self.refused("element [7] is 9"):
            ids[7] = 9
            op(x, x, z, ids)
        for options in ({"vouched": ["id"]}, {"vouched": [3]},
                        {"vouched": ["ids"], "validated": ["ids"]}):
            with self.refused("is no tensor to vouch for"):
                self.op(kernel, **options)

    def test_devices(self):
        """A kernel that is no stand-in refuses what is on the CPU."""
        op = self.op(self.kernel(kind=girih.Kernel))
        with self.refused("%x is not on the GPU"):
            op(torch.ones(8), torch.ones(8), torch.ones(8))
        x = torch.ones(8, device="meta")
        self.assertIsNone(op(x, x, torch.ones(8, device="meta")))

    def test_torch_agrees(self):
        """Torch's own tests of an operator: schema, autograd, traces."""
        x, y, z = torch.arange(64.), torch.ones(64), torch.zeros(64)
        for op, arguments in ((self.op(), (x, y, z)),
                              (self.op(functional=True), (x, y))):
            self.assertEqual(set(torch.library.opcheck(
                op.op, arguments).values()), {"SUCCESS"})


class Through:
    """An array of somebody, through DLPack and nothing else."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return tuple(self.array.__dlpack_device__())

    def __dlpack__(self, **options):
        # What is on the CPU has no streams.
        assert options.pop("stream") == -1
        return self.array.__dlpack__(**options)


@unittest.mock.patch.object(dlpack, "_CUDA", 1)
class Producers(Case):
    """DLPack as torch, NumPy and JAX fill it in, on the CPU taken for a GPU."""

    def facts(self, array, written=False):
        return dlpack.DLPackArray("%x", array, written)

    def test_torch(self):
        names = girih.arguments._TORCH
        for name, element in names.items():
            if hasattr(torch, name) and not name.endswith("_x2"):
                t = torch.zeros(8, dtype=getattr(torch, name))
                seen = self.facts(Through(t), True)
                self.assertEqual((seen.element, seen.address, seen.extents),
                                 (element, t.data_ptr(), [8]))
        for dtype in (torch.complex64, torch.uint8, torch.uint32):
            with self.refused("no kernel has elements of DLPack's type"):
                self.facts(Through(torch.zeros(8, dtype=dtype)))
        for seed in SEEDS:
            t = Drawn(seed).named["x"]
            seen = self.facts(Through(t))
            with self.subTest(seed=seed):
                self.assertEqual(seen.extents, list(t.shape))
                if t.numel():
                    self.assertEqual(seen.address, t.data_ptr())
                self.assertEqual(
                    [s for s, n in zip(seen.strides, t.shape) if n > 1],
                    [s for s, n in zip(t.stride(), t.shape) if n > 1])
        with self.refused("its __dlpack__ fails: Can't export tensors that "
                          "require gradient"):
            self.facts(Through(torch.ones(8, requires_grad=True)))

    def test_numpy(self):
        array = np.zeros((4, 6), np.float32)[::2, ::-1]
        held = sys.getrefcount(array)
        seen = self.facts(Through(array), True)
        self.assertEqual((seen.address, seen.extents, seen.strides),
                         (array.ctypes.data, [2, 6], [12, -1]))
        self.assertGreater(sys.getrefcount(array), held)
        seen.check(None)
        del seen
        self.assertEqual(sys.getrefcount(array), held)
        array.flags.writeable = False
        self.facts(Through(array))
        with self.refused("%x is written and read-only"):
            self.facts(Through(array), True)
        self.assertEqual(sys.getrefcount(array), held)

    def test_jax(self):
        try:
            import jax
        except ImportError:
            self.skipTest("no jax")
        for element, kind in (("f32", np.float32), ("i32", np.int32),
                              ("bf16", jax.numpy.bfloat16), ("i1", bool)):
            x = jax.numpy.ones((3, 5), kind)
            seen = self.facts(x)
            self.assertEqual((seen.element, seen.address, seen.strides), (
                element, x.unsafe_buffer_pointer(), [5, 1]))
            with self.refused("%x is written, and JAX takes its arrays for "
                              "immutable"):
                self.facts(x, True)
        kernel, x = self.kernel(), jax.numpy.ones(8)
        y = torch.ones(8)
        kernel.check(x=x, y=y, z=torch.zeros(8))
        with self.refused("immutable"):
            kernel.check(x=y, y=y, z=x)
        with self.refused("N: "):
            kernel.check(x=y, y=y, z=torch.zeros(8), N=jax.numpy.int32(8))

        @jax.jit
        def traced(x):
            kernel.check(x=x, y=y, z=torch.zeros(8))

        with self.refused("%x"):
            traced(x)
        with unittest.mock.patch.object(dlpack, "_CUDA", 2):
            with self.refused("%x is not on the GPU"):
                kernel.check(x=x, y=y, z=torch.zeros(8))


class Page(Case):
    def test_programs(self):
        """Those of the page on Python print what their comments say."""
        page = pathlib.Path(girih.__file__).resolve().parents[1] / "README.md"
        programs = [p for p in re.findall(r"^```python\n(.*?)^```",
                                          page.read_text(), re.M | re.S)
                    if "import torch\n" in p]
        self.assertEqual(len(programs), 2)
        patched = unittest.mock.patch.object
        for program in programs:
            if "import jax\n" in program and not importlib.util.find_spec("jax"):
                continue
            said = re.findall(r"print\(.*\) +# (.*)", program)
            printed = io.StringIO()
            with (patched(girih, "load", lambda _: self.kernel()),
                  patched(dlpack, "_CUDA", 1),  # and no streams
                  patched(girih.Launch, "_order", lambda *_: None),
                  contextlib.redirect_stdout(printed)):
                exec(program.replace('device="cuda"', 'device="cpu"')
                     .replace("fullgraph=True)",
                              "fullgraph=True, backend='aot_eager')"), {})
            for line, form in zip(printed.getvalue().splitlines(), said,
                                  strict=True):
                self.assertRegex(line, "^" + re.escape(form).replace(
                    r"\.\.\.", ".*") + "$")


class Drawn:
    """Three tensors for the kernel: most are what it asks for."""

    def __init__(self, seed):
        r = self.r = random.Random(seed)
        n = r.choice([0, 1, 2, 8, 8, 8, 100, 1000, 1001])
        self.memory = torch.zeros(8 * 1024)
        self.named = {name: self.tensor(n, k)
                      for k, name in enumerate("xyz")}
        if r.randrange(8) == 0:
            self.named["z"] = self.named[r.choice("xy")]

    def tensor(self, n, k):
        r = self.r
        own = lambda n: torch.zeros(n)
        shared = lambda n: self.memory[1024 * k:][:n]
        kinds = {
            "own": lambda: own(n), "shared": lambda: shared(n),
            "offset": lambda: own(n + 16)[16:], "expanded":
            lambda: own(1).expand(n), "strided": lambda: own(2 * n)[::2],
            "misaligned": lambda: own(n + 1)[1:],
            "backwards": lambda: own(n + 40)[40:].as_strided(
                (n,), (1,), r.choice([0, 4, 8, 3])),
            "overlaps": lambda: self.memory[:n],
            "beside": lambda: self.memory[(n + 3) // 4 * 4 * k:][:n],
            "column": lambda: own(n * 3).reshape(n, 3)[:, 1],
            "longer": lambda: own(n + 1), "half": lambda: own(n).half(),
            "double": lambda: own(n).double(), "0-d": lambda: torch.zeros(()),
            "matrix": lambda: own(2 * n).reshape(n, 2),
            "ints": lambda: own(n).int()}
        kind = (r.choice(["own", "own", "shared", "beside", "offset"]) if
                r.randrange(6) else r.choice(list(kinds)))
        return kinds[kind]()


class Traces(Case):
    def test_drawn_tensors(self):
        """A call, its trace and the contract agree on drawn tensors."""
        kernel, seen = self.kernel(), collections.Counter()
        op, functional = self.op(kernel), self.op(kernel, functional=True)
        for seed in SEEDS:
            named = Drawn(seed).named
            with self.subTest(seed=seed):
                contract = self.outcome(kernel.check, **named)
                self.assertEqual(self.outcome(op, **named), contract, named)
                mode = FakeTensorMode()
                fakes = dict(zip(named, map(mode.from_tensor, named.values())))
                trace = self.outcome(op, **fakes)
                # The words are the library's, but for what a call meets first.
                self.assertEqual(trace is None, contract is None,
                                 (trace, contract, named))
                seen[contract is None] += 1
                x, y = named["x"], named["y"]
                contract = self.outcome(
                    kernel.check, x=x, y=y, z=torch.zeros(x.shape))
                with mode:
                    trace = self.outcome(functional, fakes["x"], fakes["y"])
                self.assertEqual(trace is None, contract is None,
                                 (trace, contract, x, y))
                if contract is None:
                    x.fill_(2)
                    self.assertTrue(torch.equal(functional(x, y), x + y))
        if len(SEEDS) >= 200:
            self.assertGreater(min(seen.values()), len(SEEDS) / 5, seen)

    def drawn_contract(self, r):
        """A[M, N], z[N] with drawn conditions and variants."""
        def expression(depth=0):
            if depth == 2 or r.randrange(3) == 0:
                return r.choice([M, N, N, r.randrange(1, 40)])
            op = r.choice(["+", "*", "min", "max", "mod", "div", "ceildiv"])
            right = (r.randrange(1, 17) if op in ("mod", "div", "ceildiv") else
                     expression(depth + 1))
            return {"op": op, "args": [expression(depth + 1), right]}

        def conditions(most):
            return [condition(r.choice(["==", "<=", ">=", "<", ">"]),
                              expression(), expression())
                    for _ in range(r.randrange(most + 1))]

        def change(manifest):
            manifest["arguments"][1] = tensor("y", "shared", [M, N], [N, 1])
            manifest["symbols"].append(
                {"name": "M", "type": "index", "source": "extent"})
            variant = manifest["variants"][0]
            variants = [{**variant, "name": f"sum{k}", "requires":
                         conditions(2), "when": conditions(1)}
                        for k in range(r.choice([1, 1, 2, 3]))]
            if r.randrange(2):
                variants[-1]["when"] = []
            manifest["variants"] = variants
        return change

    def test_symbols(self):
        """Of sizes that torch has as symbols a trace refuses what the contract
        refuses, and its guards are of these sizes."""
        seen = collections.Counter()
        for seed in SEEDS:
            r = random.Random(seed)
            kernel = self.kernel(self.drawn_contract(r))
            op = self.op(kernel)
            n, m, longer = (r.randrange(2, 40), r.randrange(2, 40),
                            r.randrange(30) == 0)
            x, y = torch.zeros(n), torch.zeros(m, n)
            z = torch.zeros(n + longer)
            if r.randrange(20) == 0:
                y = torch.zeros(n, m).t()
            with self.subTest(seed=seed):
                contract = self.outcome(kernel.check, x=x, y=y, z=z)
                mode = FakeTensorMode(shape_env=ShapeEnv())
                fakes = [mode.from_tensor(
                    t, symbolic_context=StatelessSymbolicContext(
                        dynamic_sizes=[DimDynamic.DYNAMIC] * t.dim()))
                    for t in (x, y, z)]
                self.assertFalse(isinstance(fakes[0].shape[0], int))
                trace = self.outcome(op, *fakes)
                self.assertEqual(trace is None, contract is None,
                                 (trace, contract, n, m))
                seen[contract is None] += 1
        if len(SEEDS) >= 200:
            self.assertGreater(min(seen.values()), len(SEEDS) / 10, seen)

    def test_huge(self):
        """Sizes that no machine has, at the bounds of every launch."""
        def free(manifest):
            manifest["variants"][0]["requires"] = []
        op, results = (self.op(self.kernel(free), functional=f)
                       for f in (False, True))
        # 2^31 - 1 blocks at most, of 128 elements.
        for n, words in (((1 << 38) - 128, None),
                         (1 << 38, "grid[0] = 2147483648 is outside"),
                         (1 << 40, "grid[0] = 8589934592 is outside"),
                         ((1 << 40) + 1, "= 1099511627777 is outside")):
            x, y, z = (torch.empty(n, device="meta") for _ in "xyz")
            for call in (lambda: op(x, y, z), lambda: results(x, y)):
                with self.refused(words) if words else (
                        contextlib.nullcontext()):
                    call()

    def test_compile(self):
        """One graph for all sizes that the contract admits."""
        op, results = self.op(), self.op(functional=True)
        graphs = []

        def backend(graph, inputs):
            graphs.append(graph)
            return graph

        def program(x, y, z):
            op(x, y, z)
            return 3 * results(z, y) - x

        for kind in (backend, "aot_eager"):
            torch._dynamo.reset()
            compiled = torch.compile(program, fullgraph=True, dynamic=True,
                                     backend=kind)
            for n in (64, 8, 1000, 12):
                x, y, z = torch.randn(n), torch.randn(n), torch.zeros(n)
                self.assertTrue(torch.equal(compiled(x, y, z),
                                            3 * ((x + y) + y) - x))
                self.assertTrue(torch.equal(z, x + y))
            self.assertEqual(len(graphs), 1)
            calls = [node.target for node in graphs[0].graph.nodes
                     if node.op == "call_function"]
            self.assertIn(op.op, calls)
            with self.refused("requires N <= 1000", Exception):
                compiled(*(torch.ones(1001) for _ in "xyz"))
            with self.refused("not", Exception):
                compiled(torch.ones(8), torch.ones(8), torch.ones(9))

    def test_scalars_and_symbols(self):
        """Which torch may trace as symbols of its own."""
        op = self.op(self.kernel(
            arguments=[{"kind": "scalar", "name": "alpha", "dtype": "f32"}],
            symbols=[{"name": "k", "type": "i32", "source": "caller"}]),
            functional=True)
        self.assertEqual(schema(op), "Tensor x, Tensor y, float alpha, "
                         "SymInt k) -> Tensor")
        x = torch.arange(8.)
        for dynamic in (False, True):
            compiled = torch.compile(lambda x, a, k: op(x, x, a * 2, k + 1),
                                     fullgraph=True, dynamic=dynamic,
                                     backend="aot_eager")
            for alpha, k in ((1.5, 3), (2.5, 4), (0.0, -7)):
                self.assertTrue(torch.equal(compiled(x, alpha, k), 2 * x))
        for where in ("cpu", "meta"):
            with self.refused("%alpha = 1e+39 is beyond the numbers of f32"):
                op(x.to(where), x.to(where), 1e39, 3)
            with self.refused("k = 2147483648 is outside"):
                op(x.to(where), x.to(where), 1.0, 1 << 31)

    @unittest.skipUnless(hasattr(torch, "float4_e2m1fn_x2"), "an older torch")
    def test_two_numbers_an_element(self):
        def packed(manifest):
            manifest["arguments"][0]["dtype"] = "f4E2M1FN"
        op = self.op(self.kernel(packed), functional=True)
        x = torch.empty(64, dtype=torch.float4_e2m1fn_x2, device="meta")
        self.assertEqual(op(x, torch.ones(128, device="meta")).shape[0], 128)
        with self.refused("extent 0 of %y is 64, not 128"):
            op(x, torch.ones(64, device="meta"))
        with self.refused("of pairs, the last axis of which must be packed"):
            op(x[::2], torch.ones(64, device="meta"))

    def test_slices_of_one_tensor(self):
        """What shares memory and what does not, compiled as uncompiled."""
        op = self.op()

        def program(memory, at):
            op(memory[:64], memory[64:128], memory[at:at + 64])
            return memory.sum()

        compiled = torch.compile(program, fullgraph=True, dynamic=False,
                                 backend="aot_eager")
        for at, words in ((128, None), (160, None), (32, "share memory"),
                          (64, "share memory"), (0, "share memory"),
                          (130, "not aligned to 16 bytes")):
            one, other = (torch.arange(256.) for _ in range(2))
            if words:
                for function in (program, compiled):
                    with self.refused(words, Exception):
                        function(one, at)
                self.assertTrue(torch.equal(one, torch.arange(256.)))
            else:
                self.assertEqual(compiled(one, at), program(other, at))
                self.assertTrue(torch.equal(one, other))
                self.assertEqual(one[at + 3], 3 + 67)

    def test_export(self):
        results = self.op(functional=True)

        class Module(torch.nn.Module):
            def forward(self, x, y):
                return results(x, y) * 2

        size = torch.export.Dim("size", min=2, max=1000)
        program = torch.export.export(
            Module(), (torch.ones(8), torch.ones(8)),
            dynamic_shapes={"x": {0: size}, "y": {0: size}})
        x = torch.arange(100.)
        self.assertTrue(torch.equal(program.module()(x, x), 4 * x))
        with self.assertRaises(Exception):
            torch.export.export(
                Module(), (torch.ones(2000), torch.ones(2000)))

    def test_sizes_that_depend_on_data(self):
        """The launch tells, where a trace cannot."""
        results = self.op(functional=True)

        @torch.compile(fullgraph=True, backend="aot_eager")
        def positive(x):
            kept = x[x.nonzero().squeeze(1)]
            return results(kept, kept)

        with torch._dynamo.config.patch(
                capture_dynamic_output_shape_ops=True):
            self.assertTrue(torch.equal(
                positive(torch.tensor([1., 0, 2, 0, 3])),
                torch.tensor([2., 4, 6])))
            with self.assertRaises(Exception):
                positive(torch.ones(1500))


class Transforms(Case):
    def test_vmap(self):
        x = torch.ones(3, 8)
        for op, arguments in ((self.op(), (x, x, x.clone())),
                              (self.op(functional=True), (x, x))):
            with self.refused("is a kernel without a batch axis: vmap is "
                              "refused"):
                torch.vmap(op.op)(*arguments)
            with self.refused("vmap is refused"):
                torch.vmap(op, in_dims=(0,) + (None,) * (len(arguments) - 1))(
                    x, *(a[0] for a in arguments[1:]))

    def test_gradients_are_refused(self):
        w = torch.ones(8, requires_grad=True)
        x, z = torch.ones(8), torch.zeros(8)
        words = "%x requires a gradient, and no backward is registered"
        op, results = self.op(), self.op(functional=True)
        for call in (lambda x: op(x, x, z), lambda x: results(x, x)):
            with self.refused(words):
                call(w)
            self.assertEqual(z.sum(), 0)
            with self.refused("", Exception):
                torch.compile(call, fullgraph=True, backend="aot_eager")(w)
            with torch.no_grad():
                call(w)
            z.zero_()
            call(w.detach())
            z.zero_()
            with torch.inference_mode():
                call(x)
            z.zero_()
        with self.refused("%z requires a gradient"):
            op(x, x, w)
        with self.refused(words):
            torch.func.grad(lambda x: results(x, x).sum())(x)
        with self.refused("%y has a tangent"):
            torch.func.jvp(lambda y: results(x, y), (x,), (x,))
        # What is no part of it has its gradient.
        self.assertTrue(torch.equal(torch.func.grad(
            lambda a: (a * results(x, x)).sum())(torch.ones(8)), 2 * x))

    def test_backward(self):
        results = self.op(functional=True)

        @results.register_backward
        def backward(ctx, gradient):
            gradient = gradient.contiguous()  # of a sum, it is expanded
            return gradient, results(gradient, gradient) / 2

        x, y = (torch.randn(8, requires_grad=True) for _ in "xy")
        (results(x, y) * torch.arange(8.)).sum().backward()
        for t in (x, y):
            self.assertTrue(torch.equal(t.grad, torch.arange(8.)))
        compiled = torch.compile(lambda x, y: results(2 * x, y).sum(),
                                 fullgraph=True, dynamic=True,
                                 backend="aot_eager")
        for n in (8, 100):
            x, y = (torch.randn(n, requires_grad=True) for _ in "xy")
            compiled(x, y).backward()
            self.assertTrue(torch.equal(x.grad, torch.full((n,), 2.)))
            self.assertTrue(torch.equal(y.grad, torch.ones(n)))
        self.assertEqual(set(torch.library.opcheck(
            results.op, (x, y)).values()), {"SUCCESS"})
        with self.refused("torch.func differentiates no operator of girih"):
            torch.func.grad(lambda x: results(x, x).sum())(torch.ones(8))
        with self.refused("has a backward already"):
            results.register_backward(backward)
        with self.refused("cannot be called"):
            self.op(functional=True).register_backward(None)
        with self.refused("writes its arguments, through which torch passes "
                          "no gradient"):
            self.op().register_backward(backward)

    def test_what_a_backward_saves(self):
        results = self.op(functional=True)

        def save(ctx, inputs, output):
            ctx.save_for_backward(*inputs, output)

        def backward(ctx, gradient):
            x, y, z = ctx.saved_tensors
            assert torch.equal(x + y, z)
            assert ctx.needs_input_grad == (True, False)
            return gradient * x, None

        results.register_backward(backward, setup_context=save)
        x = torch.arange(8., requires_grad=True)
        y = torch.ones(8)
        results(x, y).sum().backward()
        self.assertTrue(torch.equal(x.grad, torch.arange(8.)))
        # A saved tensor that changes since is found out.
        loss = results(x, y).sum()
        y.add_(1)
        with self.refused("modified by an inplace operation", RuntimeError):
            loss.backward()


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
