# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A hostile caller of `import girih`, on the fake driver: arguments are drawn
with what they truly are, or that they are nothing a kernel can take, and a
model in exact integers says whether the launch must be refused. What is
accepted must reach the driver as it is.

usage: border.py [CALLS] [--seed=N] [--drawn] [--through=WAY]
(the module and both libraries on their paths)

Calls are drawn with the seeds from N on, 0 by default; a test that fails says
with which. --drawn leaves out what is not drawn. WAY is how the module reaches
tensors and library: `attributes` or `exchange` (of DLPack) through its extension,
or `ctypes`. What the extension makes of a call is compared with what Python alone
makes of it.
"""

import argparse
import collections
import ctypes
import gc
import pathlib
import sys
import tempfile
import threading
import unittest

import numpy as np

import torch_stand_in
from border_draws import BYTES, DEVICES, LAST, Draw, Interface
from fake import artefact

parser = argparse.ArgumentParser()
parser.add_argument("calls", nargs="?", type=int, default=1500)
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--drawn", action="store_true")
parser.add_argument("--through", default="attributes",
                    choices=["attributes", "exchange", "ctypes"])
OPTIONS = parser.parse_args()
torch = torch_stand_in.install(exchange=OPTIONS.through == "exchange")
if OPTIONS.through == "ctypes":
    sys.modules["girih._launch"] = None
import girih
import girih.launch
import dlpack_stand_in

CALLS, SEEDS = OPTIONS.calls, range(OPTIONS.seed,
                                    OPTIONS.seed + OPTIONS.calls)
driver = ctypes.CDLL("libcuda.so.1")
driver.fakeParameter.restype = ctypes.c_uint64
driver.fakeRange.argtypes = [ctypes.c_uint64, ctypes.c_uint64, ctypes.c_int,
                             ctypes.c_int]
driver.fakeCapture.argtypes = [ctypes.c_void_p, ctypes.c_int]


def admitted(call, grad):
    """The contract of z[N] = x[N] + y[N], in exact integers."""
    truths = {name: truth for name, (_, truth) in call.items()}
    for name in "xyz":
        t = truths[name]
        if t is None or t.fact is False or t.element != "f32":
            return False
        if name == "z" and (t.fact in ("readonly", "overlap") or
                            (t.fact == "gradient" and grad)):
            return False
    n = truths["x"].extent
    if any(truths[name].extent != n for name in "xyz") or not 0 <= n <= 1000:
        return False
    for symbol, value in (("N", n), ("k", None)):
        if symbol in truths:
            given = truths[symbol]
            if given is None or not 0 <= given <= 1 << 40 or (
                    value is not None and given != value):
                return False
    if "k" not in truths or not truths["alpha"]:
        return False
    devices = {truths[name].place[0] for name in "xyz"
               if truths[name].kind == "torch"}
    if len(devices) > 1:
        return False
    if any(truths[name].address is not None and
           not 0 <= truths[name].address < 1 << 64 for name in "xyz"):
        return False
    if n == 0:
        return True
    places = set()
    for name in "xyz":
        t = truths[name]
        if t.kind == "numpy":
            places.add(max(devices, default=0))  # of its copy
            continue
        bases = [memory.ctypes.data for memory in DEVICES]
        lies = [k for k, base in enumerate(bases)
                if base <= t.address and t.address + 4 * n <= base + BYTES]
        if (1 << 64) - LAST <= t.address and t.address + 4 * n <= 1 << 64:
            lies = [0]
        places.update(lies)
        if (n > 1 and t.stride != 1) or t.address % 16 or not lies:
            return False
    if len(places) > 1:
        return False
    z = truths["z"]
    for name in "xy":
        t = truths[name]
        if t.kind == z.kind == "numpy":
            if np.shares_memory(t.place[1], z.place[1]):
                return False
        elif "numpy" not in (t.kind, z.kind) and (
                t.address < z.address + 4 * n and
                z.address < t.address + 4 * n):
            return False
    return True


class Border(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.temporary.name) / "sum"
        artefact(folder, "add",
                 arguments=[{"kind": "scalar", "name": "alpha",
                             "dtype": "f32"}],
                 symbols=[{"name": "k", "type": "index",
                           "source": "caller"}])
        self.fresh()
        self.kernel = girih.load(folder)
        self.assertEqual(girih.launch._extension is None,
                         OPTIONS.through == "ctypes")

    def tearDown(self):
        self.temporary.cleanup()

    def fresh(self):
        driver.fakeReset()
        for device, memory in enumerate(DEVICES):
            driver.fakeRange(memory.ctypes.data, BYTES, device, 2)
        driver.fakeRange((1 << 64) - LAST, LAST, 0, 2)

    def device(self, k, n=8):
        address = DEVICES[0].ctypes.data + 4096 * k
        return torch.Tensor(address, (n,), (1,))

    def good(self, **others):
        call = {"x": self.device(0), "y": self.device(1), "z": self.device(2),
                "alpha": 1, "k": 3}
        return {**call, **others}

    def refuses(self, words, function, *args, asked=0, **arguments):
        """`asked` calls of the driver may fail: questions that ruin nothing."""
        before = driver.fakeLaunches()
        with self.assertRaises(girih.Refused) as caught:
            function(*args, **arguments)
        self.assertIn(words, str(caught.exception))
        self.assertEqual(caught.exception.code, 3)
        self.assertEqual(driver.fakeLaunches(), before)
        self.assertEqual(driver.fakeFailed(), asked)

    def test_drawn_calls(self):
        outcomes = collections.Counter()
        gc.collect()
        live = driver.fakeLive()
        for seed in SEEDS:
            draw = Draw(seed)
            n = draw.one(0, 1, 2, 8, 8, 8, 8, 8, 16, 1000)
            call = {name: draw.tensor(n, k) for k, name in enumerate("xyz")}
            if not draw.often(25):
                call["z"] = call[draw.one("x", "y")]
            if not draw.often(4):
                call["N"] = draw.integer(n)
            if draw.often(40):
                call["k"] = (draw.integer(3) if not draw.often(3) else (3, 3))
            call["alpha"] = draw.number()
            grad = draw.often(2)
            expected = admitted(call, grad)
            before = driver.fakeLaunches()
            with self.subTest(seed=seed):
                self.attempt(call, grad, expected)
                outcomes[expected] += 1
                launched = expected and call["x"][1].extent > 0
                self.assertEqual(driver.fakeLaunches() - before,
                                 int(launched))
                # What is refused is refused before the driver is asked.
                self.assertEqual(driver.fakeFailed(), 0)
                if launched:
                    self.compare(call)
        del call
        gc.collect()
        self.assertEqual(driver.fakeLive(), live)
        if CALLS >= 500:
            self.assertGreater(min(outcomes.values()), CALLS / 10, outcomes)

    def attempt(self, call, grad, expected):
        values = {name: value for name, (value, _) in call.items()}
        reason = None
        try:
            if grad:
                self.kernel(**values)
            else:
                with torch.no_grad():
                    self.kernel(**values)
        except girih.Refused as refusal:
            reason = str(refusal)
            self.assertEqual(refusal.code, 3, reason)
        self.assertEqual(reason is None, expected,
                         f"{reason}: {call} " + str([
                             getattr(v, "given", "") for v in values.values()]))

    def outcome(self, function, written, /, *arguments, **named):
        """The reason of a refusal, what the driver got, and how often torch
        was told of a write."""
        before, told = driver.fakeLaunches(), getattr(written, "version", 0)
        try:
            function(*arguments, **named)
            reason = None
        except girih.Refused as refusal:
            reason = refusal.code, str(refusal)
        launched = driver.fakeLaunches() - before
        return reason, launched, getattr(written, "version", 0) - told, (
            [driver.fakeParameter(k) for k in range(4)] if launched else [])

    def test_both_ways_agree(self):
        """A call, and a call of what was prepared, through the extension and
        through Python alone; NumPy arrays are copied elsewhere each time, so
        without them. A shape that comes again is remembered."""
        same = collections.Counter()
        for seed in SEEDS:
            draw = Draw(seed)
            n = draw.one(0, 1, 8, 8, 8, 16, 1000)
            call = {name: draw.torch(n, k)[0] if draw.often(12) else
                    draw.interface(n, k)[0] for k, name in enumerate("xyz")}
            call.update(k=draw.integer(3)[0], alpha=draw.number()[0])
            if not draw.often(4):
                call["N"] = draw.integer(n)[0]
            if not draw.often(20):
                del call[draw.one(*call)]
            if not draw.often(8):
                call["z"] = call.get("x")
            names = list(call)
            draw.r.shuffle(names)
            call = {name: call[name] for name in names}
            with self.subTest(seed=seed):
                z = call.get("z")
                alone = self.outcome(self.kernel._call_slowly, z, **call)
                for _ in range(2):
                    self.assertEqual(self.outcome(self.kernel, z, **call),
                                     alone, call)
                same[alone[0] is None] += 1
                if alone[0] is not None:
                    continue
                launch = self.kernel.prepare(**call)
                for stream in (None, 64, True):
                    self.assertEqual(
                        self.outcome(launch, z, stream),
                        self.outcome(launch._call_slowly, z, stream))
                name = draw.one("x", "y", "z")
                draw.change(call[name], name == "z")
                self.assertEqual(self.outcome(launch, z),
                                 self.outcome(launch._call_slowly, z))
                self.assertEqual(
                    self.outcome(self.kernel, z, **call),
                    self.outcome(self.kernel._call_slowly, z, **call))
        if CALLS >= 500:
            self.assertGreater(min(same.values()), CALLS / 20, same)

    def test_what_goes_through_the_extension(self):
        """Plain calls do not come to Python."""
        class Kernel(girih.Kernel):
            slow = 0

            def _call_slowly(self, **arguments):
                Kernel.slow += 1
                super()._call_slowly(**arguments)

        kernel = Kernel(pathlib.Path(self.temporary.name) / "sum")
        fast = OPTIONS.through != "ctypes"
        for number, more in enumerate(({}, {"alpha": 2.5}, {"N": 8}, {
                "x": girih.vouched(self.device(0))}), 1):
            kernel(**self.good(**more))
            self.assertEqual(Kernel.slow, 0 if fast else number)
        before = Kernel.slow
        kernel(**self.good(k=np.int64(3)))
        kernel(**self.good(x=np.zeros(8, np.float32)))
        self.assertEqual(Kernel.slow, before + 2)
        tensor = self.device(0)
        held = sys.getrefcount(tensor)
        call = self.good(x=tensor, y=girih.vouched(tensor))
        for _ in range(10):
            kernel(**call)
        self.assertRaises(girih.Refused, kernel, **{**call, "z": tensor})
        launch = kernel.prepare(**call)
        launch()
        del launch, call
        gc.collect()
        self.assertEqual(sys.getrefcount(tensor), held)
        self.assertRaises(TypeError, kernel, tensor)

    def test_threads(self):
        """Other names of one kernel in other threads."""
        def work(names):
            for _ in range(200):
                self.kernel(**{name: self.good()[name] for name in names})

        before = driver.fakeLaunches()
        threads = [threading.Thread(target=work, args=(names,)) for names in (
            ("x", "y", "z", "alpha", "k"), ("k", "alpha", "z", "y", "x"),
            ("y", "k", "x", "alpha", "z"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(driver.fakeLaunches() - before, 600)

    def compare(self, call):
        for k, name in enumerate("xyz"):
            truth = call[name][1]
            if truth.kind != "numpy":
                self.assertEqual(driver.fakeParameter(k), truth.address)
        self.assertEqual(driver.fakeParameter(3), call["x"][1].extent)
        z = call["z"][0]
        if call["z"][1].kind == "torch" and not z.inference:
            self.assertEqual(z.version, 1)
        for name in "xy":
            if call[name][1].kind == "torch" and call[name][0] is not z:
                self.assertEqual(call[name][0].version, 0)

    def test_numbers_of_numpy(self):
        self.kernel(**self.good(k=np.int64(5)))
        self.kernel(**self.good(k=np.uint16(5), alpha=np.float32(2)))
        for value in (1.9, "1", (1 << 64) + 1, True, np.True_, None,
                      np.array(1)):
            self.refuses("k: ", self.kernel, **self.good(k=value))
        self.refuses("18446744073709551617 is outside", self.kernel,
                     **self.good(k=(1 << 64) + 1))

    def test_names(self):
        call = self.good()
        self.refuses("contains a null", self.kernel, **{**call, "x\0y": 1})
        self.refuses("is no text", self.kernel, **{**call, "\ud800": 1})
        self.refuses("w: ", self.kernel, **{**call, "w": self.device(3)})
        self.refuses("no symbol w", self.kernel, **{**call, "w": 1})
        for folder in ("a\0b", 3, None):
            self.refuses("", girih.load, folder)

    def test_extents_past_64_bits(self):
        def array(shape, strides=None):
            return Interface({"shape": shape, "typestr": "<f4", "version": 3,
                              "data": (DEVICES[0].ctypes.data, False),
                              "strides": strides})
        for shape, strides in ((((1 << 64) + 8,), None),
                               ((8,), (4 + (1 << 66),)),
                               ((1 << 40, 1 << 40), None)):
            self.refuses("%x", self.kernel,
                         **self.good(x=array(shape, strides)))

    def test_fields_of_records(self):
        # 6 bytes from element to element are no 1 element.
        self.refuses("stride of 6 bytes, which its elements of 4 bytes do not "
                     "divide", self.kernel, **self.good(z=Interface({
                         "shape": (8,), "typestr": "<f4", "version": 3,
                         "data": (DEVICES[0].ctypes.data, False),
                         "strides": (6,)})))
        records = np.zeros(8, [("a", "<i2"), ("f", "<f4")])
        self.kernel(**self.good(z=records["f"]))
        self.assertFalse(records["a"].any())

    def test_after_prepare(self):
        """Whatever of an argument changes after prepare is found out."""
        def interface(address):
            return {"shape": (8,), "typestr": "<f4", "version": 3,
                    "data": (address, False)}
        base = DEVICES[0].ctypes.data
        for name, changes in {
                "x": dict(address=base + 8192 * 3, shape=(16,), strides=(2,),
                          dtype="torch.float16", negated=True,
                          device=torch_stand_in.Device("cuda:1"), fails=True),
                "z": dict(address=0, shape=(9,), requires_grad=True)}.items():
            for fact, value in changes.items():
                call = self.good()
                launch = self.kernel.prepare(**call)
                launch()
                setattr(call[name], fact, value)
                self.refuses("%" + name, launch)
        call = self.good(x=Interface(interface(base)))
        launch = self.kernel.prepare(**call)
        launch()
        call["x"].given["data"] = (base + 4096 * 4, False)
        self.refuses(f"%x has changed since prepare: address {base + 16384}, "
                     f"was {base}", launch)
        z = np.zeros(8, np.float32)
        launch = self.kernel.prepare(**self.good(z=z))
        launch()
        z.flags.writeable = False
        self.refuses("%z is written and read-only", launch)
        z.flags.writeable = True
        z.shape = (2, 4)
        self.refuses("%z has changed since prepare: shape (2, 4), was (8,)",
                     launch)

    def test_drawn_changes(self):
        """An argument that was prepared changes, or comes to what it was."""
        refused = 0
        for seed in SEEDS[:CALLS // 4]:
            draw = Draw(seed)
            call = {name: draw.plain(k) for k, name in enumerate("xyz")}
            with self.subTest(seed=seed):
                self.fresh()
                launch = self.kernel.prepare(**call, alpha=1, k=3)
                name = draw.one(*call)
                changed = draw.change(call[name], name == "z")
                before, reason = driver.fakeLaunches(), None
                try:
                    launch()
                except girih.Refused as refusal:
                    reason = str(refusal)
                self.assertEqual(reason is not None, changed,
                                 f"{reason}: {call[name]}")
                self.assertEqual(driver.fakeLaunches() - before,
                                 int(not changed))
                refused += changed
        if CALLS >= 500:
            self.assertGreater(refused, CALLS / 10)
            self.assertLess(refused, CALLS / 4)

    def test_gradients(self):
        call = self.good()
        call["z"].requires_grad = True
        self.refuses("%z is written and requires a gradient", self.kernel,
                     **call)
        with torch.no_grad():
            launch = self.kernel.prepare(**call)
            launch()
        self.assertEqual(call["z"].version, 1)
        self.refuses("%z is written and requires a gradient", launch)
        self.assertEqual(call["z"].version, 1)
        call["z"].requires_grad = False
        call["x"].requires_grad = True
        launch()
        self.assertEqual((call["z"].version, call["x"].version), (2, 0))
        call["z"].inference = True
        launch()

    def test_devices(self):
        other = torch.Tensor(DEVICES[1].ctypes.data, (8,), (1,),
                             device="cuda:1")
        self.refuses("%y is on cuda:1, %x on cuda:0", self.kernel,
                     **self.good(y=other))
        elsewhere = Interface({"shape": (8,), "typestr": "<f4", "version": 3,
                               "data": (DEVICES[1].ctypes.data, False)})
        self.refuses("lies on device 1, the kernel is on device 0",
                     self.kernel, **self.good(y=elsewhere))
        # The kernel has its code on both, whichever is current.
        there = {name: torch.Tensor(DEVICES[1].ctypes.data + 4096 * k, (8,),
                                    (1,), device="cuda:1")
                 for k, name in enumerate("xyz")}
        for turn in range(3):
            for call in (self.good(), {**self.good(), **there}):
                self.kernel(**call)
                self.assertEqual(driver.fakeParameter(2), call["z"].address)
                self.assertEqual(driver.fakeCurrent(), -1)
        launch = self.kernel.prepare(**{**self.good(), **there})
        launch()
        self.refuses("lies on device 0, the kernel is on device 1",
                     self.kernel, **{**self.good(), **there,
                                     "z": self.dlpack(2)})
        self.assertEqual(driver.fakeModules(), 2)
        # Torch exports through DLPack what is on its current device alone.
        array = dlpack_stand_in.Array(DEVICES[1].ctypes.data, (8,),
                                      device=(2, 1))
        array.says = lambda: self.assertEqual(driver.fakeCurrent(), 1)
        self.kernel(**{**self.good(), **there, "x": array})
        self.kernel.prepare(**{**self.good(), **there, "x": array})()
        self.assertEqual(driver.fakeCurrent(), -1)
        self.refuses("%x: its __dlpack__ fails: CUDA error: invalid device",
                     self.kernel, **self.good(x=dlpack_stand_in.Array(
                         DEVICES[1].ctypes.data, (8,), device=(2, 7))))
        x = np.arange(8, dtype=np.float32)
        self.kernel(**{**self.good(), **there, "x": x})
        self.assertEqual(driver.fakeCurrent(), -1)

    def dlpack(self, k, made=dlpack_stand_in.Array, **facts):
        return made(DEVICES[0].ctypes.data + 4096 * k, (8,), **facts)

    def test_dlpack(self):
        x, z = self.dlpack(0), self.dlpack(2, offset=64, strides=(1,))
        launch = self.kernel.prepare(**self.good(x=x, z=z))
        self.assertEqual((x.asked, z.asked), ([-1], [-1]))
        launch()
        self.assertEqual(driver.fakeParameter(2),
                         DEVICES[0].ctypes.data + 2 * 4096 + 64)
        launch(64)
        launch(2)
        # Its stream waits for whoever fills them: 1 is the default one.
        self.assertEqual((x.asked, z.asked), ([-1, 1, 64, 2],) * 2)
        self.kernel.check(**self.good(x=x, z=z))
        self.assertEqual(x.asked[-1], -1)
        old = self.dlpack(0, dlpack_stand_in.Old)
        self.kernel(**self.good(x=old))
        self.refuses("%z is written, and DLPack before 1.0 does not say",
                     self.kernel, **self.good(z=old))
        self.refuses("%z is written and read-only", self.kernel,
                     **self.good(z=self.dlpack(2, flags=1)))
        self.refuses("%x would be a copy", self.kernel,
                     **self.good(x=self.dlpack(0, flags=2)))
        self.refuses("%x has version 2 of DLPack, not 1", self.kernel,
                     **self.good(x=self.dlpack(0, major=2)))
        self.refuses("%x is not on the GPU: its device of DLPack is of type 1",
                     self.kernel, **self.good(x=self.dlpack(0, on=(1, 0))))
        self.refuses("%x is on device (2, 0) by its __dlpack_device__ and on "
                     "(1, 0) by its __dlpack__", self.kernel,
                     **self.good(x=self.dlpack(0, on=(2, 0), device=(1, 0))))
        self.refuses("lies on device 1, the kernel is on device 0",
                     self.kernel, **self.good(y=dlpack_stand_in.Array(
                         DEVICES[1].ctypes.data, (8,), device=(2, 1))))
        self.refuses("the written tensor %z may share memory with %y",
                     self.kernel, **self.good(z=self.dlpack(1)))
        self.refuses("k: ", self.kernel, **self.good(k=self.dlpack(0)))
        self.refuses("%alpha: ", self.kernel, **self.good(alpha=z))

    def test_dlpack_is_given_back(self):
        counts = dlpack_stand_in.counts
        gc.collect()
        before = dict(counts)
        used = self.dlpack(0).__dlpack__()
        x = self.dlpack(0)
        x.gives = used
        launch = self.kernel.prepare(**self.good(x=x))
        # One capsule is for one consumer.
        self.refuses("no capsule of a tensor, or one that was used already",
                     launch)
        x.gives = None
        launch()
        for bad in ({"major": 3}, {"flags": 2}, {"kind": (9, 9)}, {"ndim": -1},
                    {"name": b"tensor"}):
            with self.assertRaises(girih.Refused):
                self.kernel(**self.good(x=self.dlpack(0, **bad)))
        self.assertEqual(counts["returned"] - before["returned"],
                         counts["made"] - before["made"] - 2)
        del launch, used, x
        gc.collect()
        # Of a capsule with another name nobody knows what it holds.
        self.assertEqual(counts["returned"] - before["returned"],
                         counts["made"] - before["made"] - 1)
        self.assertEqual(counts["twice"], 0)

    def test_dlpack_that_changes(self):
        """Between calls, and in the middle of one."""
        for change in ({"address": DEVICES[0].ctypes.data + 8192 * 3},
                       {"shape": (9,)}, {"strides": (2,)}):
            x = self.dlpack(0, strides=(1,))
            launch = self.kernel.prepare(**self.good(x=x))
            launch()
            x.given.update(change)
            self.refuses("%x has changed since prepare", launch)
        for facts in ({"kind": (2, 16)}, {"device": (13, 0)}, {"flags": 1}):
            z = self.dlpack(2)
            launch = self.kernel.prepare(**self.good(z=z))
            z.facts.update(facts)
            self.refuses("%z ", launch)

        class Stop(BaseException):
            pass

        def stop():
            raise Stop

        x = self.dlpack(0)
        launch = self.kernel.prepare(**self.good(x=x))
        x.says, before = stop, driver.fakeLaunches()
        self.assertRaises(Stop, launch)
        self.assertRaises(Stop, self.kernel, **self.good(x=x))
        self.assertEqual(driver.fakeLaunches(), before)
        # It calls the kernel, or moves what was looked at already.
        x.says = lambda: self.kernel(**self.good())
        launch()
        self.assertEqual(driver.fakeLaunches(), before + 2)
        call = self.good(x=self.dlpack(0))
        call["x"].says = lambda: setattr(call["z"], "address", 0)
        self.refuses("%z has changed since prepare: address 0", self.kernel,
                     **{name: call[name] for name in reversed(call)})

    def test_arrays_that_share_memory(self):
        x = np.ones(16, np.float32)
        call = self.good(x=x[:8])
        self.refuses("the written array %z shares memory with %x", self.kernel,
                     **{**call, "z": x[4:12]})
        self.kernel(**{**call, "z": x[8:]})

    def test_captures(self):
        stream = torch_stand_in.Stream(64, "cuda:0")
        call = self.good()
        z = np.zeros(8, np.float32)
        host = self.kernel.prepare(**{**call, "z": z})
        launch = self.kernel.prepare(**call)
        others = self.dlpack(0)
        others = self.kernel.prepare(**self.good(x=others)), others
        for blocking in (0, 1):
            self.fresh()
            driver.fakeCapture(64, blocking)
            torch_stand_in.current.update(handle=64, captured=True)
            launch()
            self.refuses("cannot be captured", host)
            self.refuses("cannot be captured", host, stream)
            others[0](64)
            self.assertEqual(others[1].asked[-1], -1)
            self.refuses("cannot be captured", self.kernel.prepare,
                         **{**call, "z": z})
            torch_stand_in.current.update(handle=0, captured=False)
            self.refuses("cannot be captured", host, 64)
            if blocking:
                self.refuses("a graph is captured", host, asked=1)
                self.refuses("a graph is captured", launch, 0, asked=2)
            self.assertFalse(driver.fakeRuined())
        self.fresh()
        host()

    def test_streams(self):
        call = self.good()
        launch = self.kernel.prepare(**call)
        x = call["x"]
        launch(64)
        launch(torch_stand_in.Stream(64, "cuda:0"))
        self.assertEqual(x.used_on, [64, 64])
        # Of the current one torch knows.
        launch()
        launch(0)
        torch_stand_in.current["handle"] = 64
        launch(64)
        self.assertEqual(x.used_on, [64, 64])
        launch(0)
        launch(1)
        torch_stand_in.current["handle"] = 0
        self.assertEqual(x.used_on, [64, 64, 0, 0])
        for stream in (1.0, "1", -1, 1 << 64, True):
            self.refuses("stream: ", launch, stream)
        self.refuses("stream is of cuda:1, the tensors are on cuda:0", launch,
                     torch_stand_in.Stream(64, "cuda:1"))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0],
                        *(["-k", "drawn"] if OPTIONS.drawn else [])])
