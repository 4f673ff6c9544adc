#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the PTX of the schedule attention_split, each one edit: the gate
refuses it for the reason named, or a run of it finds another result.

  attention_split_mutants.py TILE_COMPILE PTX_GATE KERNEL.mlir
"""

import sys

from attention_mutants import check
from attention_split_test import launch
from rows_mutants import GATE, LAST, RUN

LOWER, UPPER = (rf"\[ptx.bounds\] .*axis 2, {side}"
                for side in ("lower", "upper"))

#: As in attention_mutants.
MISTAKES = {
    # Which split of which head a block has.
    "axes of the grid in another order": (
        r"param_13\](;\n[\s\S]*?)param_12\]", r"param_12]\1param_13]", GATE,
        r"\[ptx.bounds\] .*axis 0, upper"),
    "a block more": (
        r"(mov\.u32 \t(%r\d+), %ctaid\.x;\n)", r"\1\tadd.s32 \t\2, \2, 1;\n",
        GATE, r"\[ptx"),
    "a head more": (
        r"(mad\.lo\.s64 \t(%rd\d+), PARAM(7), %rd\d+, %rd\d+;\n)",
        r"\1\tadd.s64 \t\2, \2, 1;\n", GATE, r"\[ptx.bounds\] .*axis 1, upper"),
    "splits by the heads": (
        r"(mad\.lo\.s64 \t%rd\d+,) PARAM(10),", r"\1 PARAM(7),", GATE,
        r"\[ptx.bounds\]"),
    "a sequence for a split": (
        r"(mad\.lo\.s64 \t%rd\d+, PARAM(10), (%rd\d+),) %rd\d+;", r"\1 \2;", GATE,
        r"\[ptx.bounds\] .*axis 1, upper"),
    # Its keys.
    "tiles rounded down": (
        r"(add\.s64 \t%rd\d+, PARAM(11)), 255;", r"\1, 0;", GATE, LOWER),
    "tiles of 128 keys": (
        r"(shr\.u64 \t%rd\d+, %rd\d+), 8;", r"\1, 7;", GATE, r"\[ptx"),
    "all rows of the cache": (r"param_11\]", "param_9]", GATE, LOWER),
    "shares by another number": (
        r"(div\.u64 \t%rd\d+, %rd\d+), PARAM(10);", r"\1, PARAM(7);", GATE,
        r"\[ptx"),
    "shares of 32 bits where there are more": (
        r"setp\.ne\.b64 (\t%p1,)", r"setp.eq.b64 \1", GATE, r"\[ptx.width\]"),
    "the share of the next split": (
        r"(shl\.b64 \t(%rd\d+), %rd\d+, 8;\n"
        r"\tmul\.lo\.s64 \t(%rd\d+), \2, %rd\d+;\n)",
        r"\1\tadd.s64 \t\3, \3, \2;\n", GATE, UPPER),
    "keys of the next split, too": (
        r"(min[^\n]*\n\tadd\.s64 \t(%rd\d+), %rd\d+, (%rd\d+);\n)",
        r"\1\tadd.s64 \t\2, \2, \3;\n", GATE, UPPER),
    "no end of the last split": (
        r"min\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;" + LAST % r"min\.s64",
        r"mov.b64 \t\1, \2;", GATE, UPPER),
    "a key more": (r"setp\.lt\.s64", "setp.le.s64", GATE, UPPER),
    "no guard of keys": (r"@%p\d+ ld", "ld", GATE, UPPER),
    "no guard of values": (
        r"@%p\d+ (ld[^\n]*\n[^\n]*\n[^\n]*, 16;)", r"\1", GATE, UPPER),
    "no guard of keys ahead": (r"@%p8 ld", "ld", GATE, UPPER),
    "no guard of values ahead": (
        r"@%p\d+ (ld\.global\.v4.*)" + LAST % r"ld\.global\.v4", r"\1", GATE,
        UPPER),
    "the next row for a key": (
        r"(@%p3 ld\.global\.v4\.b32 \{[^}]*\}, \[%rd\d+)\]", r"\1+256]", GATE,
        UPPER),
    "values from the keys": (r"param_2\]", "param_1]", RUN, "a mean is off by"),
    "a trip twice": (
        r"(add\.s64 \t(%rd\d+), %rd\d+), 128;(?=\n\tadd\.s64 \t%rd\d+, \2,)",
        r"\1, 0;", RUN, "a mean is off by|weight is wrong"),
    "turns of one trip": (
        r"(\$L__BB0_6:\n\tshl\.b64 \t%rd\d+, %rd\d+), 8;", r"\1, 7;", RUN,
        "a mean is off by"),
    # Queries.
    "a query more is read": (
        r"setp\.lt\.s64(?= \t%p\d+, %rd\d+, PARAM(8);)", "setp.le.s64", GATE,
        UPPER),
    "the first eight for the second": (
        r"(add\.s64 \t%rd\d+, %rd\d+), 2048;", r"\1, 0;", RUN,
        "a mean is off by"),
    "many queries taken for few": (
        r"(setp\.gt\.s64 \t%p\d+, %rd\d+), 8;", r"\1, 16;", RUN,
        "a mean is off by"),
    # Before the dependency wait.
    "no wait": (r"\tgriddepcontrol\.wait;\n", "", GATE, r"\[ptx.dependency\]"),
    "a wait behind the queries": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*? ld\.global[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\] .*'q' is read before"),
    "a wait of the lanes with a key": (
        r"griddepcontrol\.wait", "@%p2 griddepcontrol.wait", GATE,
        r"\[ptx.dependency\] .*'q' is read before"),
    "means before the wait, too": (
        r"(\tgriddepcontrol\.wait;\n[\s\S]*?)((?:\tld\.param[^\n]*\n)+)([\s\S]*?)"
        r"(\tmad\.lo\.s64 \t%rd\d+, PARAM(10)[\s\S]*?st\.global[^\n]*\n)",
        r"\2\4\1\2\3\4", GATE, r"\[ptx.dependency\] .*'partial' is written before"),
    # Results.
    "a query more is stored": (
        r"setp\.gt\.s64" + LAST % r"setp\.gt\.s64", "setp.ge.s64", GATE,
        r"\[ptx.bounds\] .*axis 3, upper"),
    "no second eight": (
        r"@%p\d+ st\.global\.v4[^\n]*" + LAST % r"st\.global\.v4", "", GATE,
        r"\[ptx.coverage\]"),
    "half of a mean": (
        r"st\.global\.v4\.b32 \[(%rd\d+)\], \{(%r\d+), (%r\d+), [^}]*\}",
        r"st.global.v2.b32 [\1], {\2, \3}", GATE, r"\[ptx.coverage\]"),
    "weights of all lanes": (
        r"and\.pred \t(%p\d+), %p\d+, (%p\d+);", r"mov.pred \t\1, \2;", GATE,
        r"\[ptx.race\]"),
    "no weight of the second eight": (
        r"@%p\d+ st\.global[^\n]*" + LAST % r"st\.global", "", GATE,
        r"\[ptx.coverage\]"),
    # Shared memory and barriers.
    "no first barrier": (r"\tbar\.sync[^\n]*\n", "", GATE, r"\[ptx.race\]"),
    "no second barrier": (
        r"(bra[^\n]*\n)\tbar\.sync[^\n]*\n", r"\1", GATE, r"\[ptx.race\]"),
    "no third barrier": (
        r"\tbar\.sync[^\n]*\n" + LAST % r"bar\.sync", "", GATE, r"\[ptx.race\]"),
    "a barrier of some lanes": (
        r"(bra( [^\n]*\n))(?=\tbar\.sync[\s\S]*?(@%p\d+ bra))", r"\1\t\3\2", GATE,
        r"\[ptx.barrier\]"),
    "sums of the next thread": (
        r"(mad\.lo\.s64 \t%rd\d+, %rd\d+), 144,", r"\1, 112,", GATE,
        r"\[ptx.race\]"),
    "behind shared memory": (
        r"(ld\.shared\.v4[^\n]*\[%rd\d+)\+\d+\]" + LAST % r"ld\.shared\.v4",
        r"\1+37376]", GATE, r"\[ptx.shared\]"),
    "a product of some lanes": (
        r"(\n)(\t(?:// begin[^\n]*\n\t)?mma\.sync)",
        r"\1\tsetp.eq.s64 \t%p47, %rd5, 0;\n\t@%p47 bra \t$L__BB0_10;\n\2", GATE,
        r"\[ptx.barrier\] .*not all lanes"),
    # What is computed.
    "a matrix that is not turned": (
        r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16 ", "mov.b32 ", RUN,
        "a mean is off by"),
    "no scale": (r"0f3FB8AA3B", "0f3F800000", RUN, "a mean is off by"),
    "a split without keys weighs something": (
        r"0fFF800000(?=, %r877)", "0f00000000", RUN, "weight is wrong"),
    "a weight without the largest score": (
        r"add\.rn\.f32 \t%r838, %r10, (%r\d+);", r"mov.b32 \t%r838, \1;", RUN,
        "weight is wrong"),
    "the sum of fewer lanes": (
        r", 16, 31, -1;" + LAST % ", 16, 31", ", 8, 31, -1;", RUN,
        "a mean is off by|weight is wrong"),
}

#: B, G, R, T, L and P.
SIZES = ((1, 1, 3, 40, 17, 2), (1, 1, 16, 300, 290, 1), (2, 1, 4, 600, 530, 1))

if __name__ == "__main__":
    sys.exit(check(MISTAKES, launch, SIZES, *sys.argv[1:]))
