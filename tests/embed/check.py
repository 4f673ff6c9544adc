#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels written in C++, against those written by hand.

  check.py BIN_DIR PROGRAM [PROGRAM OF ANOTHER COMPILER]

Both programs write the same text, to the byte. Each kernel has the verdict of the
hand-written one of its name, computes what that computes on the executor, at the
launches that the library is tested with and at drawn ones, and, where SAME lists it,
compiles to the same Tile IR."""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/library"))
import dataflow
import shapes

# The same bytes, and the same but for the order of ops that do not depend on each
# other.
SAME = {
    "flash_bwd_delta": "order",
    "gemm_bias_gelu": "order",
    "gemv_w4a16": "order",
    "grouped_gemm_partial": "order",
    "grouped_gemm_wide": "order",
    "histogram_scalar": "bytes",
    "layer_norm_fwd": "order",
    "raw": "order",
    "scan_apply": "order",
    "scan_sums": "bytes",
    "split_k": "order",
    "stencil3d": "order",
    "topk": "order",
}
# Where the hand-written kernel is, if not under its name in tests/corpus/girih/kernels.
ELSEWHERE = {
    "layer_norm_fwd": "tests/corpus/girih/inside/layer_norm.good.mlir",
    "permute_view": "proofs/kernels/permute_heads/permute_heads.mlir",
    "raw": "tests/corpus/girih/contents/raw.good.mlir",
}
# Exit codes of what no hand-written kernel says; else 0.
VERDICTS = {"believed": 2}
# Launches of kernels whose extents depend on each other.
LAUNCHES = {
    "gemv_w4a16_bytes": [{"N": n, "H": h, "K": 2 * h, "KG": -(-h // 64)}
                         for n, h in ((1, 1), (32, 64), (33, 100), (70, 130), (5, 0))],
    **{f"grouped_gemm_{way}": [{"P": p, "E": e, "E1": e + 1, "K": k, "N": n}
                               for p, e, k, n in ((64, 1, 64, 128), (100, 3, 70, 130),
                                                  (1, 2, 5, 7), (0, 1, 3, 4))]
       for way in ("partial", "wide", "dense")},
}
DRAWS = 10
MAX_ELEMENTS = 1 << 18


def run(*command):
    return subprocess.run([str(c) for c in command], capture_output=True, text=True)


def by_hand(name, folder):
    path = ROOT / ELSEWHERE.get(name, f"tests/corpus/girih/kernels/{name}.mlir")
    if not path.exists():
        return None
    # A word of C++ names no argument there.
    copy = folder / f"{name}.by_hand.mlir"
    copy.write_text(re.sub(r"%do\b", "%d_o", path.read_text()))
    return copy


def tensors(text):
    """Of a kernel: the extents of each argument and its mode."""
    aliases = dict(re.findall(r"^!(\w+) = !tile\.tensor<\[(.*?)\] x .*$", text, re.M))
    modes = dict(re.findall(r"^!(\w+) = !tile\.tensor<.*?\] x \w+, (\w+)", text, re.M))
    header = re.search(r"^tile\.kernel @\w+\((.*?)\)", text, re.M | re.S)[1]
    return {name: (aliases[alias].split(", "), modes[alias])
            for name, alias in re.findall(r"%(\w+): !(\w+)", header)}


def symbols(text):
    found = []
    for extents, _ in tensors(text).values():
        found += [e for e in extents if not e.isdigit()]
    clause = re.search(r"symbols \[(.*?)\]", text)
    if clause:
        found += re.findall(r"(\w+) :", clause[1])
    return list(dict.fromkeys(found))


def tiles(text):
    """By symbol, the extents of tiles along axes of that extent."""
    found = {}
    for by, extents in re.findall(r"!tile\.partition<\[(.*?)\], \[(.*?)\]", text):
        for tile, extent in zip(by.split(", "), extents.split(", ")):
            found.setdefault(extent, set()).add(1 if tile == "_" else int(tile))
    return found


def draw(rng, text):
    """A launch: whole tiles, ragged ones, none, beside numbers of no account."""
    by = tiles(text)
    shape = {}
    for name in symbols(text):
        tile = rng.choice(sorted(by.get(name, {1, 4})))
        shape[name] = rng.choice([0, 1, 2, 3, 5, tile - 1, tile, tile + 1,
                                  2 * tile, 2 * tile + rng.randrange(tile)])
    return shape


def elements(text, shape):
    total = 0
    for extents, _ in tensors(text).values():
        count = 1
        for e in extents:
            count *= int(e) if e.isdigit() else shape[e]
        total += count
    return total


def results(bin_dir, kernel, shape, outputs, folder):
    """None where the launch is refused."""
    command = [bin_dir / "tile-exec", kernel, "--set",
               ",".join(f"{k}={v}" for k, v in shape.items())]
    for name in outputs:
        command += ["--output", f"{name}={folder}/{name}.npy",
                    "--bound", f"{name}={folder}/{name}.bound.npy"]
    done = run(*command)
    if done.returncode:
        return None, done.stderr
    return {n: (np.load(f"{folder}/{n}.npy"), np.load(f"{folder}/{n}.bound.npy"))
            for n in outputs}, ""


def apart(a, b):
    """By how much two outputs lie apart beyond their bounds."""
    (x, x_room), (y, y_room) = a, b
    if x.dtype == np.uint16:  # bf16
        x, y = ((v.astype(np.uint32) << 16).view(np.float32) for v in (x, y))
    x, y = x.astype(np.float64), y.astype(np.float64)
    with np.errstate(invalid="ignore"):
        off = np.abs(x - y) - (x_room + y_room)
    off = np.where((x == y) | (np.isnan(x) & np.isnan(y)), 0, off)
    return float(np.nan_to_num(off, nan=np.inf).max(initial=0))


def compare_runs(bin_dir, name, mine, theirs, complain):
    text = theirs.read_text()
    outputs = [n for n, (_, mode) in tensors(text).items() if mode != "shared"]
    rng = random.Random("embed " + name)
    launches = LAUNCHES.get(name, []) + shapes.SHAPES.get(name, [])
    drawn = [draw(rng, text) for _ in range(DRAWS)]
    launches += [s for s in drawn if elements(text, s) <= MAX_ELEMENTS]
    admitted = 0
    for shape in launches:
        if set(symbols(text)) - set(shape):
            continue
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two:
            want, error = results(bin_dir, theirs, shape, outputs, one)
            got, other = results(bin_dir, mine, shape, outputs, two)
        if want is None or got is None:
            if (want is None) != (got is None):
                complain(f"{name} {shape}: one of two refuses: {error}{other}")
            continue
        admitted += 1
        for output in outputs:
            off = apart(got[output], want[output])
            if off > 0:
                complain(f"{name} {shape}: {output} is off by {off:.3g}")
    if admitted < 2:
        complain(f"{name}: {admitted} launches are admitted")
    return admitted


def module(bin_dir, kernel, what):
    return run(bin_dir / "tile-compile", "--allow-trust", kernel, f"--dump={what}").stdout


def compare_modules(bin_dir, mine, theirs):
    """How the Tile IR of two kernels compares: 'bytes', 'order' or ''."""
    texts = []
    for kernel in (mine, theirs):
        text = module(bin_dir, kernel, "module")
        names = re.findall(r"^tile\.kernel @(\w+)", kernel.read_text(), re.M)
        for n, name in enumerate(names):
            text = re.sub(rf"^entry @{name}(_aligned\w*)?\(", rf"entry @k{n}\1(", text,
                          flags=re.M)
        texts.append(text)
    a, b = texts
    if not a or not b:
        return "not compiled"
    if a == b:
        return "bytes"
    return "order" if dataflow.digest(a) == dataflow.digest(b) else ""


def main(bin_dir, *programs):
    bin_dir = pathlib.Path(bin_dir)
    failures = []
    with tempfile.TemporaryDirectory() as top:
        folders = [pathlib.Path(top, str(n)) for n in range(len(programs))]
        for program, folder in zip(programs, folders):
            folder.mkdir()
            done = run(program, folder)
            if done.returncode:
                sys.exit(done.stderr)
        kernels = sorted(folders[0].glob("*.mlir"))
        for kernel in kernels:
            name = kernel.stem
            for other in folders[1:]:
                for ending in (".mlir", ".lines"):
                    if (kernel.with_suffix(ending).read_bytes()
                            != (other / (name + ending)).read_bytes()):
                        failures.append(f"{name}{ending}: compilers differ")
            verdict = run(bin_dir / "tile-verify", kernel)
            theirs = by_hand(name, pathlib.Path(top))
            want = VERDICTS.get(name, 0) if theirs is None else run(bin_dir / "tile-verify", theirs).returncode
            if verdict.returncode != want:
                failures.append(f"{name}: exit code {verdict.returncode}, not {want}\n"
                                + verdict.stdout + verdict.stderr)
                continue
            if theirs is None:
                print(f"{name}: {verdict.stdout.split()[0]}")
                continue
            ran = compare_runs(bin_dir, name, kernel, theirs, failures.append)
            same = compare_modules(bin_dir, kernel, theirs)
            if same != SAME.get(name, ""):
                failures.append(f"{name}: Tile IR is the same in {same or 'nothing'}, "
                                f"SAME has {SAME.get(name, '') or 'nothing'}")
            print(f"{name}: {verdict.stdout.split()[0]}, {ran} launches agree, "
                  f"Tile IR: {same or 'its own'}")
    for failure in failures:
        print(failure)
    return failures != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
