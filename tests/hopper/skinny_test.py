#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule skinny, run and compared with NumPy in f64: of each
kernel, of at most 8 rows and of 16, at the borders of tiles, of the columns of a
warp and of splits. Beside what a launch may read there stands nothing. Each
variant passes the gate, and each mistake that is planted into the PTX, one edit,
is refused by it for the reason named, or a run of it finds another result. Kernels
in bf16 run in f16, too. Weights in f8 are of all codes but those of NaN; of 4 bits
there is a variant of at most 8 rows alone.

  skinny_test.py TILE_COMPILE PTX_GATE KERNEL.mlir...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from fused_test import BF16, F16
from gate import HEAD, Gate, variants
from machine import E4M3, Fault, Memory, Program

GATE, RUN = "gate", "run"
WRONG = "elements are wrong"
#: Rows of a variant, N, K, P and S: one element, a tile and one more, a column
#: behind a warp's, programs without a tile, no column, all columns of a block.
SIZES = [(1, 1, 8, 1, 1), (0, 17, 72, 2, 2), (-3, 40, 584, 2, 3),
         (0, 33, 2560, 1, 1), (2, 5, 0, 3, 2), (0, 0, 64, 1, 1)]
#: Where K is beyond a block.
DEEP = [(-1, 20, 2568, 1, 2), (0, 16, 1000, 1, 16)]
#: The same of weights in f8, K a multiple of 16.
F8_SIZES = [(1, 1, 16, 1, 1), (0, 17, 80, 2, 2), (-3, 40, 656, 2, 3),
            (0, 33, 2560, 1, 1), (2, 5, 0, 3, 2), (0, 0, 64, 1, 1)]
F8_DEEP = [(-1, 20, 2576, 1, 2), (0, 16, 1008, 1, 16)]
#: Of 4 bits, K the number of groups of 128.
INT4_SIZES = [(1, 1, 1, 1, 1), (0, 17, 9, 2, 2), (-3, 40, 17, 2, 3),
              (0, 33, 20, 1, 1), (2, 5, 0, 3, 2), (0, 0, 3, 1, 1)]
INT4_DEEP = [(-1, 20, 21, 1, 2), (0, 16, 35, 1, 16)]

#: By kernel: what is replaced (which of several), by what, who finds it, and
#: what is said. In the PTX of 16 rows.
MISTAKES = {
    "skinny": {
        "no guard of columns": (
            r"and\.pred( \t%p\d+), (%p\d+), (%p\d+);", 0, r"mov.pred\1, \2;",
            GATE, r"\[ptx.bounds\]"),
        "a column of the next vector": (
            r"(ld\.global\.L1::no_allocate\.v4\.b32 \{[^}]*\}, \[%rd\d+)\]", 0,
            r"\1+16]", GATE, r"\[ptx.bounds\]"),
        "no guard of what is loaded ahead": (
            r"@%p\d+ (ld\.global\.L1::no_allocate\.v4)", -1, r"\1", GATE,
            r"\[ptx.bounds\]"),
        "x before the dependency wait": (
            r"\tgriddepcontrol\.wait;\n", 0, "", GATE, r"\[ptx.dependency\]"),
        "x for the weights": (
            r"_param_1\]", 0, "_param_0]", GATE, r"\[ptx"),
        "no barrier behind the sums": (
            r"\tbar\.sync[^\n]*\n", 0, "", GATE, r"\[ptx.race\]"),
        "no barrier before the next sums": (
            r"\tbar\.sync[^\n]*\n", -1, "", GATE, r"\[ptx.race\]"),
        "a guarded product": (
            r"\tmma\.sync", 0, "\t@%p1 mma.sync", GATE,
            r"\[ptx.barrier\] .*not all lanes"),
        "the rows of a product swapped": (
            r"(mma\.sync\S+ \{[^}]*\}, \{)(%r\d+), (%r\d+),", 0, r"\1\3, \2,",
            RUN, WRONG),
        "the sum of seven warps": (
            r"add\.rn\.f32 \t(%r\d+), (%r\d+), %r\d+;", -1, r"mov.b32 \t\1, \2;",
            RUN, WRONG),
    },
    "skinny_silu_mul": {
        "gate and up swapped": (
            r"(mma\.sync\S+ \{[^}]*\}, \{)(%r\d+), (%r\d+),", 0, r"\1\3, \2,",
            RUN, WRONG),
        "a third matrix": (
            r"(mul\.lo\.s64 \t(%rd\d+), )(%rd\d+), (%rd\d+);", 1,
            r"\1\3, \4;\n\tadd.s64 \t\2, \2, 8;", GATE, r"\[ptx"),
    },
    "skinny_split_k": {
        "the columns of the next split": (
            r"(rem\.u32 \t(%r\d+), %r\d+, %r\d+;\n)", 0,
            r"\1\tadd.s32 \t\2, \2, 1;\n", GATE, r"\[ptx"),
        "a program more": (
            r"(div\.u32 \t(%r\d+), %r\d+, %r\d+;\n)", 0,
            r"\1\tadd.s32 \t\2, \2, 1;\n", GATE, r"\[ptx"),
    },
    "skinny_f8": {
        "no guard of columns": (
            r"and\.pred( \t%p\d+), (%p\d+), (%p\d+);", 0, r"mov.pred\1, \2;",
            GATE, r"\[ptx.bounds\]"),
        "no guard of a scale": (
            r"@%p\d+ (ld\.global\.b32)", 0, r"\1", GATE, r"\[ptx.bounds\]"),
        "the scale of the next row": (
            r"(@%p\d+ ld\.global\.b32 %r\d+, \[%rd\d+)\]", 0, r"\1+4]", GATE,
            r"\[ptx.bounds\]"),
        "the scale of the tile before": (
            r"(@%p\d+ ld\.global\.b32 %r\d+, \[%rd\d+)\]", -1, r"\1-64]",
            GATE, r"\[ptx"),
        "another format": (
            r"e4m3x2", 0, "e5m2x2", GATE, r"\[ptx.form\]"),
        "a byte for its neighbour": (
            r"(cvt\.rn\.f16x2\.e4m3x2 \t%r\d+, )(%rs\d+);(?=(?:.|\n)*?"
            r"cvt\.rn\.f16x2\.e4m3x2 \t%r\d+, (%rs\d+);)", 0, r"\1\3;",
            RUN, WRONG),
        "no scale": (
            r"mul\.rn\.f32 \t(%r\d+), (%r\d+), %r\d+;", -1,
            r"mov.b32 \t\1, \2;", RUN, WRONG),
        "columns of x for others": (
            r"(ld\.shared\.v4\.b32 \t\{[^}]*\}, \[[^\]+]*)\+512\]", -1, r"\1]",
            RUN, WRONG),
    },
    "skinny_silu_mul_f8": {
        "one scale for both": (
            r"add\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;(?=(?:.|\n)*?"
            r"@%p\d+ ld\.global\.b32)", -1, r"mov.b64 \t\1, \2;", GATE,
            r"\[ptx.bounds\]"),
        "gate and up swapped": (
            r"(mma\.sync\S+ \{[^}]*\}, \{)(%r\d+), (%r\d+),", 0, r"\1\3, \2,",
            RUN, WRONG),
    },
    "skinny_int4": {
        "no guard of groups": (
            r"and\.pred( \t%p\d+), (%p\d+), (%p\d+);", 0, r"mov.pred\1, \2;",
            GATE, r"\[ptx.bounds\]"),
        "the scale of the next group": (
            r"(@%p\d+ ld\.global\.b16 %rs\d+, \[%rd\d+)\]", 0, r"\1+2]", GATE,
            r"\[ptx.bounds\]"),
        "numbers of another half": (
            r"shr\.u32( \t%r\d+, %r\d+), 4;", 0, r"shr.u32\1, 0;", RUN, WRONG),
        "137 too much": (r"-1022835960", 0, "-1022835959", RUN, WRONG),
        "columns of x for others": (
            r"(ld\.shared\.v4\.b32 \t\{[^}]*\}, \[[^\]+]*)\+512\]", -1, r"\1]",
            RUN, WRONG),
        "no barrier behind the sums": (
            r"\tbar\.sync[^\n]*\n", 0, "", GATE, r"\[ptx.race\]"),
    },
    "skinny_silu_mul_int4": {
        "gate and up swapped": (
            r"(mma\.sync\S+ \{[^}]*\}, \{)(%r\d+), (%r\d+),", -1, r"\1\3, \2,",
            RUN, WRONG),
    },
    "skinny_split_k_int4": {
        "the groups of the next split": (
            r"(rem\.u32 \t(%r\d+), %r\d+, %r\d+;\n)", 0,
            r"\1\tadd.s32 \t\2, \2, 1;\n", GATE, r"\[ptx"),
    },
    "skinny_split_k_f8": {
        "the columns of the next split": (
            r"(rem\.u32 \t(%r\d+), %r\d+, %r\d+;\n)", 0,
            r"\1\tadd.s32 \t\2, \2, 1;\n", GATE, r"\[ptx"),
        "no scale": (
            r"mul\.rn\.f32 \t(%r\d+), (%r\d+), %r\d+;", -1,
            r"mov.b32 \t\1, \2;", RUN, WRONG),
    },
}


def wanted(name, x, w, S):
    if name.startswith("skinny_silu_mul"):
        gate, up = (x @ half.T for half in w)
        return gate / (1 + np.exp(-gate)) * up
    if not name.startswith("skinny_split_k"):
        return x @ w.T
    tile = 128 if name.endswith("_int4") else 64
    share = -(-(-(-x.shape[1] // tile)) // S) * tile
    return np.stack([x[:, s * share:(s + 1) * share]
                     @ w[:, s * share:(s + 1) * share].T for s in range(S)])


def launch(program, name, most, size, seed, format=BF16):
    """What is wrong, or nothing."""
    narrow, wide, unit = format
    rows, n, k, p, s = size
    m = rows if rows > 0 else most + rows
    is_split = name.startswith("skinny_split_k")
    is_f8, is_int4 = name.endswith("_f8"), name.endswith("_int4")
    rng = np.random.default_rng(seed)
    groups, k = k, 128 * k if is_int4 else k
    x = rng.standard_normal((m, k))
    x = narrow(np.abs(x) if is_split and seed % 2 else x)
    shape = (2, n, k) if name.startswith("skinny_silu_mul") else (n, k)
    w = narrow(rng.standard_normal(shape) / np.sqrt(max(k, 1)))
    numbers = wide(w)
    scales = []
    if is_f8:
        w = rng.choice(np.flatnonzero(~np.isnan(E4M3)).astype(np.uint8), shape)
        scale = (rng.uniform(-1, 1, shape[:-1]) / np.sqrt(max(k, 1)) / 128
                 ).astype(np.float32)
        numbers = E4M3[w].astype(np.float64) * scale[..., None]
        scales = [scale]
    if is_int4:
        w = rng.integers(0, 256, (*shape[:-1], groups, 64)).astype(np.uint8)
        scale = narrow(rng.uniform(-1, 1, w.shape[:-1]) / np.sqrt(max(k, 1)) / 8)
        halves = np.concatenate([w & 15, w >> 4], -1) - 8.0
        numbers = (halves * wide(scale)[..., None]).reshape(shape)
        scales = [scale]
    y = (np.full((s, m, n), 0xFFFFFFFF, np.uint32) if is_split
         else np.full((m, n), 0xFFFF, np.uint16))
    memory = Memory()
    place = lambda array, early, written: memory.add(
        array.reshape(-1).view(np.uint8), early, written)
    arguments = [place(x, False, False),
                 *(place(array, True, False) for array in [w, *scales]),
                 place(y, False, True), m, groups, n]
    arguments += [s, p, s] if is_split else [p]
    try:
        program.run(arguments, memory, p * s if is_split else p, 232448, seed)
    except Fault as fault:
        return str(fault)
    got = y.view(np.float32).astype(np.float64) if is_split else wide(y)
    want = wanted(name, wide(x), numbers, s)
    room = 1e-5 + np.abs(want) * 2 * unit
    if is_split:
        # Sums in f32 of exact products, in any order: of what is larger than
        # these by far, and taken off again, they would have lost digits.
        room = 1e-9 + wanted(name, np.abs(wide(x)), np.abs(numbers), s) * 2 ** -20
    if not (bad := np.abs(got - want) <= room).all():
        return f"{(~bad).sum()} of {bad.size} elements are wrong"
    return ""


def first_kernel(text):
    """The text with the first variant of a list alone."""
    head, _, variants_ = text.partition("tile.variants ")
    first = variants_[variants_.index("tile.kernel "):]
    return head + first[:first.index("tile.kernel ", 1)]


def planted(ptx, pattern, new, which):
    found = list(re.finditer(pattern, ptx))
    if not found:
        return ptx
    at = found[which]
    return ptx[:at.start()] + at.expand(new) + ptx[at.end():]


def main(compiler, tool, *kernels):
    launches = mistakes = failures = 0

    def complain(name, what, why):
        nonlocal failures
        failures += 1
        print(f"{name}, {what}: {why[:300]}")

    def dump(kernel, what):
        done = subprocess.run([compiler, kernel, f"--dump={what}"],
                              capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)
        return done.stdout

    def in_f16(gate, kernel):
        nonlocal launches
        name, text = pathlib.Path(kernel).stem, pathlib.Path(kernel).read_text()
        text = text.replace("bf16", "f16")
        ptx, expected = (dump(gate.write("f16.mlir", text), what)
                         for what in ("ptx", "expected"))
        pairs = zip((8, 16), variants(ptx, HEAD),
                    variants(expected, "girih-expected "))
        for most, one, what in pairs:
            if not (said := gate.said(what, [one])[0]).startswith("proved"):
                complain(name, f"in f16, of {most} rows", said)
            launches += 1
            if why := launch(Program(one), name, most, SIZES[2], most, F16):
                complain(name, f"in f16, of {most} rows", why)

    with tempfile.TemporaryDirectory() as folder:
        gate = Gate(tool, folder)
        for kernel in kernels:
            name = pathlib.Path(kernel).stem
            if name.endswith("_int4"):
                kernel = gate.write(f"{name}.mlir",
                                    first_kernel(pathlib.Path(kernel).read_text()))
                sizes = INT4_SIZES + (INT4_DEEP if "split_k" in name else [])
            elif name.endswith("_f8"):
                sizes = F8_SIZES + (F8_DEEP if "split_k" in name else [])
            else:
                in_f16(gate, kernel)
                sizes = SIZES + (DEEP if "split_k" in name else [])
            pairs = list(zip((8, 16), variants(dump(kernel, "ptx"), HEAD),
                             variants(dump(kernel, "expected"),
                                      "girih-expected ")))
            for most, ptx, expected in pairs:
                program = Program(ptx)
                for seed, size in enumerate(sizes):
                    launches += 1
                    if why := launch(program, name, most, size, seed):
                        complain(name, f"of {most} rows, {size}", why)
            mutants = {what: planted(ptx, old, new, which) for
                       what, (old, which, new, *_) in MISTAKES[name].items()}
            built, *said = gate.said(expected, [ptx, *mutants.values()])
            if not built.startswith("proved"):
                complain(name, "what is built", built)
            for (what, mutant), answer in zip(mutants.items(), said):
                mistakes += 1
                *_, who, reason = MISTAKES[name][what]
                if who == RUN and answer.startswith("proved"):
                    answer = next((why for seed, size in enumerate(sizes)
                                   if (why := launch(Program(mutant), name, most,
                                                     size, seed))), "accepted")
                if mutant == ptx or not re.search(reason, answer):
                    complain(name, what,
                             "no change" if mutant == ptx else answer)
    print(f"{launches} launches, {mistakes} mistakes, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
