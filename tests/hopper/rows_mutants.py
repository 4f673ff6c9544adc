#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the schedule rows, each one edit: of what tile-compile builds the
verifier of the dialect refuses it, of the PTX the gate does, or else a run of it
finds another result. For the reason named.

  rows_mutants.py TILE_COMPILE HOPPER_OPT PTX_GATE SOFTMAX_BY_ROW.mlir
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from machine import Program
from rows_test import launch, variants

COLUMNS = 2048  # of the variant that is spoiled: a row of two warps

#: Of the schedule: what is replaced, by what, what is said of it.
SCHEDULE = {
    "a barrier of the first lanes": (
        r"(    hopper\.shared_store .*\n)  \}\n  hopper\.block_barrier",
        r"\1    hopper.block_barrier\n  }",
        "stands under a condition that differs between lanes"),
    "a barrier of the first warp": (
        r"(%\S+)( = hopper\.warp_id : i64\n)([\s\S]*?)  hopper\.block_barrier",
        r"\1\2  %z = arith.constant 0 : i64\n"
        r"  %f = arith.cmpi eq, \1, %z : i64\n\3  scf.if %f {\n"
        r"    hopper.block_barrier\n  }",
        "stands under a condition that differs between warps"),
    "a maximum of some lanes": (
        r"(%\S+) = hopper\.lane_id([\s\S]*?)(  %\S+ = hopper\.warp_max (%\S+))",
        r"\1 = hopper.lane_id\2  %o = arith.constant 0 : i64\n"
        r"  %g = arith.cmpi eq, \1, %o : i64\n  scf.if %g {\n"
        r"    %h = hopper.warp_max \4\n  }\n\3",
        "stands under a condition that differs between lanes"),
    "reads what it writes": (r"masked_load once %arg0(.*)global<read>",
                             r"masked_load once %arg1\1global<write>",
                             "reads memory that the kernel writes"),
    "writes what it reads": (r"(masked_store .*), %arg1(.*)global<write>",
                             r"\1, %arg0\2global<read>",
                             "writes memory that the kernel reads"),
    "too few registers": (r"registers 64", "registers 40",
                          "registers at a time; a thread has 40"),
    "a trigger alone": (r"(  hopper\.block_barrier)", r"  hopper.trigger\n\1",
                        "stands in a kernel that waits for no grid before it"),
    "a load before the dependency wait": (
        r"(  %\S+ = hopper\.block_id)",
        r"  %a = arith.constant 0 : i64\n"
        r"  %t = arith.constant true\n"
        r"  %d = arith.constant dense<0.0> : vector<8xbf16>\n"
        r"  hopper.before_dependency {\n    %e = hopper.masked_load %arg0[%a] if "
        r"%t else %d : !hopper.global<read>, vector<8xbf16>\n  }\n\1",
        "reads before the dependency wait"),
}

#: Of the PTX: what is replaced (the last one of several, where it says so), by
#: what, who refuses it, and why.
GATE, RUN = "gate", "run"
LAST = r"(?![\s\S]*%s)"
PTX = {
    "the row behind": (
        r"mul\.wide\.u32 \t(%rd\d+), (%r\d+), 2;",
        r"mul.wide.u32 \t\1, \2, 2;\n\tadd.s64 \1, \1, 2;", GATE,
        r"\[ptx.bounds\] .*axis 0, upper"),
    "the stride of y for x": (r"param_4\];", "param_5];", GATE,
                              r"\[ptx.bounds\] .*axis 0, upper"),
    "twice the stride": (r"mul\.wide\.u32 \t(%rd\d+), (%r\d+), 2;",
                         r"mul.wide.u32 \t\1, \2, 4;", GATE,
                         r"\[ptx.bounds\] .*axis 0, upper"),
    "a guard of <=": (r"setp\.lt\.s64", "setp.le.s64", GATE,
                      r"\[ptx.bounds\] .*axis 1, upper"),
    "a guard of M": (r"param_3\];", "param_2];", GATE,
                     r"\[ptx.bounds\] .*axis 1, upper"),
    "no guard at the last load": (
        r"@%p\d+ (ld\.global.*)" + LAST % r"ld\.global", r"\1", GATE,
        r"\[ptx.bounds\] .*axis 1, upper"),
    "no guard at the last store": (
        r"@%p\d+ (st\.global.*)" + LAST % r"st\.global", r"\1", GATE,
        r"\[ptx.bounds\] .*axis 1, upper"),
    "the guard of the load before": (r"@%p2 ld", "@%p1 ld", GATE,
                                     r"\[ptx.bounds\] .*axis 1, upper"),
    "the guard of the load behind": (r"@%p2 ld", "@%p3 ld", GATE,
                                     r"\[ptx.coverage\] .*guard is not proved"),
    "a guard turned round": (r"@%p4 ld", "@!%p4 ld", GATE,
                             r"\[ptx.bounds\] .*axis 1, upper"),
    "no last load": (r"@%p\d+ ld\.global.*" + LAST % r"ld\.global", "", GATE,
                     r"\[ptx.coverage\]"),
    "no last store": (r"@%p\d+ st\.global.*" + LAST % r"st\.global", "", GATE,
                      r"\[ptx.coverage\]"),
    "the second load twice": (
        r"add\.s64 \t(%rd\d+), (%rd\d+), 2048;(?=\n\tmov)",
        r"add.s64 \t\1, \2, 1024;", GATE, r"\[ptx.coverage\]"),
    "the width of half a row between loads": (
        r"or\.b64 \t(%rd\d+), (%rd\d+), 512;", r"or.b64 \t\1, \2, 256;", GATE,
        r"\[ptx.coverage\] .*more decides on it"),
    "lanes of 4 elements": (r"mul\.wide\.u32 \t(%rd\d+), (%r\d+), 8;",
                            r"mul.wide.u32 \t\1, \2, 4;", GATE,
                            "not aligned to 16 bytes"),
    "not aligned": (r"param_0\];\n", "param_0];\n\tadd.s64 %rd15, %rd15, 2;\n",
                    GATE, "not aligned to 16 bytes|no element"),
    "x is written": (r"ld(\.param\.b64 \t%rd\d+, \[\w+)_param_1\]", r"ld\1_param_0]",
                     GATE, "'x' is not to be written"),
    "no first barrier": (r"bar\.sync[^\n]*\n", "\n", GATE, r"\[ptx.race\]"),
    "no second barrier": (r"bar\.sync[^\n]*\n" + LAST % r"bar\.sync", "\n", GATE,
                          r"\[ptx.race\]"),
    "a barrier of the first lanes": (
        r"(\$L__BB0_2:\n)([\s\S]*?)(\tbar\.sync[^\n]*\n)", r"\3\1\2", GATE,
        r"\[ptx.barrier\]"),
    "all lanes write the sum": (r"@%p5 bra[^\n]*\n" + LAST % "@%p5 bra", "\n",
                                GATE, r"\[ptx.race\]"),
    "both warps to one place": (
        r"(mul\.wide\.u32 \t%rd\d+, %r\d+), 4;", r"\1, 0;", GATE,
        r"\[ptx.race\]"),
    "behind shared memory": (r"\[shared\+128\]", "[shared+144]", GATE,
                             r"\[ptx.shared\]"),
    "the sum over the maximum": (r"\[(%rd\d+)\+128\]", r"[\1]", GATE,
                                 r"\[ptx.race\]"),
    "a butterfly short of half a warp": (
        r"shfl\.sync\.bfly\.b32 \t(%r\d+), (%r\d+), 16, 31, -1;" +
        LAST % ", 16, 31", r"mov.b32 \t\1, 0;", RUN, "elements are wrong"),
    "a butterfly twice over the same": (
        r", 8, 31, -1" + LAST % ", 8, 31", ", 16, 31, -1", RUN,
        "elements are wrong"),
    "the sum of one warp": (
        r"(ld\.shared\.v2\.b32 \t\{%r\d+, )(%r\d+)(\}[^\n]*\n)" +
        LAST % r"ld\.shared", r"\1\2\3\tmov.b32 \t\2, 0;\n", RUN,
        "elements are wrong"),
    "the smallest for the largest": (r"max\.NaN", "min.NaN", RUN,
                                     "elements are wrong"),
    "padding of zero": (r"mov\.b32 \t(%r\d+), -8323200;", r"mov.b32 \t\1, 0;", RUN,
                        "elements are wrong"),
    "halves in the wrong order": (
        r"(cvt\.rn\.bf16x2\.f32 \t%r\d+), (%r\d+), (%r\d+);", r"\1, \3, \2;", RUN,
        "elements are wrong"),
    "the low half twice": (r"and\.b32 \t(%r\d+), (%r\d+), -65536;",
                           r"shl.b32 \t\1, \2, 16;", RUN, "elements are wrong"),
    "no division": (r"rcp\.rn\.f32", "neg.f32", RUN, "elements are wrong"),
}
#: Where each of several is replaced.
ALL = {"a guard of <=", "the smallest for the largest", "halves in the wrong order",
       "the low half twice"}


def said(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    return (done.stdout + done.stderr) if done.returncode else "accepted"


def judged(gate, folder, expected, texts):
    """What the gate says of each text."""
    paths = [folder / f"{n}.ptx" for n in range(len(texts))]
    for path, text in zip(paths, texts):
        path.write_text(text)
    (folder / "expected").write_text(expected)
    done = subprocess.run([gate, folder / "expected", *paths], check=True,
                          capture_output=True, text=True)
    return done.stdout.splitlines()


def part(compiler, kernel, what, begin, columns):
    """Of what is dumped for each variant, that of this many columns."""
    dump = subprocess.run([compiler, kernel, f"--dump={what}"], check=True,
                          capture_output=True, text=True).stdout
    return next(begin + rest for rest in dump.split(begin)
                if re.search(rf"_\d+_{columns}_", rest[:100]))


def ran(name, text):
    found = (launch(Program(text), name, 1, m, n, [8, 16], 3)
             for m, n in ((3, 2048), (2, 1032), (2, 528)))
    return next((why for why in found if why), "accepted")


def main(compiler, opt, gate, kernel):
    name = pathlib.Path(kernel).stem
    text = part(compiler, kernel, "hopper", "hopper.kernel @", COLUMNS)
    expected = part(compiler, kernel, "expected", "girih-expected ", COLUMNS)
    ptx = next(t for _, columns, t in variants(compiler, kernel)
               if columns == COLUMNS)
    with tempfile.TemporaryDirectory() as scratch:
        folder, wrong = pathlib.Path(scratch), []
        for mistake, (old, new, why) in SCHEDULE.items():
            mutant = re.sub(old, new, text, count=1)
            answer = said(opt, text=mutant) if mutant != text else "no change"
            if not re.search(why, answer):
                wrong.append(f"{mistake}: {answer[:300]}")
        mutants = {mistake: re.sub(old, new, ptx, count=mistake not in ALL)
                   for mistake, (old, new, *_) in PTX.items()}
        asked = [mistake for mistake in PTX if PTX[mistake][2] == GATE]
        answers = dict(zip(asked, judged(gate, folder, expected,
                                         [mutants[m] for m in asked])))
        for mistake, mutant in mutants.items():
            answer = ("no change" if mutant == ptx else
                      answers.get(mistake) or ran(name, mutant))
            if not re.search(PTX[mistake][3], answer):
                wrong.append(f"{mistake}: {answer[:300]}")
        # As built, nobody objects.
        wrong += [f"what is built: {why}" for why in
                  (said(opt, text=text), ran(name, ptx)) if why != "accepted"]
        wrong += [f"what is built: {why}" for why in
                  judged(gate, folder, expected, [ptx])
                  if not why.startswith("proved")]
    print("".join(line + "\n" for line in wrong) +
          f"{len(SCHEDULE) + len(PTX)} mistakes, {len(wrong)} failures")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
