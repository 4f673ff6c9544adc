#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the PTX of the schedule attention_merge, alone and of a new token,
each one edit: the gate refuses it for the reason named, or a run of it finds
another result.

  attention_merge_mutants.py TILE_COMPILE PTX_GATE MERGE.mlir STEP_MERGE.mlir
"""

import sys
import tempfile

from attention_merge_test import merge, step
from attention_mutants import check
from attention_paged_test import first_of
from rows_mutants import GATE, LAST, RUN

UPPER = r"\[ptx.bounds\] .*axis {}, upper"

#: As in attention_mutants; of the variant of up to 8 splits.
MERGE = {
    # Which head of which sequence a block has.
    "a head for a sequence": (
        r"cvt\.u64\.u32 \t(%rd2), %r7;", r"cvt.u64.u32 \t\1, %r5;", GATE,
        UPPER.format(0)),
    "a head more": (
        r"(cvt\.u64\.u32 \t(%rd1), %r\d+;\n)", r"\1\tadd.s64 \t\2, \2, 1;\n", GATE,
        UPPER.format(2)),
    "heads by the splits": (
        r"(mad\.lo\.s64 \t%rd\d+, %rd\d+,) PARAM(5), %rd1;", r"\1 PARAM(4), %rd1;",
        GATE, r"\[ptx"),
    # Its splits.
    "a split more": (
        r"setp\.lt\.s64(?= \t%p3,)", "setp.le.s64", GATE, UPPER.format(1)),
    "no guard of a logarithm": (r"@%p3 ld", "ld", GATE, UPPER.format(1)),
    "no guard of a mean": (
        r"@%p\d+ (ld\.global\.v2.*)" + LAST % r"ld\.global\.v2", r"\1", GATE,
        UPPER.format(1)),
    "turns rounded down": (
        r"(add\.s64 \t%rd\d+, PARAM(4)), 7;", r"\1, 0;", RUN, "a mean is off"),
    "turns of four splits": (
        r"(shl\.b64 \t%rd\d+, %rd\d+), 3;(?=\n\tsetp)", r"\1, 2;", RUN,
        "a mean is off"),
    "a split behind the last one weighs something": (
        r"0fFF800000(?=, %p9)", "0f00000000", RUN, "a mean is off"),
    "logarithms for means": (r"param_0\]", "param_1]", GATE, r"\[ptx"),
    # Before the dependency wait.
    "no wait": (r"\tgriddepcontrol\.wait;\n", "", GATE, r"\[ptx.dependency\]"),
    "a wait behind the first logarithm": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*?@%p2 ld[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\]"),
    "as if nobody wrote them": (
        r"@%p2 ld\.global", "@%p2 ld.global.nc", GATE,
        "is read as if nothing wrote it"),
    # The result.
    "a mean by one warp": (
        r"(\tst\.global\.b32)", r"\tsetp.lt.u32 \t%p1, %r3, 32;\n\t@%p1 \1", GATE,
        r"\[ptx.coverage\]"),
    "an element of each lane": (
        r"(mul\.wide\.u32 \t%rd\d+, %r3), 2;", r"\1, 1;", GATE, r"\[ptx"),
    "rows of 128 bytes": (
        r"(shl\.b64 \t%rd\d+, %rd\d+), 8;", r"\1, 7;", GATE, r"\[ptx"),
    # What is computed.
    "no division": (r"rcp\.rn\.f32", "mov.b32", RUN, "a mean is off"),
    "weights of another base": (
        r"ex2\.approx\.ftz\.f32 (%r\d+), (%r\d+);" + LAST % r"ex2",
        r"mov.b32 \1, 0f3F800000;", RUN, "a mean is off"),
}

STEP = {
    "a head of the caches for one of the queries": (
        r"setp\.ge\.s64 \t%p1", "setp.gt.s64 \t%p1", GATE, r"\[ptx"),
    "heads of the queries for those of the caches": (
        r"sub\.s64 \t(%rd\d+), %rd1, PARAM(13);", r"mov.b64 \t\1, %rd1;", GATE,
        UPPER.format(0)),
    "a position that is not held below T": (
        r"min\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;", r"mov.b64 \t\1, \2;", GATE,
        UPPER.format(0)),
    "a position that may be negative": (
        r"max\.s64 \t(%rd\d+), (%rd\d+), 0;", r"mov.b64 \t\1, \2;", GATE,
        r"\[ptx.bounds\] .*axis 0, lower"),
    "a position of T": (
        r"(add\.s64 \t%rd\d+, %rd\d+), -1;(?=\n\tmin)", r"\1, 0;", GATE,
        UPPER.format(0)),
    "the new row where there is none": (
        r"and\.pred \t(%p\d+), (%p\d+), (%p\d+);(?=\n)", r"mov.pred \t\1, \2;", RUN,
        "another row of a cache is written"),
    "all warps store the new row": (
        r"and\.pred \t(%p\d+), (%p\d+), (%p\d+);(?=\n)", r"mov.pred \t\1, \3;", GATE,
        r"\[ptx.race\]"),
    "the value to the keys": (r"param_9\]", "param_8]", GATE, r"\[ptx.race\]"),
    "the value from the key": (
        r"param_3\]", "param_2]", RUN, "the new value is not in its cache"),
    "no wait": (r"\tgriddepcontrol\.wait;\n", "", GATE, r"\[ptx.dependency\]"),
    "a wait of the queries alone": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*?bra[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\]"),
    "cosines for sines": (r"param_7\]", "param_6]", RUN, "the new key is wrong"),
    "the sum of fewer lanes": (
        r", 16, 31, -1;", ", 8, 31, -1;", RUN, "the new key is wrong"),
    "no mean of a head": (
        r"(\tst\.global\.b32)", r"\tsetp.gt.s64 \t%p1, %rd1, 0;\n\t@%p1 \1", GATE,
        r"\[ptx.coverage\]"),
}


def alone(program, *size):
    return merge([program] * 2, *size)


def of_step(program, *size):
    return step([program] * 2, *size)


def main(compiler, gate, *kernels):
    """Of B, P and H; of P, H, G, T and a position."""
    sizes = ((2, 3, 3), (1, 8, 2), (1, 20, 2)), ((3, 2, 2, 9, 4), (2, 1, 1, 5, 7))
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for of, launch, some, kernel in zip((MERGE, STEP), (alone, of_step), sizes,
                                            kernels):
            failures += check(of, launch, some, compiler, gate,
                              first_of(kernel, folder))
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
