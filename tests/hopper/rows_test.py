#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule rows, run and compared with NumPy in f64: of each
kernel all variants, at the borders of tiles and at drawn shapes, with rows that
lie apart; what lies between them has to stay as it was. An element may be off by
the rounding to bf16 and a part in 10^5.

  rows_test.py TILE_COMPILE KERNEL.mlir...
"""

import pathlib
import random
import re
import subprocess
import sys
import tempfile

import numpy as np

from machine import Fault, Memory, Program

EPS = np.float32(1e-6)


def as_f32(values):
    return values.astype(np.float32).view(np.uint32)


def narrow(values):
    bits = values.astype(np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def wide(bits):
    if bits.dtype == np.uint32:
        return bits.view(np.float32).astype(np.float64)
    return (bits.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def softmax(x):
    e = np.exp(x - x.max(axis=1, keepdims=True, initial=-np.inf))
    return [e / e.sum(axis=1, keepdims=True)]


def norm(x, weight):
    mean = (x * x).sum(axis=1, keepdims=True) / max(1, x.shape[1])
    return x / np.sqrt(mean + np.float64(EPS)) * weight


def rms_norm(x, weight):
    return [norm(x, weight)]


def add_rms_norm(x, residual, weight):
    both = narrow(x + residual)
    return [wide(both), norm(wide(both), weight)]


#: By name: the function; how many tensors of rows go in, whether a weight does;
#: how elements are written.
KERNELS = {"softmax_by_row": (softmax, 1, False, narrow),
           "rms_norm_by_row": (rms_norm, 1, True, narrow),
           "add_rms_norm_by_row": (add_rms_norm, 2, True, narrow),
           "softmax_row": (softmax, 1, False, as_f32)}


def untouched(kind, *shape):
    """What no kernel stores: NaN of all ones."""
    return np.full(shape, np.iinfo(kind).max, kind)


class Rows:
    """A tensor of rows that lie apart, no element behind its last one."""

    def __init__(self, bits, gap):
        m, n = bits.shape
        self.pitch, self.shape = n + gap, (m, n)
        self.data = untouched(bits.dtype, (m - 1) * self.pitch + n if m else 0)
        for r in range(m):
            self.data[r * self.pitch:r * self.pitch + n] = bits[r]

    def rows(self):
        m, n = self.shape
        return np.array([self.data[r * self.pitch:r * self.pitch + n]
                         for r in range(m)], self.data.dtype).reshape(m, n)

    def is_gap_kept(self):
        m, n = self.shape
        gaps = [self.data[r * self.pitch + n:(r + 1) * self.pitch]
                for r in range(m)]
        return all((gap == untouched(gap.dtype, 1)).all() for gap in gaps)


def far(got, want):
    """What is wrong with an output, or nothing."""
    if not got.is_gap_kept():
        return "what lies between rows is written"
    values = wide(got.rows())
    same_nan = np.isnan(values) == np.isnan(want)
    with np.errstate(invalid="ignore"):
        rounding = 2.0 ** -8 if got.data.dtype == np.uint16 else 0
        room = np.abs(want) * (rounding + 1e-5) + 1e-38
        near = np.abs(values - want) <= room
    good = same_nan & (near | np.isnan(want) | (values == want))
    return "" if good.all() else f"{(~good).sum()} elements are wrong"


def launch(program, name, per_block, m, n, gaps, seed, spoil=None):
    """What is wrong, or nothing."""
    function, inputs, has_weight, written = KERNELS[name]
    rng = np.random.default_rng(seed)
    ins = [written(rng.standard_normal((m, n)) * 3) for _ in range(inputs)]
    if spoil is not None and m * n:
        ins[0][0, n // 2] = written(np.array([spoil]))[0]
    weight = [written(1 + rng.standard_normal(n) / 4)] if has_weight else []
    with np.errstate(all="ignore"):
        want = function(*map(wide, ins + weight))
    memory, gap = Memory(), iter(gaps)
    tensors = [Rows(bits, next(gap)) for bits in ins]
    outs = [Rows(untouched(ins[0].dtype, m, n), next(gap)) for _ in want]
    arguments = [memory.add(t.data.view(np.uint8), True, False) for t in tensors]
    arguments += [memory.add(w.view(np.uint8), True, False) for w in weight]
    arguments += [memory.add(t.data.view(np.uint8), True, True) for t in outs]
    arguments += [int(EPS.view(np.uint32))] if has_weight else []
    arguments += [m, n] + [t.pitch for t in tensors + outs]
    try:
        program.run(arguments, memory, -(-m // per_block), 232448, seed)
    except Fault as fault:
        return str(fault)
    return "".join(far(*pair) for pair in zip(outs, want))


def variants(tool, kernel):
    """Of each: rows a block, columns, and its PTX. Rows of f32 that may begin
    anywhere are held to multiples of 16 bytes first."""
    text = pathlib.Path(kernel).read_text().replace(
        "[N <= 8192]", "[N <= 8192, mod(N, 4) == 0, mod(ldx, 4) == 0, "
        "mod(ldy, 4) == 0]")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "kernel.mlir")
        path.write_text(text)
        done = subprocess.run([tool, path, "--dump=ptx"], capture_output=True,
                              text=True)
    if done.returncode:
        sys.exit(done.stderr)
    parts = done.stdout.split("//\n// Generated by LLVM")[1:]
    found = []
    for part in parts:
        sizes = re.search(r"\.entry \w+_in_registers_(\d+)_(\d+)_", part)
        rows, columns = (int(sizes[1]), int(sizes[2])) if sizes else (1, 8192)
        found.append((rows, columns, "// LLVM" + part))
    return found


def shapes(source, rows, columns):
    """M and N: nothing, one vector, ragged rows, borders of the tile, drawn."""
    fixed = [(0, 8), (1, 0), (1, 8), (rows + 1, 16), (2 * rows, 24),
             (1, columns - 8), (2, columns), (rows, columns)]
    return fixed + [(source.randint(1, 2 * rows + 1),
                     8 * source.randint(1, columns // 8)) for _ in range(3)]


def main(tool, *kernels):
    source, launches, failures = random.Random(7), 0, 0
    for kernel in kernels:
        name = pathlib.Path(kernel).stem
        for rows, columns, text in variants(tool, kernel):
            program = Program(text)
            for m, n in shapes(source, rows, columns):
                launches += 1
                gaps = [8 * source.randint(0, 3) for _ in range(4)]
                if why := launch(program, name, rows, m, n, gaps, launches):
                    failures += 1
                    print(f"{name} of {rows} x {columns}, M = {m}, N = {n}: {why}")
            for value in (-np.inf, np.inf, np.nan, -100, 100):
                launches += 1
                if why := launch(program, name, rows, 2, 24, [0] * 4, 1, value):
                    failures += 1
                    print(f"{name} of {rows} x {columns}, with {value}: {why}")
    print(f"{launches} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
