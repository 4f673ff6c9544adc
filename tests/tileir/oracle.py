# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles kernels, decodes and runs their bytecode, and compares with the
reference executor: the contents of every tensor, and the elements that each
block loads and stores.

  oracle.py BIN_DIR [--shapes=N] [--blocks=N] [--few|--others] [--part=K/N]
            [--first] [--no-facts] [--in-kernel-checks] [KERNEL.mlir ...]

Without kernels: all that are verified; with --few those that are shipped and
those of the tests of the emitter, with --others the rest; --part takes each Nth
from the Kth on; --blocks leaves out launches of more blocks, where the kernel
has smaller ones. --first ends at the first kernel that fails; --no-facts
compiles without facts; --in-kernel-checks with checks, which must stop blocks
outside the grid before they touch what is not theirs.
Everything follows from fixed seeds."""

import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

import numpy as np

import bytecode
import formats
import launch
from machine import Checked
from memory import Fault

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path += [str(ROOT / "tests/library"), str(ROOT / "tests/corpus")]
import corpus  # noqa: E402: what is expected of its kernels
import givens  # noqa: E402: contents as the contract gives them
import shapes  # noqa: E402: the library's own launches

FEW = ["tests/tileir/kernels/*.mlir", "tests/lit/tileir/*.mlir",
       "tests/corpus/girih/bugs/permute.mlir", "proofs/kernels/*/*.mlir"]
UNLOWERED = (HERE / "unlowered.txt").read_text().splitlines()
HINTS = {"ctas": "num_cta_in_cga", "occupancy": "occupancy",
         "worker_warps": "num_worker_warps_per_cta"}
# The architecture that is asked for, and the one for what it lacks.
TARGETS = ["sm_90", "sm_100"]
KINDS = ["special", "integers", "normal"]
# Kept as bits in files.
RAW = {"bf16": np.uint16, "f8E4M3FN": np.uint8, "f8E5M2": np.uint8,
       "f8E8M0FNU": np.uint8, "f4E2M1FN": np.uint8, "i4": np.uint8}


REFUSALS = ["is not lowered yet", "has no form in Tile IR"]


class Failure(Exception):
    pass


def run(*command):
    done = subprocess.run([str(c) for c in command], text=True, cwd=ROOT,
                          capture_output=True, timeout=300)
    return done.returncode, done.stdout, done.stderr


class Kernel:
    def __init__(self, tools, source, folder, options=()):
        self.tools, self.source, self.folder = tools, source, folder
        self.ran = self.stopped = 0
        self.checks = "--in-kernel-checks" in options
        for self.target in TARGETS:
            code, _, errors = run(tools / "tile-compile", source,
                                  f"--arch={self.target}", "--allow-trust",
                                  "--no-cache", *options,
                                  "-o", folder / "artefact",
                                  f"--tileiras={HERE / 'assembler.sh'}")
            if f"{TARGETS[1]} is the first that does" not in errors:
                break
        self.compiles = code == 0
        if str(source.relative_to(ROOT)) in UNLOWERED:
            if code != 1 or not any(r in errors for r in REFUSALS):
                raise Failure(f"no longer unlowered: exit code {code}: {errors}")
            return
        if code != 0:
            raise Failure(f"exit code {code}: {errors}")
        text = (folder / "artefact/manifest.json").read_text()
        self.manifest = json.loads(text)
        self.functions = {}
        cubins = {v["cubins"][self.target]["file"]
                  for v in self.manifest["variants"]}
        for cubin in cubins:
            data = (folder / "artefact" / cubin).read_bytes()
            self.functions |= {f.name: f for f in bytecode.read(data)}
        self.entered = set()
        entries = [v["entry"] for v in self.manifest["variants"]]
        if sorted(self.functions) != sorted(entries):
            raise Failure(f"entry points {list(self.functions)}, the manifest "
                          f"has {entries}")
        for variant in self.manifest["variants"]:
            self.check_hints(variant)
        # Of a list each kernel is run by itself, at any size.
        self.variants = list(launch.kernels(self.manifest))

    def choose(self, name, manifest):
        self.manifest = manifest
        self.variant = ["--variant", name]

    def check_hints(self, variant):
        asked = {HINTS[k]: v for k, v in
                 variant["cubins"][self.target]["hints"].items() if k in HINTS}
        got = self.functions[variant["entry"]].hints.get(self.target, {})
        if asked != got:
            raise Failure(f"hints {got}, the kernel has {asked}")

    def inputs(self, symbols, kind, random):
        """Contents by argument, and tile-exec's options that give them; nothing
        where no contents keep what is given."""
        values, options = {}, []
        for argument in self.manifest["arguments"]:
            name, element = argument["name"], argument["dtype"]
            if argument.get("mode") == "out":
                continue
            # Coordinates that share a place in memory have one value.
            shape, strides = ((), ()) if argument["kind"] == "scalar" else \
                launch.layout(argument, symbols)
            places = np.zeros(shape, np.int64)
            for axis, (extent, stride) in enumerate(zip(shape, strides)):
                steps = np.arange(extent) * stride
                places += steps.reshape([-1] + [1] * (len(shape) - axis - 1))
            count = int(places.max(initial=0)) + 1
            array = launch.contents(element, (count,), kind, random)[places]
            if argument["kind"] == "tensor":
                array = givens.keep(self.manifest, name, symbols, array, random)
                if array is None:
                    return None
            values[name] = array
            if element in RAW:
                array = np.frombuffer(formats.to_bytes(element, array),
                                      RAW[element]).reshape(shape)
            if element in formats.PACKED:
                array = formats.pairs(array)
            path = self.folder / f"{name}.npy"
            np.save(path, array)
            options += ["--input", f"{name}={path}"]
        if symbols:
            options += ["--set", ",".join(f"{k}={v}"
                                          for k, v in symbols.items())]
        return values, options

    def expected(self, options):
        """(contents, bounds) by tensor, and what tileir_accesses prints."""
        wanted = []
        for tensor in launch.tensors(self.manifest):
            name = tensor["name"]
            wanted += ["--output", f"{name}={self.folder / name}.out.npy",
                       "--bound", f"{name}={self.folder / name}.bound.npy"]
        code, _, errors = run(self.tools / "tile-exec", self.source,
                              *self.variant, *options, *wanted)
        if code == 3 and "more steps or memory" in errors:
            return None
        if code:
            raise Failure(f"tile-exec: exit code {code}: {errors}")
        arrays = {}
        for tensor in launch.tensors(self.manifest):
            name = tensor["name"]
            values = np.load(self.folder / f"{name}.out.npy")
            if tensor["dtype"] in formats.PACKED:
                values = formats.halves(values)
            if tensor["dtype"] in RAW:
                values = formats.from_bytes(
                    tensor["dtype"], values.tobytes()).reshape(values.shape)
            arrays[name] = values, np.load(self.folder / f"{name}.bound.npy")
        code, lines, errors = run(self.tools / "tileir_accesses", self.source,
                                  *self.variant, *options)
        if code:
            raise Failure(f"tileir_accesses: exit code {code}: {errors}")
        return arrays, [json.loads(line) for line in lines.splitlines()]

    def case(self, symbols, kind, seed):
        random = np.random.default_rng(seed)
        given = self.inputs(symbols, kind, random)
        if given is None:
            return
        values, options = given
        expected = self.expected(options)
        if expected is None:
            return
        if not any(launch.holds(v["when"], symbols)
                   for v in self.manifest["variants"]):
            raise Failure("no variant is for these sizes")
        for variant in self.manifest["variants"]:
            if not launch.holds(variant["when"], symbols):
                continue
            function = self.functions[variant["entry"]]
            if self.checks:
                self.outside(variant, function, symbols, values, random)
            try:
                self.compare(expected, *launch.run(
                    self.manifest, variant, function, symbols, values, random))
            except (Fault, Failure) as e:
                raise Failure(f"{variant['entry']}: {e}") from e
            self.entered.add(variant["entry"])
        self.ran += 1

    def outside(self, variant, function, symbols, values, random):
        """Blocks that no launch has: each ends by a check or is harmless."""
        grid = [launch.evaluate(g, symbols) for g in variant["grid"]]
        for behind in (None, 0, 1, 7) if grid and np.prod(grid) else ():
            try:
                launch.outside(self.manifest, variant, function, symbols,
                               values, random, behind)
            except Checked:
                self.stopped += 1
            except Fault as e:
                raise Failure(f"{variant['entry']}: a block outside the grid "
                              f"({behind}): no check, but {e}") from e

    def refusals(self, random, count):
        """What the manifest's requirements refuse the executor refuses."""
        for symbols in launch.refused(self.manifest, random, count):
            options = ["--set", ",".join(f"{k}={v}"
                                         for k, v in symbols.items())]
            code, _, errors = run(self.tools / "tileir_accesses", self.source,
                                  *self.variant, *options)
            if code != 3:
                raise Failure(f"the manifest refuses {symbols}, the executor "
                              f"does not: exit code {code}: {errors}")

    def compare(self, expected, results, touched, memory, numbers):
        arrays, lines = expected
        wanted = {}
        elements = {t["name"]: t["dtype"]
                    for t in launch.tensors(self.manifest)}
        for a in lines:
            if "strides" in a:
                _, _, _, *layout, _ = memory.tensors[numbers[a["tensor"]]]
                want = launch.in_memory(elements[a["tensor"]], a["extents"],
                                        a["strides"])
                if 0 not in a["extents"] and layout != list(map(tuple, want)):
                    raise Failure(f"%{a['tensor']} has extents and strides "
                                  f"{layout}, the executor has "
                                  f"{a['extents']} and {a['strides']}")
                continue
            boxes = a["boxes"]
            if elements[a["tensor"]] == "i4":
                # The bytes in which they lie.
                boxes = [([*low[:-1], low[-1] // 2],
                          [*high[:-1], -(-high[-1] // 2)])
                         for low, high in boxes]
            at = np.concatenate([np.zeros(0, np.int64)] +
                                [memory.addresses(numbers[a["tensor"]], *box)
                                 for box in boxes], axis=None)
            key = tuple(a["block"]), a["tensor"], a["kind"]
            if at.size:
                wanted.setdefault(key, []).append(np.unique(at))
        for block, sites in touched.items():
            for (tensor, kind), accesses in sites.items():
                want = wanted.pop((block, tensor, kind), [])
                if len(accesses) != len(want):
                    raise Failure(f"block {block}: {len(accesses)} {kind}s of "
                                  f"%{tensor}, the executor has {len(want)}")
                for number, (at, right) in enumerate(zip(accesses, want)):
                    if not np.array_equal(at, right):
                        raise Failure(
                            f"block {block}: {kind} {number} of %{tensor} "
                            f"touches {at.size} elements, other ones than the "
                            f"{right.size} of the executor")
        if wanted:
            raise Failure(f"blocks that do not run: {list(wanted)[:3]}")
        for tensor in launch.tensors(self.manifest):
            self.compare_tensor(tensor, touched, memory, numbers, results,
                                *arrays[tensor["name"]])

    @staticmethod
    def compare_tensor(tensor, touched, memory, numbers, results, want, bound):
        name = tensor["name"]
        got = results[name]
        if tensor["mode"] == "out":
            # Only what was written has a value.
            written = np.zeros(memory.top, bool)
            for sites in touched.values():
                for at in sites[name, "store"]:
                    written[at] = True
            mask = written[memory.addresses(numbers[name])]
            if tensor["dtype"] == "i4":
                mask = np.repeat(mask, 2)
            mask = mask.reshape(got.shape)
        else:
            mask = np.ones(got.shape, bool)
        if formats.is_float(tensor["dtype"]):
            with np.errstate(all="ignore"):
                x, y = got.astype(np.float64), want.astype(np.float64)
                good = ((x == y) | (np.isnan(x) & np.isnan(y)) |
                        (np.abs(x - y) <= bound) | ~np.isfinite(bound))
        else:
            good = got == want
        wrong = np.argwhere(mask & ~good)
        if len(wrong):
            at = tuple(wrong[0])
            raise Failure(f"%{name}{list(map(int, at))} is {got[at]}, the "
                          f"executor has {want[at]} within {bound[at]}; "
                          f"{len(wrong)} elements differ")


def by_blocks(kernel, sizes, blocks):
    """The launches of at most so many blocks, and the others from small to large."""
    def count(symbols):
        return max((int(np.prod([launch.evaluate(g, symbols)
                                 for g in v["grid"]], dtype=object))
                    for v in kernel.manifest["variants"]
                    if launch.holds(v["when"], symbols)), default=0)

    return ([s for s in sizes if count(s) <= blocks],
            sorted((s for s in sizes if count(s) > blocks), key=count))


def check(tools, source, count, blocks, options):
    """Runs a kernel at several sizes; what is wrong, if anything, how many
    launches there were and how many blocks were stopped."""
    with tempfile.TemporaryDirectory() as folder:
        where = ""
        try:
            kernel = Kernel(tools, source, pathlib.Path(folder), options)
            if not kernel.compiles:
                return None, 0, 0
            seed = zlib.crc32(str(source.relative_to(ROOT)).encode())
            random = np.random.default_rng(seed)
            kinds = shapes.KINDS.get(source.stem, KINDS)
            for variant in kernel.variants:
                kernel.choose(*variant)
                before = kernel.ran
                # Another kernel may have that name.
                names = {s["name"] for s in kernel.manifest["symbols"]}
                known = [s for s in shapes.SHAPES.get(source.stem, [])
                         if names == s.keys() and
                         launch.admits(kernel.manifest, s)]
                sizes = launch.shapes(kernel.manifest, random, count)
                few, more = by_blocks(kernel, sizes + known[:min(count, 3)],
                                      blocks)
                for number, symbols in enumerate(few + more):
                    if number >= len(few) and kernel.ran > before:
                        break  # one of the large ones is enough
                    kind = kinds[number % len(kinds)]
                    where = f"@{variant[0]} at {symbols}, {kind}: "
                    kernel.case(symbols, kind, seed + number)
                where = ""
                kernel.refusals(random, 3)
                launch.prologues(kernel.manifest, kernel.functions, random, 300)
                if kernel.ran == before:
                    raise Failure("no launch is small enough")
            return None, kernel.ran, kernel.stopped
        except (Failure, Fault, bytecode.Malformed) as e:
            return f"{source.relative_to(ROOT)}: {where}{e}", 0, 0


def main():
    options = [a for a in sys.argv[1:] if a.startswith("--")]
    words = [a for a in sys.argv[1:] if not a.startswith("--")]
    count, blocks, first, compiled = 6, math.inf, False, []
    few = [p for pattern in FEW for p in sorted(ROOT.glob(pattern))]
    others = [k.path for k in corpus.kernels("girih", "VERIFIED")]
    chosen = list(dict.fromkeys(few + others))
    part, parts = 0, 1
    for option in options:
        name, _, value = option.partition("=")
        if name == "--shapes" and value.isdigit():
            count = int(value)
        elif name == "--blocks" and value.isdigit():
            blocks = int(value)
        elif name == "--part" and re.fullmatch(r"\d+/[1-9]\d*", value):
            part, parts = map(int, value.split("/"))
            if part >= parts:
                sys.exit(f"oracle.py: error: there is no part {value}")
        elif option == "--few":
            chosen = few
        elif option == "--others":
            # Whole kernels take long; the preset `long` runs them.
            chosen = [path for path in others
                      if "tests/corpus/girih/kernels/" not in str(path)]
        elif option == "--first":
            first = True
        elif option in ("--no-facts", "--in-kernel-checks"):
            compiled.append(option)
        else:
            sys.exit(__doc__)
    if not words:
        sys.exit(__doc__)
    tools = pathlib.Path(words[0]).resolve()
    sources = [pathlib.Path(w).resolve() for w in words[1:]] or chosen
    bad, ran, kernels, stopped = 0, 0, 0, 0
    for source in sources[part::parts]:
        wrong, launches, checked = check(tools, source, count, blocks,
                                         compiled)
        bad += wrong is not None
        ran += launches
        stopped += checked
        kernels += launches > 0
        if wrong:
            print(f"FAIL: {wrong}", flush=True)
            if first:
                break
    checks = "--in-kernel-checks" in compiled
    print(f"{ran} launches of {kernels} kernels, {bad} kernels failed" +
          (f", {stopped} blocks outside the grid stopped" if checks else ""))
    sys.exit(1 if bad or not ran or (checks and not stopped) else 0)


if __name__ == "__main__":
    main()
