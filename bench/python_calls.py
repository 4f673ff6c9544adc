# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Host time of a call from Python, by the number of tensors: a kernel's call and
a prepared launch, each through the extension and through Python alone (ctypes);
beside them an operation of torch, and cuLaunchKernel in a loop of C. The tensors
are small, and the device is waited for between rounds, not within one: with at
most 200 calls a round the driver's queue is never full.

usage: python_calls.py --sources=FOLDER    writes sum1.mlir, sum3.mlir, sum10.mlir
       python_calls.py ARTEFACTS           what tile-compile made of them, there
       python_calls.py --fake              on the fake driver of the tests

--fake needs the libraries on LD_LIBRARY_PATH, as tests/unit/runtime has them; its
stand-in for torch is Python, so the times say little about torch's tensors.
Prints JSON: medians over interleaved rounds, in microseconds a call.
"""

import argparse
import ctypes
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "runtime/python"), str(ROOT / "tests/unit/runtime")]
COUNTS = (1, 3, 10)
SIZE = 1024
ROUNDS, CALLS = 30, 200

LOOP = """
typedef int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                      unsigned, unsigned, void *, void **, void **);
int loop(launch f, void *function, void *stream, void **parameters, int calls) {
  int error = 0;
  for (int k = 0; k < calls && !error; ++k)
    error = f(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, 0);
  return error;
}
"""


def source(count):
    """The last of so many tensors becomes the sum of the others."""
    modes = ["shared"] * (count - 1) + ["out"]
    types = [f"!tile.tensor<[N] x f32, {m}>" for m in modes]
    given = ", ".join(f"%t{k}: {t}" for k, t in enumerate(types))
    lines = [f"tile.kernel @sum{count}({given}) grid [ceildiv(N, 1024)] {{",
             "  %i = tile.block_id 0",
             "  %s0 = arith.constant dense<0.0> : vector<1024xf32>"]
    for k, (mode, kind) in enumerate(zip(modes, types)):
        part = f"!tile.partition<[1024], [N] x f32, {mode}>"
        lines.append(f"  %p{k} = tile.partition %t{k} by [1024] : {kind}")
        lines += ([f"  %v{k} = tile.load %p{k}[%i] pad(zero) : {part}",
                   f"  %s{k + 1} = arith.addf %s{k}, %v{k} : vector<1024xf32>"]
                  if mode == "shared" else
                  [f"  %o = tile.claim %p{k}[%i] : {part}",
                   f"  tile.store %s{k}, %o : !tile.piece<[1024] x f32, out>"])
    return "\n".join([*lines, "}", ""])


def fake_artefact(folder, count):
    """The same for the fake driver; its code does nothing."""
    import fake
    fake.artefact(folder, "nothing")
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    del manifest["seal"]
    shared, out = manifest["arguments"][0], manifest["arguments"][2]
    manifest["arguments"] = [
        {**(out if k == count - 1 else shared), "name": f"t{k}"}
        for k in range(count)]
    variant = manifest["variants"][0]
    variant["parameters"] = [{"kind": "pointer", "argument": f"t{k}"}
                             for k in range(count)]
    variant["requires"] = []
    code = fake.cubin("nothing", (8,) * count)
    (folder / "sm_90.cubin").write_bytes(code)
    variant["cubins"]["sm_90"]["sha256"] = fake.digest(code)
    path.write_text(fake.sealed(manifest))


def driver_loop(folder, addresses, stream):
    """cuLaunchKernel with the parameters that the artefact has, in C; None where
    no compiler is."""
    with tempfile.TemporaryDirectory() as temporary:
        text = pathlib.Path(temporary, "loop.c")
        text.write_text(LOOP)
        library = text.with_suffix(".so")
        try:
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", text, "-o",
                            library], check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        loop = ctypes.CDLL(str(library)).loop
    driver = ctypes.CDLL("libcuda.so.1")
    manifest = json.loads((folder / "manifest.json").read_text())
    variant = manifest["variants"][-1]
    [cubin] = variant["cubins"].values()
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    code = (folder / cubin["file"]).read_bytes()
    names = [a["name"] for a in manifest["arguments"]]
    values = [ctypes.c_uint64(addresses[names.index(p["argument"])]
                              if p["kind"] == "pointer" else SIZE)
              for p in variant["parameters"]]
    places = (ctypes.c_void_p * len(values))(*map(ctypes.addressof, values))
    if (driver.cuModuleLoadData(ctypes.byref(module), code) or
            driver.cuModuleGetFunction(ctypes.byref(function), module,
                                       variant["entry"].encode())):
        sys.exit(f"the driver does not load {cubin['file']}")
    launch = ctypes.cast(driver.cuLaunchKernel, ctypes.c_void_p)

    def run():
        if loop(launch, function, ctypes.c_void_p(stream), places, CALLS):
            sys.exit("cuLaunchKernel failed")
        return values  # the parameters live as long as this does
    return run


def repeated(function):
    def run():
        for _ in range(CALLS):
            function()
    return run


def medians(functions, wait):
    times = {name: [] for name in functions}
    for number in range(ROUNDS + 3):
        for name, function in functions.items():
            wait()
            start = time.perf_counter_ns()
            function()
            if number >= 3:
                times[name].append(
                    (time.perf_counter_ns() - start) / CALLS / 1e3)
    return {name: round(statistics.median(t), 3) for name, t in times.items()}


def measure(folder, count, torch, tensors, wait):
    import girih
    kernel = girih.load(folder)
    call = {f"t{k}": tensor for k, tensor in enumerate(tensors)}
    launch = kernel.prepare(**call)
    functions = {
        "call": lambda: kernel(**call),
        "call_ctypes": lambda: kernel._call_slowly(**call),
        "prepared": launch,
        "prepared_ctypes": launch._call_slowly,
    }
    if hasattr(torch, "add"):
        out = tensors[-1]
        functions["torch_add"] = lambda: torch.add(tensors[0], tensors[0],
                                                   out=out)
    functions = {name: repeated(f) for name, f in functions.items()}
    stream = torch.cuda.current_stream(tensors[0].device).cuda_stream
    raw = driver_loop(folder, [t.data_ptr() for t in tensors], stream)
    if raw:
        functions["driver"] = raw
    return {"tensors": count, **medians(functions, wait)}


def on_fake(folder):
    import numpy as np
    import torch_stand_in
    torch = torch_stand_in.install()
    driver = ctypes.CDLL("libcuda.so.1")
    context = ctypes.c_void_p()  # as torch has one
    driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    driver.cuCtxSetCurrent(context)
    memory = np.zeros((max(COUNTS) + 1) * SIZE, np.float32)
    start = -memory.ctypes.data % 64 + memory.ctypes.data
    for count in COUNTS:
        path = folder / f"sum{count}"
        fake_artefact(path, count)
        # The fake driver keeps what it launched.
        yield measure(path, count, torch, [
            torch.Tensor(start + 4 * SIZE * k, (SIZE,), (1,))
            for k in range(count)], driver.fakeReset)


def on_gpu(folder):
    import torch
    for count in COUNTS:
        yield measure(folder / f"sum{count}", count, torch, [
            torch.zeros(SIZE, device="cuda") for _ in range(count)],
            torch.cuda.synchronize)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("artefacts", nargs="?", type=pathlib.Path)
    parser.add_argument("--sources", type=pathlib.Path)
    parser.add_argument("--fake", action="store_true")
    options = parser.parse_args()
    if options.sources:
        for count in COUNTS:
            (options.sources / f"sum{count}.mlir").write_text(source(count))
        return
    if not options.fake and not options.artefacts:
        parser.error("no artefacts given")
    with tempfile.TemporaryDirectory() as temporary:
        cases = list(on_fake(pathlib.Path(temporary)) if options.fake else
                     on_gpu(options.artefacts))
    import girih.launch
    torch = sys.modules["torch"]
    exchange = hasattr(torch.Tensor, "__dlpack_c_exchange_api__")
    print(json.dumps({
        "extension": girih.launch._extension is not None,
        "dlpack_exchange": exchange, "python": sys.version.split()[0],
        "torch": getattr(torch, "__version__", "stand-in"),
        "device": "fake" if options.fake else torch.cuda.get_device_name(),
        "unit": "us", "rounds": ROUNDS, "calls": CALLS, "cases": cases},
        indent=1))


if __name__ == "__main__":
    main()
