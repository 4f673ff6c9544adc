#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the PTX of the schedule attention_step of a kernel in splits, each one
edit: the gate refuses it for the reason named, or a run of it finds another result.

  attention_step_split_mutants.py TILE_COMPILE PTX_GATE KERNEL.mlir
"""

import sys

from attention_mutants import check
from attention_step_split_test import launch
from rows_mutants import GATE, LAST, RUN

UPPER = r"\[ptx.bounds\] .*axis 1, upper"
WRONG = "a mean is off by|weight is wrong"

#: As in attention_mutants.
MISTAKES = {
    # Which split of which head a block has.
    "a block more": (
        r"(mov\.u32 \t(%r\d+), %ctaid\.x;\n)", r"\1\tadd.s32 \t\2, \2, 1;\n",
        GATE, r"\[ptx"),
    "a head more": (
        r"(sub[^\n]*\n\tcvt\.u64\.u32 \t(%rd\d+), %r\d+;\n)",
        r"\1\tadd.s64 \t\2, \2, 1;\n", GATE, r"\[ptx.bounds\] .*axis 0, upper"),
    "splits by the queries": (
        r"(mad\.lo\.s64 \t%rd\d+,) PARAM(14),", r"\1 PARAM(15),", GATE,
        r"\[ptx.bounds\]"),
    # The position, which stands in memory.
    "a position that is not held below T": (
        r"min\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;", r"mov.b64 \t\1, \2;", GATE,
        UPPER),
    "a position of T": (
        r"(add\.s64 \t%rd\d+, %rd\d+), -1;(?=\n\tmin)", r"\1, 0;", GATE,
        r"\[ptx.bounds\] .*axis 0, upper"),
    "a position that may be negative": (
        r"max\.s64 \t(%rd\d+), (%rd\d+), 0;", r"mov.b64 \t\1, \2;", GATE,
        r"\[ptx.division\] dividend|\[ptx.width\]"),
    "a position of 64 bits": (
        r"ld\.global\.s32 \t(%rd\d+)", r"ld.global.s64 \t\1", GATE,
        r"\[ptx.bounds\] .*axis 0, upper"),
    # Its keys.
    "tiles of 64 keys": (r"(shr\.u64 \t%rd\d+, %rd\d+), 7;", r"\1, 6;", RUN, WRONG),
    "a tile less": (r"(add\.s64 \t%rd\d+, %rd\d+), 128;(?=\n\tmul)", r"\1, 0;", RUN,
                    WRONG),
    "shares by another number": (
        r"(div\.u64 \t%rd\d+, %rd\d+), PARAM(17);", r"\1, PARAM(15);", GATE,
        r"\[ptx"),
    "keys of the next split, too": (
        r"(setp\.le[^\n]*\n\tadd\.s64 \t(%rd\d+), %rd\d+, (%rd\d+);\n)",
        r"\1\tadd.s64 \t\2, \2, \3;\n", RUN, WRONG),
    "no end at the position": (
        r"min\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;" + LAST % r"min\.s64",
        r"mov.b64 \t\1, \2;", GATE, r"\[ptx\.(bounds|width)\]"),
    "the row of the new value is read, too": (
        r"setp\.lt\.s64(?= \t%p7,)", "setp.le.s64", RUN, WRONG),
    "the new key in every split before it": (
        r"and\.pred \t(%p1), (%p\d+), (%p\d+);", r"mov.pred \t\1, \3;", RUN, WRONG),
    "the new key in every split behind it": (
        r"and\.pred \t(%p1), (%p\d+), (%p\d+);", r"mov.pred \t\1, \2;", RUN, WRONG),
    "no split with the new key": (r"setp\.le\.s64", "setp.lt.s64", RUN, WRONG),
    "no guard of keys": (r"@%p\d+ ld", "ld", GATE, UPPER),
    "no guard of values": (
        r"@%p\d+ (ld[^\n]*\n[^\n]*\n[^\n]*, 16;)", r"\1", GATE, UPPER),
    "no guard of values ahead": (
        r"@%p\d+ (ld\.global\.v4.*)" + LAST % r"ld\.global\.v4", r"\1", GATE,
        UPPER),
    "values from the keys": (r"param_9\]", "param_8]", RUN, WRONG),
    # Before the dependency wait.
    "no wait": (r"\tgriddepcontrol\.wait;\n", "", GATE, r"\[ptx.dependency\]"),
    "a wait behind the new key": (
        r"(\tgriddepcontrol\.wait;\n[\s\S]*?)"
        r"(\tshl[^\n]*\n\tadd\.s64 \t%rd\d+, PARAM(1),[\s\S]*? ld[^\n]*\n)",
        r"\2\1", GATE, r"\[ptx.dependency\] .*'k' is read before"),
    "a wait behind the queries": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*? ld\.global[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\] .*'q' is read before"),
    "a wait of the lanes with a key": (
        r"griddepcontrol\.wait", "@%p3 griddepcontrol.wait", GATE,
        r"\[ptx.dependency\] .*'q' is read before"),
    "means before the wait, too": (
        r"(\tgriddepcontrol\.wait;\n[\s\S]*?)((?:\tld\.param[^\n]*\n)+)([\s\S]*?)"
        r"(\tmad\.lo\.s64 \t%rd\d+, PARAM(14)[\s\S]*?st\.global[^\n]*\n)",
        r"\2\4\1\2\3\4", GATE, r"\[ptx.dependency\] .*'partial' is written before"),
    "queries as if nobody wrote them": (
        r"(griddepcontrol\.wait;[\s\S]*? ld\.global)", r"\1.nc", GATE,
        "'q' is read as if nothing wrote it"),
    # Results.
    "a query more": (r"setp\.gt\.s64", "setp.ge.s64", GATE, r"\[ptx.bounds\]"),
    "half of a mean": (
        r"st\.global\.v4\.b32 \[(%rd\d+)\], \{(%r\d+), (%r\d+), [^}]*\}",
        r"st.global.v2.b32 [\1], {\2, \3}", GATE, r"\[ptx.coverage\]"),
    "weights of all lanes": (
        r"and\.pred \t(%p\d+), %p\d+, (%p\d+);" + LAST % r"and\.pred",
        r"mov.pred \t\1, \2;", GATE, r"\[ptx.race\]"),
    "no weight": (r"@%p\d+ st\.global\.b32[^\n]*", "", GATE, r"\[ptx.coverage\]"),
    "a mean where there is no row": (
        r"(selp\.b32 \t%r\d+, %r\d+), 2143289344,", r"\1, 0,", RUN,
        "no NaN without a row"),
    # Shared memory and barriers.
    "no first barrier": (r"\tbar\.sync[^\n]*\n", "", GATE, r"\[ptx.race\]"),
    "no second barrier": (r"\tbar\.sync[^\n]*\n" + LAST % r"bar\.sync", "", GATE,
                          r"\[ptx.race\]"),
    "sums of the next thread": (
        r"(mad\.lo\.s64 \t%rd\d+, %rd\d+), 144,", r"\1, 112,", GATE,
        r"\[ptx.race\]"),
    "behind shared memory": (r"\+35072\]", "+39680]", GATE, r"\[ptx.shared\]"),
    "a product of some lanes": (
        r"(\n)(\t(?:// begin[^\n]*\n\t)?mma\.sync)",
        r"\1\t@%p19 bra \t$L__BB0_5;\n\2", GATE, r"\[ptx.barrier\]"),
    # What is computed.
    "a matrix that is not turned": (
        r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16 ", "mov.b32 ", RUN, WRONG),
    "no scale": (r"0f3FB8AA3B", "0f3F800000", RUN, WRONG),
    "cosines for sines": (r"param_7\]", "param_6]", RUN, WRONG),
}

#: G, R, T, P and a position.
SIZES = ((1, 3, 300, 2, 280), (2, 8, 260, 3, 128), (1, 2, 40, 2, 17),
         (1, 1, 9, 2, 9))


if __name__ == "__main__":
    sys.exit(check(MISTAKES, launch, SIZES, *sys.argv[1:]))
