#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the PTX of the schedule attention_step, each one edit: the gate
refuses it for the reason named, or a run of it finds another result.

  attention_mutants.py TILE_COMPILE PTX_GATE ATTENTION_STEP.mlir
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from attention_test import launch
from machine import Program
from rows_mutants import GATE, LAST, RUN, judged

#: What is replaced, by what, who refuses it, and why. PARAM(n) is the register
#: that parameter n is loaded to.
MISTAKES = {
    # The position, which stands in memory.
    "a position that is not held below T": (
        r"min\.s64 \t(%rd\d+), (%rd\d+), %rd\d+;", r"mov.b64 \t\1, \2;", GATE,
        r"\[ptx.bounds\] .*axis \d, upper"),
    "a position of T": (
        r"(add\.s64 \t%rd\d+, %rd\d+), -1;(?=\n\tmin)", r"\1, 0;", GATE,
        r"\[ptx.bounds\] .*axis \d, upper"),
    "a position that may be negative": (
        r"max\.s64 \t(%rd\d+), (%rd\d+), 0;", r"mov.b64 \t\1, \2;", GATE,
        r"\[ptx.division\] dividend"),
    "a position of 64 bits": (
        r"ld\.global\.s32 \t(%rd\d+)", r"ld.global.s64 \t\1", GATE,
        r"\[ptx.bounds\] .*axis 0, upper"),
    "the position of the thread": (
        r"(\tld\.global\.s32 \t%rd\d+, \[)(%rd\d+)\]",
        r"\tadd.s64 \t\2, \2, %rd8;\n\1\2]", GATE, r"\[ptx"),
    "a position that each trip reads": (
        r"(\$L__BB0_4:[^\n]*\n)([\s\S]*?)setp\.lt\.s64 \t(%p\d+), (%rd\d+), %rd\d+;",
        r"\1\tld.global.s32 \t%rd6, [%rd58];\n\2setp.lt.s64 \t\3, \4, %rd6;",
        GATE, r"\[ptx.bounds\] .*axis 1, upper"),
    # Rows of the caches.
    "the row of the new key is read, too": (
        r"setp\.lt\.s64(?= \t%p4,)", "setp.le.s64", GATE, r"\[ptx.race\]"),
    "the new key is weighed twice": (
        r"setp\.lt\.s64(?= \t%p24,)", "setp.le.s64", RUN, "off by"),
    "no guard of keys": (r"@%p4 ld", "ld", GATE, r"\[ptx.bounds\] .*axis 1, upper"),
    "no guard of values ahead": (
        r"@%p\d+ (ld\.global\.v4.*)" + LAST % r"ld\.global\.v4", r"\1", GATE,
        r"\[ptx.bounds\] .*axis 1, upper"),
    "no guard of what is prefetched": (
        r"@%p1 prefetch", "prefetch", GATE, r"\[ptx.bounds\] .*axis 1, upper"),
    "the head behind": (
        r"(mul\.lo\.s64 \t(%rd\d+), %rd\d+, %rd\d+;\n)",
        r"\1\tadd.s64 \t\2, \2, 1;\n", GATE,
        r"\[ptx.bounds\] .*axis 0, upper|\[ptx.bounds\] .*axis 1, upper"),
    "the heads of R": (
        r"(mul\.lo\.s64 \t%rd\d+), %rd\d+, (%rd\d+);", r"\1, PARAM(14), \2;",
        GATE, r"\[ptx.bounds\]"),
    "values from the keys": (
        r"ld(\.param\.b64 \t%rd\d+, \[\w+)_param_9\]", r"ld\1_param_2]", GATE,
        r"\[ptx.bounds\]"),
    "the new row where there is none": (
        r"and\.pred \t(%p\d+), (%p\d+), (%p\d+);(?=\n\tadd)",
        r"mov.pred \t\1, \2;", RUN, "touched without a row"),
    "all warps store the new row": (
        r"and\.pred \t(%p\d+), (%p\d+), (%p\d+);(?=\n\tadd)",
        r"mov.pred \t\1, \3;", GATE, r"\[ptx.race\]"),
    "the new value from the keys' row": (
        r"add\.s64 \t(%rd\d+), (%rd\d+), (%rd\d+);(?=\n\t// begin[^\n]*\n\t@%p12)",
        r"add.s64 \t\1, \2, 0;", GATE, r"\[ptx"),
    # Before the dependency wait.
    "no wait": (r"\tgriddepcontrol\.wait;\n", "", GATE, r"\[ptx.dependency\]"),
    "a wait behind the first keys": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*?@%p4 ld[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\]"),
    "a wait behind the queries": (
        r"(\tgriddepcontrol\.wait;\n)([\s\S]*?@%p3 ld[^\n]*\n)", r"\2\1", GATE,
        r"\[ptx.dependency\] .*'q' is read before"),
    "keys as if nobody wrote them": (r"@%p4 ld\.global", "@%p4 ld.global.nc", GATE,
                                     "is read as if nothing wrote it"),
    # Results.
    "a query more": (r"setp\.gt\.s64 \t(%p\d+), (%rd\d+), (%rd\d+);",
                     r"setp.ge.s64 \t\1, \2, \3;", GATE,
                     r"\[ptx.bounds\] .*axis 1, upper"),
    "a query less": (
        r"setp\.gt\.s64 \t(%p\d+), (%rd\d+), (%rd\d+);",
        r"add.s64 \tPARAM(14), PARAM(14), -1;\n\tsetp.gt.s64 \t\1, PARAM(14), \3;", GATE,
        r"\[ptx.coverage\]"),
    "half of a query": (r"st\.global\.v2\.b32 \[(%rd\d+)\], \{(%r\d+), %r\d+\}",
                        r"st.global.b32 [\1], \2", GATE, r"\[ptx.coverage\]"),
    # Shared memory and barriers.
    "no first barrier": (r"\tbar\.sync[^\n]*\n", "", GATE, r"\[ptx.race\]"),
    "no second barrier": (r"\tbar\.sync[^\n]*\n" + LAST % r"bar\.sync", "", GATE,
                          r"\[ptx.race\]"),
    "queries over each other": (r", 272;", ", 128;", GATE, r"\[ptx.race\]"),
    "sums over each other": (
        r"(st\.shared\.v4\.b32 \t\[%rd\d+\+28)16\]", r"\g<1>32]", RUN,
        "off by nan"),
    "sums of the next thread": (
        r"(mad\.lo\.s64 \t%rd\d+, %rd\d+), 144,", r"\1, 112,", GATE,
        r"\[ptx.race\]"),
    "behind shared memory": (r"\+35072\]", "+39680]", GATE, r"\[ptx.shared\]"),
    "scores of all lanes": (r"\t@%p10 bra[^\n]*\n", "", GATE, r"\[ptx.race\]"),
    "a product of some lanes": (
        r"(\n)(\t(?:// begin[^\n]*\n\t)?mma\.sync)",
        r"\1\t@%p10 bra \t$L__BB0_5;\n\2", GATE,
        r"\[ptx.barrier\] .*not all lanes"),
    "a guarded product": (r"\tmma\.sync", "\t@%p3 mma.sync", GATE,
                          r"\[ptx.barrier\] .*not all lanes"),
    # What is computed.
    "a matrix that is not turned": (
        r"movmatrix\.sync\.aligned\.m8n8\.trans\.b16 ", "mov.b32 ", RUN, "off by"),
    "the rows of a product swapped": (
        r"(mma\.sync\S+ \{[^}]*\}, \{)(%r\d+), (%r\d+),", r"\1\3, \2,", RUN,
        "off by"),
    "no scale": (r"0f3FB8AA3B", "0f3F800000", RUN, "off by"),
    "cosines for sines": (r"param_7\]", "param_6]", RUN, "new key is wrong"),
    "the sum of fewer lanes": (
        r", 16, 31, -1;" + LAST % ", 16, 31", ", 8, 31, -1;", RUN, "off by"),
}


SIZES = ((1, 3, 17, 16), (1, 8, 200, 150), (2, 2, 5, 4), (1, 1, 9, 9))


def check(mistakes, launch, sizes, compiler, gate, kernel):
    """Whether a mistake is taken for none, or what is built for one."""
    def ran(text):
        program = Program(text)
        found = (launch(program, *size, 5) for size in sizes)
        return next((why for why in found if why), "accepted")

    expected, ptx = (
        subprocess.run([compiler, kernel, f"--dump={what}"], check=True,
                       capture_output=True, text=True).stdout
        for what in ("expected", "ptx"))
    def filled(text):
        return re.sub(r"PARAM\((\d+)\)", lambda n: re.search(
            rf"ld\.param\.b64 \t(%rd\d+), \[\w+_param_{n[1]}\]", ptx)[1], text)

    mutants = {name: re.sub(filled(old), filled(new), ptx, count=1)
               for name, (old, new, *_) in mistakes.items()}
    asked = [name for name in mistakes if mistakes[name][2] == GATE]
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        texts = [ptx] + [mutants[name] for name in asked]
        built, *answers = judged(gate, pathlib.Path(folder), expected, texts)
    said = dict(zip(asked, answers))
    for name, mutant in mutants.items():
        answer = ("no change" if mutant == ptx else
                  said.get(name) or ran(mutant))
        if not re.search(mistakes[name][3], answer):
            wrong.append(f"{name}: {answer[:300]}")
    if not built.startswith("proved"):
        wrong.append(f"what is built: {built}")
    print("".join(line + "\n" for line in wrong) +
          f"{len(mistakes)} mistakes, {len(wrong)} failures")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(check(MISTAKES, launch, SIZES, *sys.argv[1:]))
