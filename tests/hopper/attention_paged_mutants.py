#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the PTX of the schedule attention_split of caches in pages, each one
edit: the gate refuses it for the reason named, or a run of it finds another
result. They are in what pages add; attention_split_mutants.py has the others.

  attention_paged_mutants.py TILE_COMPILE PTX_GATE KERNEL.mlir
"""

import sys

from attention_mutants import check
from attention_paged_test import launch
from rows_mutants import GATE, LAST, RUN


def upper(axis):
    return rf"\[ptx.bounds\] .*axis {axis}, upper"


OFF = "a mean is off by|weight is wrong"
#: A load of a page's number in the loop, and what is done with the number.
NUMBER = r"(@%p\d+ ld\.global\.b32 (%r\d+), \[%rd\d+\];\n[\s\S]*?mma[\s\S]*?)"

#: As in attention_mutants.
MISTAKES = {
    # Which split of which head a block has.
    "axes of the grid in another order": (
        r"param_15\](;\n[\s\S]*?)param_14\]", r"param_14]\1param_15]", GATE,
        upper(0)),
    "a block more": (
        r"(mov\.u32 \t(%r\d+), %ctaid\.x;\n)", r"\1\tadd.s32 \t\2, \2, 1;\n",
        GATE, r"\[ptx"),
    "another head": (
        r"(shl\.b64 \t(%rd\d+), %rd7, 8;\n)", r"\1\tadd.s64 \t\2, \2, 256;\n",
        GATE, upper(2)),
    # Lengths.
    "the length of the next sequence": (
        r"ld\.global\.s32 (\t%rd\d+), \[(%rd\d+)\]", r"ld.global.s32 \1, [\2+4]",
        GATE, upper(0)),
    "a length beyond the table": (
        r"min\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;", r"mov.b64 \t\1, \2;", GATE,
        upper(1)),
    "a negative length": (
        r"max\.s64 \t(%rd\d+), (%rd\d+), 0;", r"mov.b64 \t\1, \2;", GATE, r"\[ptx"),
    "pages rounded down": (
        r"(add\.s64 \t%rd\d+, %rd10), 63;", r"\1, 0;", RUN, OFF),
    "pages of 32 keys": (
        r"(shr\.u64 \t%rd\d+, %rd64), 6;", r"\1, 5;", RUN, OFF),
    "a split of keys that are no pages": (
        r"(shl\.b64 \t%rd\d+, %rd356), 6;", r"\1, 5;", RUN, OFF),
    "no end of the last split": (
        r"min\.s64 \t(%rd13), (%rd\d+), %rd\d+;", r"mov.b64 \t\1, \2;", GATE,
        r"\[ptx"),
    # Numbers of pages.
    "the table of the next sequence": (
        r"(mul\.lo\.s64 \t(%rd14), (%rd\d+), %rd\d+;\n)",
        r"\1\tadd.s64 \t\2, \2, \3;\n", GATE, upper(0)),
    "no guard of a number": (r"@%p2 (ld\.global\.b32)", r"\1", GATE, upper(1)),
    "no guard of a number ahead": (
        r"@%p\d+ (ld\.global\.b32[^\n]*)" + LAST % r"ld\.global\.b32", r"\1",
        GATE, upper(1)),
    "a number one too large": (
        r"setp\.gt\.s64(?= \t%p14,)", "setp.ge.s64", GATE, upper(0)),
    "a number one too large ahead": (
        NUMBER + r"setp\.gt\.s64(?= \t%p73,)", r"\1setp.ge.s64", GATE, upper(0)),
    "no look at a number": (
        r"and\.pred \t(%p\d+), (%p\d+), %p73;", r"mov.pred \t\1, \2;", GATE,
        upper(0)),
    "no look at a key": (
        r"and\.pred \t(%p\d+), %p72, (%p\d+);", r"mov.pred \t\1, \2;", RUN,
        "accepted"),
    "a number with a sign": (
        r"cvt\.u64\.u32 \t(%rd\d+, %r297);", r"cvt.s64.s32 \t\1;", GATE,
        r"\[ptx.width\]"),
    "no number": (r"@%p58 ld\.global\.b32 %r297[^\n]*", "", RUN, OFF),
    "the number of the trip before": (
        r"(shr\.u64 \t%rd284), %rd283, 6;", r"\1, %rd282, 6;", RUN, OFF),
    "a page in the table's place": (
        r"mul\.wide\.u32 \t(%rd\d+), %r297, 64;", r"mul.wide.u32 \t\1, %r297, 63;",
        GATE, r"\[ptx"),
    "a page that is longer": (
        r"mul\.wide\.u32 \t(%rd\d+), %r297, 64;",
        r"mul.wide.u32 \t\1, %r297, 128;", GATE, upper(0)),
    "the first line for a lane's": (
        r"or\.b64 \t(%rd291), (%rd290), %rd5;", r"mov.b64 \t\1, \2;", RUN, OFF),
    "lines of a page by the whole block": (
        r"(and\.b64 \t(%rd\d+), %rd\d+), 48;", r"\1, 112;", GATE, r"\[ptx"),
    "values from the keys": (r"param_2\]", "param_1]", RUN, OFF),
    # Before the dependency wait.
    "no wait": (r"\tgriddepcontrol\.wait;\n", "", GATE, r"\[ptx.dependency\]"),
    "a wait behind the keys": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*?@%p6 ld[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\] .*'q' is read before"),
    "no guard of what is prefetched": (
        r"@%p4 prefetch", "prefetch", GATE, upper(0)),
    # Results.
    "a query more is stored": (
        r"setp\.gt\.s64(?= \t%p98,)", "setp.ge.s64", GATE, r"\[ptx"),
}

#: G, R, lengths and P.
SIZES = ((1, 3, [40, 130], 2), (2, 4, [600], 1))

if __name__ == "__main__":
    sys.exit(check(MISTAKES, launch, SIZES, *sys.argv[1:]))
