# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tile-run and `import girih` from outside, on the fake driver.

usage: cli.py TILE_RUN LIBRARY_FOLDER FAKE_DRIVER_FOLDER SOURCE_FOLDER FAKE_NVTX
              [CLASS ...]
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from fake import artefact, cubin

tool, library, driver, source, nvtx = sys.argv[1:6]
ELEMENTS = 300


def within(assumed=False):
    return {"fact": "within", "tensor": "ids",
            "args": [0, {"symbol": "N"}], "assumed": assumed,
            "text": "within(%ids, 0, N)"}


class Case(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.temporary.name)
        for behaviour in ("add", "early", "outside", "fault", "crash", "hang"):
            artefact(self.root / behaviour, behaviour)
        artefact(self.root / "pick", "add", [within()])
        artefact(self.root / "assume", "add", [within(assumed=True)])
        x = np.arange(ELEMENTS, dtype=np.float32)
        y = np.full(ELEMENTS, 0.5, np.float32)
        self.x, self.y = x, y
        for name, array in (("x", x), ("y", y), ("z", x + y),
                            ("off", x + y + np.float32(0.25)),
                            ("bound", np.full(ELEMENTS, 0.25)),
                            ("ids", np.arange(ELEMENTS, dtype=np.int32)),
                            ("bad", np.arange(1, ELEMENTS + 1,
                                              dtype=np.int32)),
                            ("long", np.zeros(1001, np.float32))):
            np.save(self.root / f"{name}.npy", array)

    def tearDown(self):
        self.temporary.cleanup()

    def run_tool(self, *arguments, gpu=True, **variables):
        environment = {**os.environ, **variables}
        if gpu:
            environment["LD_LIBRARY_PATH"] = driver
        return subprocess.run([tool, *arguments], cwd=self.root, text=True,
                              capture_output=True, env=environment,
                              timeout=60)

    def check(self, code, text, *arguments, gpu=True, **variables):
        result = self.run_tool(*arguments, gpu=gpu, **variables)
        self.assertEqual(result.returncode, code, result.stderr)
        self.assertIn(text, result.stdout + result.stderr)


class OneRun(Case):
    inputs = ("--arg", "x=x.npy", "--arg", "y=y.npy")

    def test_agrees_and_writes(self):
        self.check(0, "ran 3 blocks on Fake GPU\n%z agrees, largest difference"
                   " 0\n", "add", *self.inputs, "--out", "z=out.npy",
                   "--expect", "z=z.npy")
        np.testing.assert_array_equal(np.load(self.root / "out.npy"),
                                      self.x + self.y)

    def test_bound(self):
        self.check(0, "largest difference 0.25", "add", *self.inputs,
                   "--expect=z=off.npy", "--bound=z=bound.npy")
        self.check(1, "%z[0] is 0.5, expected 0.75 within 0; 300 elements "
                   "differ", "add", *self.inputs, "--expect", "z=off.npy")

    def test_time(self):
        self.check(0, "3.00 us a launch, median of 5 (3.00 to 3.00)", "add",
                   *self.inputs, "--time", "5")

    def test_given(self):
        breach = ("contract: given within(%ids, 0, N): element [299] is 300, "
                  "outside [0, 300)")
        for more in ([], ["--validate", "ids"]):
            self.check(0, "ran 3 blocks on Fake GPU\n", "pick", *self.inputs,
                       "--arg", "ids=ids.npy", *more)
            self.check(3, breach, "pick", *self.inputs, "--arg",
                       "ids=bad.npy", *more)
        # What the host finds needs no driver.
        self.check(3, breach, "pick", *self.inputs, "--arg", "ids=bad.npy",
                   gpu=False)
        self.check(0, "believed given: within(%ids, 0, N) assumed\n", "assume",
                   *self.inputs, "--arg", "ids=bad.npy")
        self.check(3, "the kernel has no argument %idx", "pick", *self.inputs,
                   "--arg", "ids=ids.npy", "--validate=idx")

    def test_failures(self):
        self.check(1, "the kernel wrote outside %z", "outside", *self.inputs)
        self.check(1, "CUDA_ERROR_ILLEGAL_ADDRESS", "fault", *self.inputs)

    def test_refusals(self):
        self.check(3, "requires N <= 1000: 1001 against 1000", "add",
                   "--arg", "x=long.npy", "--arg", "y=long.npy")
        self.check(3, "argument %y is missing", "add", "--arg", "x=x.npy")
        self.check(3, "elements are '<f8', expected '<f4'", "add", "--arg",
                   "x=bound.npy", "--arg", "y=y.npy")
        self.check(3, "absent is no folder", "absent")
        self.check(3, "/dev/zero: cannot be read", "add", "--arg",
                   "x=/dev/zero", "--arg", "y=y.npy")
        (self.root / "add" / "sm_90.cubin").write_bytes(cubin("crash"))
        self.check(1, "sm_90.cubin is not the file that the manifest names",
                   "add", *self.inputs, gpu=False)

    def test_policy(self):
        (self.root / "policy.json").write_text(
            '{"format": "girih.policy", "version": 1, "keys": []}')
        self.check(1, "the policy asks for a signature", "add", *self.inputs,
                   "--policy", "policy.json")
        self.check(3, "x.npy: no public key of Ed25519", "add", *self.inputs,
                   "--trust-key", "x.npy")
        self.check(3, "absent cannot be read", "add", "--policy=absent")

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            for words in (["--help"], ["add", *self.inputs]):
                result = subprocess.run(
                    [tool, *words], cwd=self.root, text=True, stdout=full,
                    stderr=subprocess.PIPE, timeout=60,
                    env={**os.environ, "LD_LIBRARY_PATH": driver})
                self.assertEqual((result.returncode, result.stderr), (
                    3, "tile-run: error: standard output cannot be "
                    "written\n"))

    def test_usage(self):
        bare = self.run_tool()
        self.assertEqual((bare.returncode, bare.stdout, bare.stderr), (
            3, "", "tile-run: error: no artefact given; --help says what to "
            "give\n"))
        self.check(3, "error: no artefact given", "--time=3")
        self.check(3, "unknown argument --no-such-option", "--no-such-option")
        self.check(3, "unknown argument b", "a", "b")
        self.check(3, "--set needs a value", "a", "--set")
        self.check(3, "'M' is not of the form NAME=VALUE", "a", "--set", "M")
        self.check(3, "'x' is not an integer", "a", "--set", "M=x")
        self.check(3, "--set: M is given twice", "a", "--set", "M=1,M=1")
        self.check(3, "--time: '0' is not a number from 1 to 10000", "a",
                   "--time=0")
        self.check(0, "usage: tile-run ARTEFACT", "--help")
        self.check(0, "CUDA driver 13.0\nFake GPU: sm_90, 132 multiprocessors",
                   "--devices")


class Ranges(Case):
    """Of NVTX, for those who ask for them."""
    inputs = OneRun.inputs

    def test_kernel_grid_and_verdict(self):
        self.check(0, "range sum grid [3] VERIFIED\nend\n", "add",
                   *self.inputs, GIRIH_NVTX=nvtx)
        self.check(0, "range sum grid [3] VERIFIED, believed given: "
                   "within(%ids, 0, N) assumed\nend\n", "assume",
                   *self.inputs, "--arg", "ids=bad.npy", GIRIH_NVTX=nvtx)
        # A launch that fails ends its range.
        self.check(1, "range sum grid [3] VERIFIED\nend\n", "fault",
                   *self.inputs, GIRIH_NVTX=nvtx)

    def test_nobody_asks(self):
        for value in ("", "0"):
            result = self.run_tool("add", *self.inputs, GIRIH_NVTX=value)
            self.assertNotIn("range", result.stdout + result.stderr)

    def test_no_library(self):
        """The launch goes on, and says once what it lacks."""
        for value, named in ((str(self.root / "none.so"), "none.so"),
                             (tool, "tile-run"), ("x" * 10000, "xxx")):
            with self.subTest(value=value[:20]):
                result = self.run_tool("add", *self.inputs, "--time=3",
                                       GIRIH_NVTX=value)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stderr.count(
                    "girih: GIRIH_NVTX: no NVTX in "), 1, result.stderr)
                self.assertIn(named, result.stderr)
        # NVIDIA's own, where this machine has it.
        result = self.run_tool("add", *self.inputs, GIRIH_NVTX="1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(result.stderr, ("", "girih: GIRIH_NVTX: no NVTX in "
                                      "libnvToolsExt.so.1, "
                                      "libnvtx3interop.so.1\n"))


class Batch(Case):
    def case(self, name, kernel, **more):
        return {"name": name, "artefact": kernel,
                "args": {"x": "x.npy", "y": "y.npy"},
                "expect": {"z": "z.npy"}, **more}

    def batch(self, cases, *options, gpu=True):
        text = "".join(c if isinstance(c, str) else json.dumps(c) + "\n"
                       for c in cases)
        (self.root / "cases.jsonl").write_text(text)
        result = self.run_tool("--batch", ".", *options, gpu=gpu)
        return result, [json.loads(line) for line in
                        result.stdout.splitlines()]

    def test_goes_on_behind_every_failure(self):
        kernels = ["add", "early", "outside", "fault", "crash", "hang", "add"]
        result, lines = self.batch(
            [self.case(f"{n}-{k}", k) for n, k in enumerate(kernels)],
            "--timeout=1")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual([line["case"] for line in lines],
                         [f"{n}-{k}" for n, k in enumerate(kernels)])
        self.assertEqual([line["verdict"] for line in lines],
                         ["ok", "mismatch", "failed", "failed", "failed",
                          "failed", "ok"])
        self.assertEqual(lines[0]["blocks"], 3)
        self.assertEqual((lines[1]["tensor"], lines[1]["index"],
                          lines[1]["expected"], lines[1]["mismatches"]),
                         ("z", [299], "299.5", 1))
        self.assertIn("wrote outside %z", lines[2]["reason"])
        self.assertIn("ILLEGAL_ADDRESS", lines[3]["reason"])
        self.assertEqual(lines[4]["reason"], "the process ended by signal 6")
        self.assertEqual(lines[5]["reason"], "no answer within 1 s")
        self.assertIn("7 cases: 2 ok, 5 not, 0 refused", result.stderr)

    def test_all_ok(self):
        result, lines = self.batch(
            [self.case(str(n), "add", time=2, bound={"z": "bound.npy"})
             for n in range(200)])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len(lines), 200)
        self.assertEqual(lines[7]["microseconds"]["samples"], 2)

    def test_malformed_cases_are_refused_one_by_one(self):
        long = self.case("long", "add")
        long["args"] = {"x": "long.npy", "y": "long.npy"}
        result, lines = self.batch(
            ["nonsense\n", {"name": "a"}, self.case("b", "add", more=1),
             self.case("c", "add", time=0), long, self.case("ok", "add")])
        self.assertEqual(result.returncode, 3)
        self.assertEqual([line["verdict"] for line in lines],
                         ["refused"] * 5 + ["ok"])
        self.assertEqual([line.get("reason") for line in lines][:4], [
            "case: the document is not JSON",
            "case: the document lacks 'artefact'",
            "case: the document has the unknown key 'more'",
            "case: time is not between 1 and 10000"])

    def test_no_gpu(self):
        if self.run_tool("--devices", gpu=False).returncode != 77:
            self.skipTest("this machine has a GPU")
        result, lines = self.batch([self.case("a", "add")] * 3, gpu=False)
        self.assertEqual(result.returncode, 77)
        self.assertEqual([line["verdict"] for line in lines], ["not run"])
        self.check(77, "not run: no CUDA driver", "add", *OneRun.inputs,
                   gpu=False)

    def test_no_archive(self):
        self.check(3, "none/cases.jsonl: cannot be read", "--batch",
                   "none/cases.jsonl")


class Python(Case):
    """The module, in a process of its own: the driver is found by name."""

    def python(self, code, gpu=True, **variables):
        environment = dict(
            {**os.environ, **variables},
            PYTHONPATH=os.path.join(source, "runtime", "python"),
            LD_LIBRARY_PATH=(driver + ":" if gpu else "") + library)
        result = subprocess.run(
            [sys.executable, "-c", code], cwd=self.root, text=True,
            capture_output=True, env=environment, timeout=60)
        return result.stdout + result.stderr

    def test_five_lines(self):
        self.assertEqual(self.python("""
import girih, numpy as np
add = girih.load("add")
x, y, z = np.load("x.npy"), np.load("y.npy"), np.empty(300, np.float32)
add(x=x, y=y, z=z)
print(np.array_equal(z, x + y))
"""), "True\n")

    def test_ranges(self):
        program = """
import girih, numpy as np
x, z = np.ones(300, np.float32), np.empty(300, np.float32)
launch = girih.load("add").prepare(x=x, y=x, z=z)
launch()
girih.load("add")(x=x[:0], y=x[:0], z=z[:0])
"""
        self.assertEqual(self.python(program, GIRIH_NVTX=nvtx),
                         "range sum grid [3] VERIFIED\nend\n")
        self.assertEqual(self.python(program), "")

    def test_policy(self):
        self.assertEqual(self.python("""
import girih, json, pathlib
pathlib.Path("policy.json").write_text(json.dumps(
    {"format": "girih.policy", "version": 1, "keys": []}))
for policy in ("policy.json", pathlib.Path("absent"), 3):
    try:
        girih.load("add", policy=policy)
    except girih.Error as error:
        print(type(error).__name__, error)
"""), "Refused the policy asks for a signature: signature.json cannot be "
            "read\nRefused absent cannot be read\nRefused 3 is no path\n")

    def test_strided_and_repeated(self):
        self.assertEqual(self.python("""
import girih, numpy as np
x, y = np.ones((300, 2), np.float32)[:, 0], np.load("y.npy")
z = np.zeros((300, 3), np.float32)
launch = girih.load("add").prepare(x=x, y=y, z=z[:, 1])
launch(); launch()
print(z[:, 1].min(), z[:, 0].max())
"""), "1.5 0.0\n")

    def test_refusals(self):
        self.assertEqual(self.python("""
import girih, numpy as np
def reason(**arguments):
    try:
        girih.load(arguments.pop("artefact", "add"))(**arguments)
    except girih.Refused as e:
        print(e.code, e)
x = np.zeros(8, np.float32)
reason(artefact="absent")
reason(x=x, y=x)
reason(x=x, y=x, z=np.zeros(9, np.float32))
reason(x=x, y=x, z=x, N=7)
reason(x=x, y=x, z=x, w=1)
reason(x=x, y=x, z=np.zeros(8, np.int32))
reason(x=x, y=x, z=np.zeros(8, np.uint8))
reason(x=np.zeros(1001, np.float32), y=x, z=x)
reason(x=None, y=x, z=x)
reason(x=x, y=x, z=x, N="many")
"""), """\
3 absent is no folder
3 contract: argument %z is missing
3 contract: N is 8 for axis 0 of %x and 9 for axis 0 of %z
3 contract: N is 7 for the caller and 8 for axis 0 of %x
3 contract: the kernel has no symbol w
3 contract: %z holds i32, the kernel has f32
3 %z: no kernel has elements of type u1
3 contract: N is 1001 for axis 0 of %x and 8 for axis 0 of %y
3 %x: None is no array
3 N: 'many' is no integer
""")

    def test_given(self):
        self.assertEqual(self.python("""
import girih, numpy as np
class Device:
    def __init__(self, array):
        self.shape, self.dtype = array.shape, array.dtype
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "version": 3,
            "data": (array.ctypes.data, False)}
pick, x = girih.load("pick"), np.ones(300, np.float32)
raw = np.zeros(320, np.int32)
ids = raw[-raw.ctypes.data % 64 // 4:][:300]
def call(numbers, kernel=pick):
    z = np.zeros(300, np.float32)
    try:
        launch = kernel.prepare(x=x, y=x, z=z, ids=numbers)
        launch()
        print(z[0], launch.believed)
    except girih.Refused as e:
        print(e.code, e)
        return
    return launch
call(ids)
call(np.full(300, -7, np.int32))
try:
    pick.prepare(x=x, y=x, z=x, ids=Device(ids))
except girih.Refused as e:
    print(e.code, e)
launch = call(girih.validated(Device(ids)))
ids[4] = 300
try:
    launch()
except girih.Refused as e:
    print(e.code, e)
call(girih.vouched(Device(ids)))
call(ids, girih.load("assume"))
try:
    girih.vouched(girih.validated(ids))
except girih.Refused as e:
    print(e.code, e)
"""), """\
2.0 []
3 contract: given within(%ids, 0, N): element [0] is -7, outside [0, 300)
3 contract: given within(%ids, 0, N): nobody has looked at the contents of \
%ids; give them from the host, have them validated on the device, or vouch for \
them
2.0 []
3 contract: given within(%ids, 0, N): element [4] is 300, outside [0, 300)
2.0 ['vouched for: within(%ids, 0, N)']
2.0 ['given: within(%ids, 0, N) assumed']
3 a tensor is vouched for or validated, once
""")

    def test_no_driver(self):
        if self.run_tool("--devices", gpu=False).returncode != 77:
            self.skipTest("this machine has a GPU")
        text = self.python("""
import girih, numpy as np
x = np.zeros(8, np.float32)
try:
    girih.load("add")(x=x, y=x, z=x)
except girih.Refused as e:
    print(e.code)
""", gpu=False)
        self.assertEqual(text, "77\n")

    def test_device_arrays(self):
        """Memory that is on the device already is used where it lies."""
        self.assertEqual(self.python("""
import girih, numpy as np
class Device:
    def __init__(self, array, strides=None, offset=0):
        self.shape, self.dtype = array.shape, array.dtype
        self.__cuda_array_interface__ = {
            "shape": array.shape, "typestr": array.dtype.str, "version": 3,
            "data": (array.ctypes.data + offset, False), "strides": strides}
raw = np.zeros(4000, np.float32)
raw = raw[-raw.ctypes.data % 64 // 4:]
x, y, z = raw[:300], raw[304:604], raw[608:908]
x[:] = 1; y[:] = 2
add = girih.load("add")
add(x=Device(x), y=Device(y), z=Device(z))
print(z.min(), z.max())
z[:] = 0
def reason(**arguments):
    try:
        add(**arguments)
    except girih.Refused as e:
        print(e.code, str(e).replace("0x", ":").split(":")[1])
reason(x=Device(x, strides=(8,)), y=Device(y), z=Device(z))
reason(x=Device(x, offset=4), y=Device(y), z=Device(z))
reason(x=Device(x), y=Device(y), z=Device(y))
print(z.min(), z.max())
"""), """\
3.0 3.0
3  stride 0 of %x is 2, the kernel has 1
3  %x lies at 
3  the written tensor %z may share memory with %y
0.0 0.0
""")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[6:]])
