#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of shipped kernels beside cuTile Python's own ones, which the same
assembler compiles for the same shapes.

usage: cutile.py --pack BUILD CHECKOUT FOLDER   where the toolkit is, in a
           Python that has cuda-tile and numpy; CHECKOUT is one of
           github.com/NVIDIA/cutile-python, whose kernels are compiled
       cutile.py FOLDER OUT.json [--runs=N] [--seconds=S] [WORK ...]
           on a GPU with PyTorch

Either side has several kernels or settings for a work. All are run once, and
their results compared with the first of ours. The fastest of ours and the
fastest of theirs in a first look then meet in N runs of S seconds each, as
bench.py measures: interleaved, on random normal data behind the L2 cache. A
ratio is their median time over ours: above 1, ours is faster.
"""

import ctypes
import datetime
import json
import os
import pathlib
import sys
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "bench"), str(ROOT / "runtime/python")]
import facts

RUNS, SECONDS, LOOK = 5, 0.5, 0.15
LOG2E = 1.4426950408889634

# Axes of each tensor, outputs last; elements by their names in both worlds.
GEMMS = [1024, 2048, 4096, 8192, 16384]
ATTENTION = dict.fromkeys("qkvy", ((2, 16, 4096, 128), "bfloat16"))
SCALE = 0.0884
ROWS, COLUMNS, EPS = 16384, 8192, 1e-6
WIDE = 1 << 28


def gemm_work(n):
    tensors = dict.fromkeys("abc", ((n, n), "bfloat16"))

    def theirs(k):
        for kernel in (k.matmul.matmul_kernel,
                       k.matmul.persistent_matmul_kernel):
            persistent = kernel is k.matmul.persistent_matmul_kernel
            tile = 128, 256, 64  # as their sample has it for these elements
            blocks = -(-n // tile[0]) * -(-n // tile[1])
            for warps in (4, 8):
                yield (kernel, "abc", tile,
                       [min(blocks, 132) if persistent else blocks],
                       {"num_worker_warps": warps})
    return {"tensors": tensors, "tolerance": 1e-2, "theirs": theirs,
            "ours": {"gemm_grouped_order": {}, "gemm_swizzled": {"G": 8}}}


def attention_work(causal):
    _, heads, length, size = ATTENTION["q"][0]

    def theirs(k):
        for rows, hints in ((128, {"occupancy": 2}), (64, {"occupancy": 2}),
                            (128, {"occupancy": 1, "num_worker_warps": 8})):
            yield (k.attention.fmha_kernel, [*"qkvy", ("f32", SCALE),
                                             ("i32", 0)],
                   (size, heads, rows, 128, 1, causal, True),
                   [length // rows, 2 * heads], hints)
    return {"tensors": ATTENTION, "tolerance": 1e-2, "theirs": theirs,
            "ours": {"attention_causal" if causal else "attention":
                     {"scale": SCALE}}}


def rms_norm_work():
    x = ((ROWS, COLUMNS), "bfloat16")

    def theirs(k):
        names = ["x", "weight", "y", "rstd"]
        for tile in (2048, 4096, 8192):
            for kernel in (k.rms_norm.rms_norm_kernel,
                           k.rms_norm.rms_norm_kernel_gather):
                for warps in (4, 8):
                    yield (kernel, names, (COLUMNS, EPS, tile), [ROWS],
                           {"num_worker_warps": warps})
        yield (k.rms_norm.rms_norm_kernel_static_persistent,
               ["x", "y", "weight"], (8, 2048, COLUMNS, EPS), [132], {})
    return {"tensors": {"x": x, "weight": ((COLUMNS,), "bfloat16"), "y": x},
            "scratch": {"rstd": ((ROWS,), "float32")}, "tolerance": 1e-2,
            "theirs": theirs,
            "ours": {"rms_norm": {"eps": EPS}, "rms_norm_row": {"eps": EPS}}}


def softmax_work():
    def theirs(k):
        for warps in (4, 8):
            for occupancy in (1, 2):
                hints = {"num_worker_warps": warps, "occupancy": occupancy}
                yield k.softmax.softmax, "xy", (1, COLUMNS), [ROWS], hints
                yield (k.softmax.softmax_per_row, "xy", (ROWS, COLUMNS),
                       [132 * occupancy], hints)
    return {"tensors": dict.fromkeys("xy", ((ROWS, COLUMNS), "float32")),
            "tolerance": 1e-5, "theirs": theirs,
            "ours": {"softmax": {}, "softmax_row": {}}}


def add_work():
    def theirs(k):
        for tile in (1024, 4096):
            for warps in (4, 8):
                yield (k.vec_add.vec_add_kernel_1d, "xyz", (tile,),
                       [WIDE // tile], {"num_worker_warps": warps})
    return {"tensors": dict.fromkeys("xyz", ((WIDE,), "float32")),
            "tolerance": 0, "theirs": theirs, "ours": {"add": {}}}


WORKS = {
    **{f"gemm bf16 {n}": gemm_work(n) for n in GEMMS},
    "attention bf16 2x16x4096x128": attention_work(False),
    "attention causal bf16 2x16x4096x128": attention_work(True),
    f"rms_norm bf16 {ROWS}x{COLUMNS}": rms_norm_work(),
    f"softmax f32 {ROWS}x{COLUMNS}": softmax_work(),
    "add f32 2^28": add_work(),
}


# Where the toolkit is


def kernels_of(checkout):
    """Their modules of kernels, without what only runs of them need."""
    class Kernels:
        pass

    sys.path.insert(0, str(checkout / "test"))
    import kernels.attention
    import kernels.matmul
    import kernels.rms_norm
    absent = ["torch", "torch.testing", "pytest", "util", "conftest"]
    with unittest.mock.patch.dict(
            sys.modules, {name: unittest.mock.MagicMock(unsafe=True) for name in absent}):
        import kernels.vec_add
        import test_softmax
    for module in (kernels.attention, kernels.matmul, kernels.rms_norm,
                   kernels.vec_add):
        setattr(Kernels, module.__name__.split(".")[1], module)
    Kernels.softmax = test_softmax
    return Kernels


def signature_of(arguments, constants, tensors):
    """As a launch on fresh tensors of these sizes would have it compiled."""
    import cuda.tile as ct
    from cuda.tile import compilation

    def constraint(argument):
        if isinstance(argument, tuple):
            return compilation.ScalarConstraint(
                {"f32": ct.float32, "i32": ct.int32}[argument[0]])
        shape, element = tensors[argument]
        rank = len(shape)
        return compilation.ArrayConstraint(
            getattr(ct, element), rank, index_dtype=ct.int32,
            stride_lower_bound_incl=0, alias_groups=(),
            may_alias_internally=False,
            stride_constant=[None] * (rank - 1) + [1],
            stride_divisible_by=[16] * (rank - 1) + [1],
            shape_divisible_by=[16 if n % 16 == 0 else 1 for n in shape],
            base_addr_divisible_by=16)

    return compilation.KernelSignature(
        [*map(constraint, arguments), *constants],
        compilation.CallingConvention.cutile_python_v1())


def compile_theirs(works, checkout, folder):
    """Their cubins, and by work how each is launched."""
    from cuda.tile import compilation
    tools = ROOT / ".tools/nvidia/cu13/bin"
    os.environ["PATH"] = f"{tools}:{os.environ['PATH']}"
    os.environ.pop("CUDA_HOME", None)
    modules = kernels_of(checkout)
    launches, made = {}, {}
    for name, work in works.items():
        launches[name] = []
        for kernel, arguments, constants, grid, hints in work["theirs"](
                modules):
            title = kernel._annotated_function.pyfunc.__name__
            signature = signature_of(
                arguments, constants,
                {**work["tensors"], **work.get("scratch", {})}
            ).with_mangled_symbol(title)
            key = signature.symbol, *hints.items()
            file = made.setdefault(key, f"{len(made)}.cubin")
            if not (folder / file).exists():
                compilation.export_kernel(
                    kernel.replace_hints(**hints), [signature], folder / file,
                    gpu_code="sm_90", output_format="cubin")
            launches[name].append({
                "name": f"{title}{list(constants)} " + " ".join(
                    f"{k}={v}" for k, v in hints.items()),
                "cubin": file, "symbol": signature.symbol,
                "arguments": list(arguments), "grid": grid})
            print(f"{name}: {launches[name][-1]['name']}", flush=True)
    return launches


def pack(build, checkout, folder):
    from importlib import metadata
    with facts.packing(build, folder) as made:
        for kernel in sorted({k for w in WORKS.values() for k in w["ours"]}):
            facts.compile_kernel(build, kernel, made / kernel)
        (made / "theirs").mkdir()
        launches = compile_theirs(WORKS, checkout, made / "theirs")
        (made / "theirs.json").write_text(json.dumps({
            "version": metadata.version("cuda-tile"), "launches": launches}))


# On the GPU


class Driver:
    """Loads and launches cubins in the context that PyTorch made."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")

    def call(self, name, *arguments):
        code = getattr(self.library, name)(*arguments)
        if code != 0:
            raise RuntimeError(f"{name}: error {code}")

    def function(self, cubin, symbol):
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), cubin)
        self.call("cuModuleGetFunction", ctypes.byref(function), module,
                  symbol.encode())
        return function

    def launch(self, function, grid, values):
        """A call; values are ctypes, which it keeps."""
        pointers = (ctypes.c_void_p * len(values))(
            *(ctypes.addressof(v) for v in values))
        x, y, z = [*grid, 1, 1][:3]

        def run(stream, keep=values):
            self.call("cuLaunchKernel", function, x, y, z, 1, 1, 1, 0,
                      ctypes.c_void_p(stream), pointers, None)
        return run


def parameters_of(tensor):
    """An array as their kernels take it: address, extents, strides."""
    return [ctypes.c_uint64(tensor.data_ptr()),
            *map(ctypes.c_int32, tensor.shape),
            *map(ctypes.c_int32, tensor.stride())]


def theirs_of(driver, launch, cubin, names, scratch):
    import torch
    function = driver.function(cubin, launch["symbol"])

    def ready(tensors):
        named = {**dict(zip(names, tensors)), **scratch}
        values = []
        for argument in launch["arguments"]:
            if isinstance(argument, list):
                kind, value = argument
                values.append({"f32": ctypes.c_float,
                               "i32": ctypes.c_int32}[kind](value))
            else:
                values += parameters_of(named[argument])
        run = driver.launch(function, launch["grid"], values)
        stream = torch.cuda.current_stream().cuda_stream
        return lambda: run(stream)
    return ready


def ours_of(artefact, names, others):
    import bench
    return bench.girihs(artefact, names, **others)


def contestants_of(name, artefacts, launches, driver):
    import torch
    work = WORKS[name]
    names = list(work["tensors"])
    scratch = {k: torch.empty(shape, device="cuda", dtype=getattr(torch, t))
               for k, (shape, t) in work.get("scratch", {}).items()}
    out = {}
    for kernel, others in work["ours"].items():
        out[f"girih {kernel}"] = (1, ours_of(artefacts / kernel, names, others))
    for launch in launches:
        cubin = (artefacts / "theirs" / launch["cubin"]).read_bytes()
        out[launch["name"]] = (1, theirs_of(driver, launch, cubin, names,
                                            scratch))
    return out


def fastest(times, ours):
    import bench
    return min((n for n in times if n.startswith("girih") == ours),
               key=lambda n: bench.percentile(times[n], 0.5))


def run(name, artefacts, launches, driver, runs, seconds):
    import bench
    import torch
    work = WORKS[name]

    def make():
        *inputs, (shape, element) = work["tensors"].values()
        return (*(bench.normal(*s, dtype=getattr(torch, e))
                  for s, e in inputs),
                bench.empty(*shape, dtype=getattr(torch, element)))

    contestants = contestants_of(name, artefacts, launches, driver)
    first = next(iter(contestants))

    def expected(tensors):
        contestants[first][1](tensors)()
        return tensors[-1].clone()

    meeting = bench.Work("calls/s", bench.rotating(make), contestants,
                         expected, work["tolerance"])
    distances, wrong = bench.check(meeting)
    for other, distance in distances.items():
        if not distance <= work["tolerance"]:
            wrong[other] = f"its distance is {distance}"
            contestants.pop(other)
    if wrong:
        print(f"{name}: {wrong}", flush=True)
    look = bench.measure(meeting, LOOK * len(contestants))
    pair = fastest(look, True), fastest(look, False)
    meeting.contestants = {n: contestants[n] for n in pair}
    rows = []
    for _ in range(runs):
        times = bench.measure(meeting, seconds)
        rows.append([bench.percentile(times[n], 0.5) for n in pair])
    ratios = sorted(round(t / o, 4) for o, t in rows)
    row = {"girih": pair[0].removeprefix("girih "), "cutile": pair[1],
           "microseconds": {"girih": [round(o, 3) for o, _ in rows],
                            "cutile": [round(t, 3) for _, t in rows]},
           "ratio": bench.percentile(ratios, 0.5), "lowest": ratios[0],
           "highest": ratios[-1], "wrong": wrong,
           "look": {n: round(bench.percentile(t, 0.5), 3)
                    for n, t in look.items()}}
    print(f"{name:36} {row['ratio']:.3f} ({ratios[0]:.3f} to "
          f"{ratios[-1]:.3f})  {rows[0][0]:.1f} us {row['girih']}, "
          f"{rows[0][1]:.1f} us {row['cutile']}", flush=True)
    return row


def summary(result):
    ratios = [row["ratio"] for row in result["works"].values()
              if "ratio" in row]
    if ratios:
        result["geometric_mean"] = round(facts.geometric_mean(ratios), 4)
        result["lowest"] = min(ratios)


def measure(folder, out, options, names):
    artefacts = facts.unpack(folder)
    import bench
    import girih
    import torch
    torch.manual_seed(1)
    theirs = json.loads((artefacts / "theirs.json").read_text())
    runs, seconds = int(options["runs"]), float(options["seconds"])
    result = {
        "command": f"bench/cutile.py FOLDER {out.name} --runs={runs} "
                   f"--seconds={seconds:g}",
        "date": datetime.date.today().isoformat(),
        "machine": torch.cuda.get_device_properties(0).name,
        "compiler": json.loads((artefacts / "add/manifest.json").read_text())[
            "producer"],
        "cuda-tile": theirs["version"], "rounds": bench.ROUNDS, "works": {}}
    if "continue" in options:
        result = json.loads(out.read_text())
    torch.empty(1, device="cuda")
    driver = Driver()
    for k, name in enumerate(names):
        try:
            result["works"][name] = run(name, artefacts,
                                        theirs["launches"][name], driver,
                                        runs, seconds)
        except (RuntimeError, TypeError, ValueError, OSError,
                girih.Refused) as error:
            print(f"{name}: {error}", flush=True)
            result["works"][name] = {"error": str(error)}
        torch.cuda.empty_cache()
        summary(result)
        out.write_text(json.dumps(result, indent=1) + "\n")
        if "error" in result["works"][name] and names[k + 1:]:
            # What failed may have taken the context with it.
            os.execv(sys.executable, [
                sys.executable, __file__, str(folder), str(out), "--continue",
                f"--runs={runs}", f"--seconds={seconds:g}", *names[k + 1:]])
    print(f"geometric mean {result.get('geometric_mean')}, lowest "
          f"{result.get('lowest')}")
    return int(any("error" in w or any(n.startswith("girih")
                                       for n in w["wrong"])
                   for w in result["works"].values()))


def main():
    options = {"runs": RUNS, "seconds": SECONDS}
    words = []
    for word in sys.argv[1:]:
        name, _, value = word.removeprefix("--").partition("=")
        if not word.startswith("--"):
            words.append(word)
        elif name in ("pack", "continue", "runs", "seconds"):
            options[name] = value
        else:
            sys.exit(__doc__)
    paths = [pathlib.Path(w).resolve() for w in words]
    if "pack" in options and len(words) == 3:
        pack(*paths)
        return 0
    if "pack" in options or len(words) < 2 or \
            any(w not in WORKS for w in words[2:]):
        sys.exit(__doc__ + "\nWORK is one of: " + ", ".join(WORKS))
    return measure(*paths[:2], options, words[2:] or list(WORKS))


if __name__ == "__main__":
    sys.exit(main())
