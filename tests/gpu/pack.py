#!/usr/bin/python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packs an archive for `tile-run --batch`: artefacts of kernels, launches of
them at many shapes, and what the reference executor computes for each, with the
bounds within which any conforming implementation lies.

usage: pack.py BIN_DIR ARCHIVE [--arch=sm_90,...] [--draws=N] [--seed=N]
               [KERNEL.mlir ...]

BIN_DIR has tile-compile and tile-exec. Without kernels all shipped ones are
packed, and the verified ones among the test kernels. Every shape is run on two
kinds of data: small integers, whose sums are exact, and random normal numbers;
test kernels also on NaN, infinities, subnormal and huge numbers. Everything
follows from fixed seeds.

--draws packs N launches of each shipped kernel in place of the listed ones, half
of them on either kind of data, at sizes that --seed draws: 0, 1, primes, tiles
more or less one, odd numbers and multiples of 2, 4, 8 and 16, in turns over the
entry points of a kernel.

What `--backend=hopper` compiles through a schedule is packed as well, and runs
the same launches.

Beside cases.jsonl the archive has first.jsonl, a launch of each entry point: what
is run under a sanitizer.
"""

import contextlib
import itertools
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import zlib

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Both have a module `formats`; the first one counts.
sys.path += [str(ROOT / "tests" / folder)
             for folder in ("tileir", "library", "corpus")]
import corpus  # noqa: E402: which test kernels are verified
import formats  # noqa: E402: the decoder's own, and what it runs on
import givens  # noqa: E402: contents as the contract gives them
import launch  # noqa: E402
import shapes as library  # noqa: E402: launches of the other shipped kernels

UNLOWERED = (ROOT / "tests/tileir/unlowered.txt").read_text().splitlines()
FEWEST_SHAPES = 3
DRAWS = 3000  # of shapes for entries that the others do not take
MOST_DRAWN, LARGE, TOO_LARGE = 1 << 13, 1 << 16, 1 << 21  # elements, if drawn
MOST_STEPS = 1000000000
SCHEDULED = ".hopper"  # behind the titles of artefacts of schedules

# Extents and symbols by kernel: tiny, empty, exactly one tile, ragged by one in
# both directions, multiples that hardware likes, and larger ones.
SHAPES = {
    "add": [dict(N=n) for n in
            (0, 1, 3, 1023, 1024, 1025, 4096, 5000, 100000)],
    # Many lanes, and many blocks, at few rows and bins.
    "embedding_backward": [dict(T=t, V=v, N=n) for t, v, n in
                           ((0, 0, 3), (1, 1, 1), (16, 3, 128), (17, 5, 129),
                            (15, 2, 127), (1000, 1, 130), (700, 37, 257),
                            (64, 500, 1000))],
    "histogram": [dict(N=n, V=v) for n, v in
                  ((0, 5), (1, 1), (1023, 7), (1024, 1), (1025, 300),
                   (50000, 1), (50000, 3), (100000, 257), (4096, 100000))],
    "gemm": [dict(M=m, N=n, K=k) for m, n, k in
             ((0, 5, 3), (5, 0, 3), (5, 3, 0), (1, 1, 1), (3, 5, 7),
              (128, 256, 64), (127, 255, 63), (129, 257, 65), (256, 512, 192),
              (300, 500, 200), (17, 1000, 40), (384, 264, 1000))],
    "gemm_by_size": [dict(M=m, N=n, K=k) for m, n, k in
                     ((0, 5, 3), (5, 3, 0), (1, 1, 1), (129, 257, 65),
                      (256, 512, 192), (8191, 256, 8), (8192, 256, 8),
                      (8193, 257, 1))],
    **{name: [dict(M=m, N=n, K=k) for m, n, k in
              ((0, 5, 3), (5, 3, 0), (1, 1, 1), (1, 4096, 520), (16, 264, 1000),
               (7, 4232, 136), (31, 4240, 72), (32, 264, 520), (40, 512, 1032),
               (64, 8456, 40), (63, 257, 129), (65, 136, 264), (129, 257, 65),
               (256, 4304, 8), (200, 5633, 3), (65, 16904, 8), (65, 17000, 16),
               (680, 4296, 8), (777, 4360, 200), (17, 136, 131), (65, 4232, 35),
               (17, 65, 136), (65, 8449, 72), (65, 4161, 67), (65, 4225, 67),
               (65, 8449, 33), (8449, 40, 72),
               (129, 8451, 201), (683, 4232, 33), (300, 1001, 2561))]
       for name in ("gemm_bf16", "linear")},
    "gemm_persistent": [dict(M=m, N=n, K=k, P=p) for m, n, k, p in
                        ((0, 5, 3, 4), (5, 3, 0, 1), (1, 1, 1, 132),
                         (128, 256, 64, 1), (129, 257, 65, 3),
                         (300, 500, 200, 2), (384, 520, 72, 132),
                         (640, 264, 128, 7), (1100, 300, 8, 5))],
    "rms_norm": [dict(M=m, N=n) for m, n in
                 ((0, 5), (5, 0), (1, 1), (3, 7), (2, 2048), (5, 2047),
                  (4, 2049), (7, 5000), (33, 512), (100, 128), (77, 120),
                  (50, 1000), (9, 1024), (5, 2560), (4, 4096), (3, 8192))],
    "rotate": [dict(A=a, B=b, C=c) for a, b, c in
               ((0, 5, 3), (1, 1, 1), (2, 4, 8), (3, 5, 9), (4, 8, 16),
                (7, 21, 37))],
    "saxpy": [dict(N=n) for n in (0, 1, 3, 1023, 1024, 1025, 4096, 50000)],
    "searchsorted": [dict(N=n, M=m) for n, m in
                     ((0, 3), (1, 5), (7, 9), (1023, 300), (1024, 1000),
                      (100000, 5000))],
    "softmax": [dict(M=m, N=n) for m, n in
                ((0, 5), (5, 0), (1, 1), (3, 7), (2, 4096), (5, 4095),
                 (4, 4097), (7, 9000), (33, 512), (100, 256), (77, 200),
                 (50, 1000), (9, 1024), (5, 2047), (4, 8192), (3, 24580),
                 (2, 32768), (3, 32769))],
    "sort_rows": [dict(M=m, N=n) for m, n in
                  ((0, 5), (5, 0), (1, 1), (3, 7), (2, 64), (5, 65), (4, 127),
                   (7, 128), (300, 100), (1000, 128))],
    "transpose": [dict(M=m, N=n) for m, n in
                  ((0, 5), (5, 0), (1, 1), (3, 7), (64, 64), (63, 65),
                   (65, 63), (128, 192), (200, 333))],
}

# Kernels whose results on small integers must be exact: bounds are all 0.
EXACT = {"add", "embedding_backward", "gemm", "gemm_by_size", "gemm_persistent",
         "gemm_small", "histogram", "saxpy", "searchsorted", "sort_rows",
         "transpose"}


def generic_shapes(names):
    """For kernels that the table does not know."""
    rows = [[1], [0], [0, 5, 3], [5, 0, 3], [3, 5, 7], [8, 8, 4], [16, 64, 32],
            [37, 41, 43], [129, 131, 130], [64, 128, 256], [300, 200, 100]]
    return [{name: row[k % len(row)] for k, name in enumerate(names)}
            for row in rows]


def settled(manifest, shape):
    """The shape with each symbol that the contract equates with an expression
    at the value of that: few numbers drawn apart would agree."""
    shape = dict(shape)
    for condition in manifest["variants"][0]["requires"]:
        one, other = condition["args"]
        if condition["op"] != "==":
            continue
        for symbol, value in ((one, other), (other, one)):
            if isinstance(symbol, dict) and "symbol" in symbol:
                with contextlib.suppress(ZeroDivisionError):
                    shape[symbol["symbol"]] = launch.evaluate(value, shape)
                break
    return shape


def taken(manifest, shape):
    """The variant of a launch, or none where the contract does not admit it."""
    if min(shape.values(), default=0) < 0:
        return None
    variant = launch.chosen(manifest, shape)
    return variant if variant and launch.holds(variant["requires"],
                                               shape) else None


def others(manifest, shapes):
    """Shapes near the given ones for the entries that none of those takes: those
    whose extents are multiples of 8 or 4 bytes."""
    random = np.random.default_rng(1)
    left = {v["entry"] for v in manifest["variants"]}
    left -= {taken(manifest, shape)["entry"] for shape in shapes}
    out = []
    for _ in range(DRAWS):
        if not left or not shapes:
            break
        near = shapes[random.integers(len(shapes))]
        grain = int(random.choice([1, 2, 4, 8, 16]))
        near = settled(manifest, {
            k: int(v + random.integers(17)) // grain * grain
            if random.random() < 0.7 else v for k, v in near.items()})
        variant = taken(manifest, near)
        if variant and variant["entry"] in left:
            left.remove(variant["entry"])
            out.append(near)
    return out


def size(random, near):
    """A size of up to about twice another one, evenly by magnitude."""
    # Seeds of generators are symbols, too.
    high = 2 * min(max(near, 8), 1 << 16)
    n = int(math.exp(random.uniform(0, math.log(high))))
    kind = random.choice(["0", "1", "prime", "tile", "odd", "2", "4", "8", "16"])
    if kind == "prime":
        return next(p for p in range(max(n, 2), 2 * high)
                    if all(p % d for d in range(2, math.isqrt(p) + 1)))
    if kind == "tile":
        tile = int(random.choice([8, 16, 32, 64, 128]))
        return max(1, n // tile) * tile + int(random.choice([-1, 1]))
    if kind == "odd":
        return n | 1
    if kind == "0":  # seldom: empty launches are all alike
        return int(random.random() < 0.7)
    return max(1, n // int(kind)) * int(kind)


def elements(manifest, shape):
    return sum(math.prod(launch.layout(t, shape)[0])
               for t in launch.tensors(manifest))


def drawn(manifest, shapes, count, seed):
    """Shapes near the given ones, in turns over the entry points that take them:
    the small ones of an entry point, one alone where it takes large ones only, and
    none where those would fill the archive."""
    random = np.random.default_rng([seed, zlib.crc32(manifest["name"].encode())])
    found = {}
    for _ in range(100 * count):
        near = shapes[random.integers(len(shapes))]
        near = settled(manifest, {k: size(random, v) if random.random() < 0.7
                                  else v for k, v in near.items()})
        strides = library.STRIDES.get(manifest["name"])
        if strides:
            kinds = list(library.apart(int(random.integers(3)), strides, near))
            near = kinds[random.integers(len(kinds))]
        variant = taken(manifest, near)
        if variant and near not in (of := found.setdefault(variant["entry"], [])):
            of.append(near)
    turns = []
    for of in found.values():
        least = min(elements(manifest, s) for s in of)
        most = max(MOST_DRAWN, 2 * least) if least <= LARGE else least
        turns.append([s for s in of
                      if elements(manifest, s) <= min(most, TOO_LARGE)])
    return [s for turn in itertools.zip_longest(*turns)
            for s in turn if s is not None][:count]


def contents(dtype, shape, kind, random):
    if dtype == "i4":
        return random.integers(-8, 8, shape).astype(np.int8)
    if dtype.startswith("i") and dtype != "i1" and kind != "special":
        return random.integers(-100, 101, shape).astype(f"int{dtype[1:]}")
    return launch.contents(dtype, shape, kind, random)


def stored(dtype, array):
    """As a file has it: formats that NumPy lacks as their bits, two elements of
    4 bits in a byte."""
    if dtype == "i4":
        codes = np.asarray(array).view(np.uint8) & 15
        return codes[..., ::2] | codes[..., 1::2] << 4
    if dtype not in ("bf16", "f8E8M0FNU", *formats.SMALL):
        return array
    bits = np.uint16 if dtype == "bf16" else np.uint8
    return np.frombuffer(formats.to_bytes(dtype, array), bits).reshape(
        np.shape(array))


def places(argument, shape):
    """Where elements lie: those that share a place have one value."""
    extents, strides = launch.layout(argument, shape)
    at = np.zeros(extents, np.int64)
    for axis, (extent, stride) in enumerate(zip(extents, strides)):
        steps = np.arange(extent) * stride
        at += steps.reshape([-1] + [1] * (len(extents) - axis - 1))
    return at


def is_small(manifest, shape):
    """Whether a test kernel's launch needs few files and little time."""
    extents = [launch.layout(t, shape)[0] for t in launch.tensors(manifest)]
    grid = [launch.evaluate(g, shape)
            for g in launch.chosen(manifest, shape)["grid"]]
    return (max((math.prod(e) for e in extents), default=0) <= 1 << 15 and
            math.prod(grid) <= 1 << 12)


def run(*command, may_refuse=False, may_lack=False):
    """Ends the program when the command fails. A launch that the executor
    refuses (exit code 3: too large, or against the contract) gives False, and
    so does a kernel of which the architecture has not all."""
    result = subprocess.run([str(c) for c in command], capture_output=True,
                            text=True, cwd=ROOT)
    if result.returncode == 3 and may_refuse:
        return False
    if may_lack and "is the first that does" in result.stderr:
        return False
    if result.returncode:
        sys.exit(f"pack.py: {' '.join(map(str, command))}\n"
                 f"{result.stdout}{result.stderr}")
    return True


class Packer:
    def __init__(self, binaries, archive, arch, draws, seed):
        self.binaries, self.archive, self.arch = binaries, archive, arch
        self.draws, self.seed = draws, seed
        self.cases, self.entries = [], set()
        self.first = {}  # of the cases of an entry point
        self.scheduled = set()  # titles that have an artefact of a schedule, too

    def save(self, name, array):
        path = self.archive / name
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, array)
        return name

    def manifest(self, title):
        return json.loads((self.archive / "artefacts" / title /
                           "manifest.json").read_text())

    def schedule(self, title, source):
        """A second artefact of what a schedule takes, and of nothing else."""
        folder = self.archive / "artefacts" / (title + SCHEDULED)
        run(self.binaries / "tile-compile", os.path.relpath(source, ROOT),
            f"--arch={self.arch}", "--allow-trust", "--backend=hopper",
            "-o", folder)
        if any("launch" in cubin for v in self.manifest(folder.name)["variants"]
               for cubin in v["cubins"].values()):
            self.scheduled.add(title)
        else:
            shutil.rmtree(folder)

    def kernel(self, source):
        name = source.stem
        if source.name in ("good.mlir", "bad.mlir"):
            name = f"{source.parent.name}.{source.stem}"
        # Several folders of the corpus have a kernel of one name.
        title = name
        if (self.archive / "artefacts" / name).exists():
            title = f"{source.parent.name}.{name}"
        # Reports repeat where the kernel stands: say it as the tree does.
        if not run(self.binaries / "tile-compile",
                   os.path.relpath(source, ROOT), f"--arch={self.arch}",
                   "--allow-trust", "-o", self.archive / "artefacts" / title,
                   may_lack=True):
            return
        manifest = self.manifest(title)
        self.schedule(title, source)
        self.entries |= {(title, v["entry"]) for v in manifest["variants"]}
        symbols = [s["name"] for s in manifest["symbols"]]
        strides = library.STRIDES.get(name)
        shapes = SHAPES.get(name)
        if shapes and strides:
            shapes = [one for number, shape in enumerate(shapes)
                      for one in library.apart(number, strides, shape)]
        shapes = [shape for shape in
                  shapes or library.SHAPES.get(name) or
                  [settled(manifest, s) for s in generic_shapes(symbols)]
                  if taken(manifest, shape)]
        shapes += others(manifest, shapes)
        if self.draws:
            self.drawn(title, source, manifest, shapes)
            return
        # Kernels whose sizes are all constants have one shape.
        shapes = shapes if symbols else [{}]
        shipped = source.is_relative_to(ROOT / "proofs/kernels")
        if shipped and len(shapes) < FEWEST_SHAPES:
            sys.exit(f"pack.py: {name}: the contract admits only "
                     f"{len(shapes)} of the shapes")
        kinds = ["integers", "normal"] if shipped else [
            "integers", "special", "normal"]
        for shape in shapes:
            if not shipped and not is_small(manifest, shape):
                continue
            for kind in library.KINDS.get(name, kinds):
                self.case(title, source, manifest, shape, kind, shipped)

    def drawn(self, name, source, manifest, shapes):
        kinds = library.KINDS.get(name, ["integers", "normal"])
        found = drawn(manifest, shapes, 2 * self.draws, self.seed)
        last = len(self.cases) + self.draws * (1 + (name in self.scheduled))
        for number, shape in enumerate(found):
            # Integers need no bounds, and pack well.
            isLarge = elements(manifest, shape) > LARGE
            if len(self.cases) < last:
                self.case(name, source, manifest, shape,
                          kinds[0 if isLarge else number % len(kinds)],
                          shipped=False)

    def case(self, name, source, manifest, shape, kind, shipped):
        # What is given is what the kernel of this launch asks for.
        manifest = manifest | {"variants": [launch.chosen(manifest, shape)]}
        title = "-".join([name, *(f"{k}{v}" for k, v in shape.items()), kind])
        random = np.random.default_rng(zlib.crc32(title.encode()))
        callers = {s["name"]: shape[s["name"]] for s in manifest["symbols"]}
        case = {"name": title, "artefact": f"artefacts/{name}",
                "set": callers, "args": {}, "expect": {}, "bound": {}}
        steps = MOST_STEPS // 100 if self.draws else MOST_STEPS
        command = [self.binaries / "tile-exec", source, f"--max-steps={steps}"]
        if callers:
            command += ["--set", ",".join(f"{k}={v}"
                                          for k, v in callers.items())]
        written = []
        for argument in manifest["arguments"]:
            of = argument["name"]
            if argument["kind"] == "scalar":
                # JSON has neither NaN nor infinities.
                array = contents(argument["dtype"], (),
                                 "normal" if kind == "special" else kind,
                                 random)
                path = self.archive / f"scalar.{of}.npy"
                np.save(path, stored(argument["dtype"], array))
                case["args"][of] = float(array)
                command += ["--input", f"{of}={path}"]
                continue
            if argument["mode"] != "out":
                at = places(argument, shape)
                drawn = contents(argument["dtype"],
                                 (int(at.max(initial=0)) + 1,), kind, random)
                array = givens.keep(manifest, of, shape, drawn[at], random)
                if array is None:
                    return
                file = self.save(f"data/{title}.{of}.npy",
                                 stored(argument["dtype"], array))
                case["args"][of] = file
                # Half of them looked up on the device, half on the host.
                if kind == "normal" and givens.facts(manifest, of, shape):
                    case.setdefault("validate", []).append(of)
                command += ["--input", f"{of}={self.archive / file}"]
            # Elements that nobody writes have no value to compare; as floats
            # they are NaN on both sides.
            unknown = argument["partial"] and argument["dtype"][0] == "i"
            if argument["mode"] != "shared" and not unknown:
                written.append(of)
                case["expect"][of] = f"data/{title}.{of}.expected.npy"
                case["bound"][of] = f"data/{title}.{of}.bound.npy"
                command += [
                    "--output", f"{of}={self.archive / case['expect'][of]}",
                    "--bound", f"{of}={self.archive / case['bound'][of]}"]
        if not run(*command, may_refuse=not shipped):
            return
        for of in written:
            path = self.archive / case["bound"][of]
            if not np.load(path).any():
                del case["bound"][of]
                path.unlink()
        if kind == "integers" and name in EXACT and case["bound"]:
            sys.exit(f"pack.py: {title}: not exact")
        for suffix in ("", SCHEDULED) if name in self.scheduled else ("",):
            of = case | {"name": title.replace(name, name + suffix, 1),
                         "artefact": f"artefacts/{name}{suffix}"}
            self.cases.append(of)
            self.first.setdefault((of["artefact"],
                                   manifest["variants"][0]["entry"]), of)


def main():
    options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
    paths = [pathlib.Path(a).resolve() for a in sys.argv[1:]
             if not a.startswith("--")]
    if len(paths) < 2 or set(options) - {"arch", "draws", "seed"}:
        sys.exit(__doc__)
    draws = int(options.get("draws", 0))
    shipped = sorted((ROOT / "proofs/kernels").glob("*/*.mlir"))
    kernels = paths[2:] or (shipped if draws else [
        *shipped, *sorted((ROOT / "tests/tileir/kernels").glob("*.mlir")),
        # Blocks race for what raw.good leaves.
        *(k.path for k in corpus.kernels("girih", "VERIFIED")
          if k.path.stem != "raw.good")])
    shutil.rmtree(paths[1], ignore_errors=True)
    (paths[1] / "data").mkdir(parents=True)
    packer = Packer(paths[0], paths[1].resolve(), options.get("arch", "sm_90"),
                    draws, int(options.get("seed", 1)))
    for kernel in map(pathlib.Path.resolve, kernels):
        if os.path.relpath(kernel, ROOT) not in UNLOWERED:
            packer.kernel(kernel)
    for scalar in packer.archive.glob("scalar.*.npy"):
        scalar.unlink()
    for file, cases in (("cases", packer.cases), ("first", packer.first.values())):
        (packer.archive / f"{file}.jsonl").write_text(
            "".join(json.dumps(c) + "\n" for c in cases))
    size = sum(f.stat().st_size for f in packer.archive.rglob("*.*"))
    print(f"{len(packer.cases)} cases of {len(kernels)} kernels, "
          f"{len(packer.first)} of {len(packer.entries)} entry points, "
          f"{size / 2**20:.1f} MiB")


if __name__ == "__main__":
    main()
