#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of products with a residual, of a norm, and with SiLU of two matrices,
of weights in bf16, in f16, in f8 and of 4 bits, run and compared with NumPy in f64;
each variant passes the gate, and each fault planted into the PTX is refused by it or
found by a run. Kernels in f16 are those in bf16 with another type; those that mix both
fit no schedule.

  fused_test.py TILE_COMPILE PTX_GATE KERNEL.mlir...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

from gate import HEAD, Gate, variants
from machine import E4M3, Fault, Memory, Program
from rows_test import EPS, narrow, wide

#: Numbers of rows and columns and of blocks: nothing, less than a tile, several
#: tiles, and as many columns as the variant takes.
SHAPES = [(0, 8, 1), (1, 8, 1), (5, 16, 3), (9, 1032, 2), (3, None, 1)]
F8_SHAPES = [(0, 16, 1), (1, 16, 1), (9, 1040, 2), (3, None, 1)]
#: Of weights of 4 bits K is a number of groups of 128.
INT4_SHAPES = [(0, 1, 1), (1, 1, 1), (5, 2, 3), (19, 7, 2), (3, None, 1)]
#: Where rows of other tensors are loaded: more rows of a block than it has
#: threads, as those of the first ones are loaded ahead.
MANY_ROWS = [(260, 16, 1)]


def narrow_f16(values):
    return values.astype(np.float16).view(np.uint16)


def wide_f16(bits):
    return bits.view(np.float16).astype(np.float64)


#: To a format of two bytes and back, and how exact it is.
BF16, F16 = (narrow, wide, 2.0 ** -8), (narrow_f16, wide_f16, 2.0 ** -10)


def normed(w, x, gain, narrow, wide):
    scaled = wide(narrow(x * gain))
    return w @ scaled / np.sqrt((x * x).mean() + np.float64(EPS))


def gated(w, x, gain, *format):
    gate, up = normed(w, x, gain, *format)
    return gate / (1 + np.exp(-gate)) * up


def added(w, x, residual, *_):
    return w @ x + residual


#: By kernel: matrices, whether there is a residual or a gain, and in f64.
KERNELS = {
    "gemv_add": (1, "residual", added),
    "gemv_norm": (1, "gain", normed),
    "gemv_norm_silu": (2, "gain", gated),
}
#: The same of weights in f8E4M3FN, K a multiple of 16, and of 4 bits.
KERNELS |= {f"{name}_{of}": kernel for name, kernel in KERNELS.items()
            for of in ("f8", "int4")}

GATE, RUN = "gate", "run"
X, GAIN = 1, 2  # parameters
#: By kernel: what is replaced, at which of the places where it stands, or at some,
#: by what; who objects, and how.
FAULTS = {
    "gemv_add": {
        "the residual of the row behind": (
            r"(ld\.global\.b16 \t%rs\d+, \[%rd\d+)\]", 0, r"\1+2]", GATE,
            r"\[ptx.bounds\] axis 0, upper"),
        "the residual of the row before": (
            r"(ld\.global\.b16 \t%rs\d+, \[%rd\d+)\]", 1, r"\1+-2]", GATE,
            r"\[ptx.bounds\] axis 0, lower"),
        "y for the residual": (
            r"_param_2\]", 0, "_param_3]", GATE, r"\[ptx.bounds\] 'y' is not"),
        "the residual is taken away": (
            r"add(\.rn\.f32 \t%r\d+, %r\d+, %r\d+;\s+cvt\.rn\.bf16)", 1,
            r"sub\1", RUN, "elements are wrong"),
    },
    "gemv_norm": {
        "x before the dependency wait": (
            rf"_param_{GAIN}\]", 0, f"_param_{X}]", GATE, r"\[ptx.dependency\]"),
        "the gain behind the one that is meant": (
            r"(ld\.global\.v4\.b32 \{[^}]*\}, \[%rd\d+)\]", 0, r"\1+16]", GATE,
            r"\[ptx.coverage\]"),
        "half of the gain": (
            r"or(\.b64 \t%rd\d+, %rd\d+, )256", 0, r"add\g<1>512", GATE,
            r"\[ptx.coverage\]"),
        "half of x": (
            r"@%p5 ld\.global\.v4[^\n]*\n", 1, "\n", GATE,
            r"\[ptx.coverage\]"),
        "the gain is put where another thread puts x": (
            r"(st\.shared\.v4\.b32 \t\[%rd\d+\+)63744", 0, r"\g<1>63760", GATE,
            r"\[ptx.(race|shared)\]"),
        "nobody waits for x and its squares": (
            r"bar\.sync[^\n]*\n", -3, "\n", GATE, r"\[ptx.race\]"),
        "the squares of a warp over those of another": (
            r"(shl\.b64 \t%rd\d+, %rd2, )2;", 0, r"\g<1>1;", GATE,
            r"\[ptx.(race|shared)\]|aligned"),
        "the squares of one warp are left out": (
            r"(\[shared\+\d+\];\s+)add\.rn\.f32 \t(%r\d+), (%r\d+), %r\d+;", 0,
            r"\1mov.b32 \t\2, \3;", RUN, "elements are wrong"),
        "squares of halves of elements": (
            r"fma\.rn\.f32 \t(%r\d+), (%r\d+), \2, (%r\d+);", 3,
            r"mov.b32 \t\1, \3;", RUN, "elements are wrong"),
        "x without its gain": (
            r"mul\.rn\.f32 \t(%r\d+), (%r\d+), %r\d+;", 0, r"mov.b32 \t\1, \2;",
            RUN, "elements are wrong"),
    },
    "gemv_norm_silu": {
        "rows of a third matrix": (
            r"mul\.lo\.s64 \t(%rd\d+), (%rd\d+), %rd7;", 0,
            r"mul.lo.s64 \t\1, \2, %rd7;\n\tadd.s64 \t\1, \1, \2;", GATE,
            r"\[ptx.bounds\] axis 0, upper"),
        "one more in the divisor": (
            r"(add\.rn\.f32 \t%r\d+, %r\d+, )0f3F800000", 1, r"\g<1>0f40000000",
            RUN, "elements are wrong"),
    },
    "gemv_add_f8": {
        "rows twice as far apart": (
            r"(mad\.lo\.s64 \t(%rd\d+), %rd\d+, %rd\d+, %rd46;)", 0,
            r"\1\n\tadd.s64 \t\2, \2, %rd52;", GATE, r"\[ptx.bounds\]"),
        "rows of bf16": (
            r"mad\.lo\.s64 \t(%rd\d+), (%rd\d+), %rd\d+, %rd46;", 0,
            r"mad.lo.s64 \t\1, \2, %rd52, %rd46;\n"
            r"\tmad.lo.s64 \t\1, \2, %rd52, \1;", GATE,
            r"\[ptx.bounds\] axis 0, upper"),
        "the scale of the row behind": (
            r"(ld\.global\.b32 \t%r\d+, \[%rd\d+)\]", 0, r"\1+4]", GATE,
            r"\[ptx.bounds\] axis 0, upper"),
        "y for the scale": (
            r"_param_1\]", 0, "_param_4]", GATE, r"\[ptx.bounds\] 'y' is not"),
        "planes of x that meet": (
            r"(selp\.b64 \t%rd\d+, )4128", 0, r"\g<1>2048", GATE,
            r"\[ptx.race\]"),
        "the second plane behind its end": (
            r"(ld\.shared\.v4\.b32 \t\{[^}]*\}, \[%rd113\+)55584", 0,
            r"\g<1>59712", GATE, r"\[ptx.shared\]"),
        "half of x": (
            r"@%p14 ld\.global\.v4[^\n]*\n", 0, "\n", GATE,
            r"\[ptx.coverage\]"),
        "weights of another format": (
            r"e4m3x2", 0, "e5m2x2", GATE, r"\[ptx.form\]"),
        "a converted weight stored": (
            r"(cvt\.f32\.f16 \t(%r\d+), %rs\d+;)", 0,
            r"\1\n\tst.shared.b32 \t[%rd28], \2;", GATE,
            r"\[ptx.(ring|race)\]"),
        "the low bytes of a word twice": (
            r"(cvt\.rn\.f16x2\.e4m3x2 \t%r\d+, )%rs8;", 0, r"\1%rs7;", RUN,
            "elements are wrong"),
        "neighbours the other way round": (
            r"mov\.b32 \t\{(%rs\d+), (%rs\d+)\}, %r46;", 0,
            r"mov.b32 \t{\2, \1}, %r46;", RUN, "elements are wrong"),
        "one plane of x for both": (
            r"(\[%rd113\+)55584", 0, r"\g<1>51456", RUN, "elements are wrong"),
        "without the scale": (
            r"mul\.rn\.f32 \t(%r\d+), (%r\d+), %r271;", 0,
            r"mov.b32 \t\1, \2;", RUN, "elements are wrong"),
    },
    "gemv_add_int4": {
        "the scale of the group behind": (
            r"(@%p\d+ ld\.global\.b16 %rs\d+, \[%rd\d+)\]", -1, r"\1+2]", GATE,
            r"\[ptx.bounds\] axis 1, upper"),
        "scales of rows that there are not": (
            r"and\.pred \t(%p\d+), %p\d+, (%p\d+);(\s+add\.s64[^;]*;\s+"
            r"// begin inline asm\s+@%p\d+ prefetch)", -1,
            r"mov.pred \t\1, \2;\3", GATE, r"\[ptx.bounds\] axis [01], upper"),
        "y for the scales": (
            r"_param_1\]", 0, "_param_4]", GATE, r"\[ptx.bounds\] 'y' is not"),
        "rows of f8": (
            r"shl\.b64( \t%rd\d+, %rd\d+, )6;", 0, r"shl.b64\g<1>7;", GATE,
            r"\[ptx.bounds\]"),
        "x of the group behind": (
            r"(ld\.shared\.v4\.b32 \t\{[^}]*\}, \[%rd\d+\+)35472\]", 0,
            r"\g<1>55472]", GATE, r"\[ptx.shared\]"),
        "what was read as the right matrix": (
            r"mma(\S+) (\{[^}]*\}), \{(%r\d+), (%r\d+), [^}]*\}, \{[^}]*\}",
            slice(0, None), r"mma\1 \2, {%r20, %r20, %r20, %r20}, {\3, \4}", GATE,
            r"\[ptx.ring\] the slot may be filled again before"),
        "numbers of which nothing is left": (
            r"and\.b32( \t%r\d+, %r\d+, )983055;", slice(0, None),
            r"and.b32\g<1>768;", GATE,
            r"\[ptx.ring\] the slot may be filled again before"),
        "a product stored": (
            r"(selp\.f32 \t(%r\d+), %r\d+, %r\d+, %p\d+;)", -1,
            r"\1\n\tst.shared.b32 \t[%rd35], \2;", GATE,
            r"\[ptx.(ring|race|form)\]"),
        "a product of some lanes": (
            r"mma\.sync", -1, "@%p19 mma.sync", GATE, r"\[ptx.(barrier|form)\]"),
        "another shift": (
            r"shr\.u32( \t%r\d+, %r\d+, )12;", 0, r"shr.u32\g<1>8;", RUN,
            "elements are wrong"),
        "numbers that are 8 too large": (
            r"-1022835960", slice(0, None), "-1023360256", RUN,
            "elements are wrong"),
        "the scales of the next tile": (
            r"cvt\.f32\.bf16 \t(%r\d+), %rs4;", 0,
            r"mov.b32 \t\1, 0f3C000000;", RUN, "elements are wrong"),
        "x of the other half": (
            r"\+35456\]", 0, "+35344]", RUN, "elements are wrong"),
        "neighbours in x not apart": (
            r"and\.b32( \t%r\d+, %r\d+, )65535;", 0, r"and.b32\g<1>65520;", RUN,
            "elements are wrong"),
        "sums of odd groups for even ones": (
            r"selp\.f32( \t%r\d+), (%r\d+), (%r\d+), (%p\d+);", -1,
            r"selp.f32\1, \3, \2, \4;", RUN, "elements are wrong"),
    },
    "gemv_norm_int4": {
        "x before the dependency wait": (
            r"_param_3\]", 0, "_param_2]", GATE, r"\[ptx.dependency\]"),
        "half of x": (
            r"@%p\d+ ld\.global\.v4[^\n]*\n", -1, "\n", GATE,
            r"\[ptx.coverage\]"),
    },
    "gemv_norm_silu_int4": {
        "scales of a third matrix": (
            r"mul\.lo\.s64 \t(%rd\d+), (%rd\d+), %rd(\d+);", 0,
            r"mul.lo.s64 \t\1, \2, %rd\3;\n\tadd.s64 \t\1, \1, \2;", GATE,
            r"\[ptx.bounds\]"),
    },
    "gemv_norm_f8": {
        "x before the dependency wait": (
            r"_param_3\]", 0, "_param_2]", GATE, r"\[ptx.dependency\]"),
    },
    "gemv_norm_silu_f8": {
        "the scales of gate for up": (
            r"_param_2\]", 0, "_param_1]", RUN, "elements are wrong"),
    },
}


def launch(program, name, n, size, p, seed, format=BF16):
    """What is wrong, or nothing."""
    narrow, wide, unit = format
    matrices, beside, function = KERNELS[name]
    rng = np.random.default_rng(seed)
    k = size * 128 if name.endswith("_int4") else size
    shape = (n, k) if matrices == 1 else (matrices, n, k)
    scales, x = [], narrow(rng.standard_normal(k))
    if name.endswith("_int4"):
        shape = (*shape[:-1], size)
        halves = rng.integers(0, 16, (*shape, 128), np.uint8)
        if beside == "residual":
            # What is large of x, no weight has: no sum may show it.
            large = rng.integers(0, 2, (size, 128), bool)
            halves[..., large] = 8
            x[large.ravel()] = narrow(wide(x[large.ravel()]) * 2 ** 16)
        w = halves[..., :64] | halves[..., 64:] << 4
        scales = [narrow(rng.uniform(0.5, 1.5, shape) / (4 * np.sqrt(k))).ravel()]
        halves = halves - 8.0
        numbers = (halves * wide(scales[0]).reshape(*shape, 1)).reshape(
            *shape[:-1], k)
    elif name.endswith("_f8"):
        w = rng.integers(0, 256, shape, np.uint8)
        w[w & 127 == 127] = 0
        scale = rng.uniform(0.5, 1.5, shape[:-1]) / (150 * np.sqrt(k))
        scales = list(scale.astype(np.float32).reshape(matrices, n))
        numbers = E4M3[w] * scale.astype(np.float32)[..., None]
    else:
        w = narrow(rng.standard_normal(shape) / np.sqrt(k))
        numbers = wide(w)
    other = narrow(rng.standard_normal(n if beside == "residual" else k))
    y = np.full(n, 0xFFFF, np.uint16)
    memory = Memory()
    pointers = [memory.add(w.view(np.uint8).ravel(), True, False)]
    pointers += [memory.add(t.view(np.uint8), True, False)
                 for t in (*scales, x, other)]
    pointers += [memory.add(y.view(np.uint8), False, True)]
    scalars = [int(EPS.view(np.uint32))] if beside == "gain" else []
    try:
        program.run([*pointers, *scalars, n, size, p], memory, p, 232448, seed)
    except Fault as fault:
        return str(fault)
    want, got = function(numbers, wide(x), wide(other), narrow, wide), wide(y)
    near = np.abs(got - want) <= np.abs(want) * unit + 1e-4
    return "" if near.all() else f"{(~near).sum()} elements are wrong"


def spoiled(text, pattern, which, new):
    places = list(re.finditer(pattern, text))
    if isinstance(which, slice):
        for at in places[which][::-1]:
            text = text[:at.start()] + at.expand(new) + text[at.end():]
        return text
    if not -len(places) <= which < len(places):
        return text
    at = places[which]
    return text[:at.start()] + at.expand(new) + text[at.end():]


def planted(gate, name, expected, text):
    """What is wrong with what is said of each fault."""
    wrong, faults = [], FAULTS[name]
    mutants = {fault: spoiled(text, *edit[:3]) for fault, edit in faults.items()}
    asked = [fault for fault, edit in faults.items() if edit[3] == GATE]
    said = dict(zip(asked, gate.said(expected, [mutants[f] for f in asked])))
    for fault, mutant in mutants.items():
        answer = "no change" if mutant == text else said.get(fault) or launch(
            Program(mutant), name, 9, 7 if name.endswith("_int4") else 1040, 2, 5)
        if not re.search(faults[fault][4], answer):
            wrong.append(f"{fault}: {answer or 'accepted'}")
    return wrong


def in_f16(gate, compiler, path):
    """How many launches, and what is wrong."""
    name, text = pathlib.Path(path).stem, pathlib.Path(path).read_text()

    def dumped(what, text):
        return subprocess.run([compiler, gate.write("f16.mlir", text),
                               f"--dump={what}"], capture_output=True, text=True)
    f16 = re.sub(r"\bbf16|xbf16", lambda at: at[0].replace("bf16", "f16"), text)
    expected, ptx = (dumped(what, f16).stdout for what in ("expected", "ptx"))
    pairs = list(zip(variants(expected, "girih-expected "), variants(ptx, HEAD)))
    wrong = [] if pairs else ["no schedule"]
    for expected, one in pairs:
        said = gate.said(expected, [one])[0]
        wrong += [] if said.startswith("proved") else [said]
    for seed, (n, k, p) in enumerate(SHAPES + MANY_ROWS if pairs else []):
        depth = int(re.search(r"_rows_\d+_(\d+)_", pairs[0][1])[1])
        why = launch(Program(pairs[0][1]), name, n, k or depth, p, seed, F16)
        wrong += [f"N = {n}, K = {k or depth}, P = {p}: {why}"] if why else []
    # One type in another's place.
    mixed = {"the product with the gain": (
        r"(truncf .* to vector<512x|extf %narrow\w* : vector<512x)f16",
        "x times gain is rounded to what x is of")}
    if KERNELS[name][1] == "residual":
        mixed = {which: (rf"(!{which}(?:Tiles\w*)? = .* x |"
                         rf"extf %\w+ : vector<{rows}512x)f16", "argument %x")
                 for which, rows in (("W", r"\dx"), ("X", ""))}
    for which, (old, why) in mixed.items():
        done = dumped("ptx", re.sub(old, r"\1bf16", f16))
        if f"does not fit the schedule gemv: {why}" not in done.stderr and \
                f"{why} does not fit the schedule gemv" not in done.stderr:
            wrong.append(f"{which} in bf16: {done.stderr[-300:]}")
    return len(SHAPES + MANY_ROWS), wrong


def main(compiler, tool, *kernels):
    launches, faults, wrong = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        gate = Gate(tool, folder)
        for path in kernels:
            if not re.search("_f8|_int4", pathlib.Path(path).stem):
                count, why = in_f16(gate, compiler, path)
                launches += count
                wrong += [f"{pathlib.Path(path).stem} in f16: {w}" for w in why]
        for path in kernels:
            name = pathlib.Path(path).stem
            dumps = [subprocess.run([compiler, path, f"--dump={what}"],
                                    check=True, capture_output=True,
                                    text=True).stdout
                     for what in ("expected", "ptx")]
            pairs = list(zip(variants(dumps[0], "girih-expected "),
                             variants(dumps[1], HEAD)))
            for expected, text in pairs:
                said = gate.said(expected, [text])[0]
                if not said.startswith("proved"):
                    wrong.append(f"{name}: {said}")
            for _, text in pairs[:2]:
                rows, depth = map(int, re.search(r"_rows_(\d+)_(\d+)_",
                                                 text).groups())
                program = Program(text)
                many = MANY_ROWS if KERNELS[name][1] == "residual" else []
                many = [(n, 1 if name.endswith("_int4") else k, p)
                        for n, k, p in many]
                shapes = (F8_SHAPES if name.endswith("_f8") else
                          INT4_SHAPES if name.endswith("_int4") else SHAPES)
                for n, k, p in shapes + many:
                    launches += 1
                    if why := launch(program, name, n, k or depth, p, launches):
                        wrong.append(f"{name}, tiles of {rows}, N = {n}, K = "
                                     f"{k or depth}, P = {p}: {why}")
            faults += len(FAULTS[name])
            wrong += [f"{name}: {why}" for why in planted(gate, name, *pairs[0])]
    print("".join(line + "\n" for line in wrong) +
          f"{launches} launches, {faults} faults, {len(wrong)} failures")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
