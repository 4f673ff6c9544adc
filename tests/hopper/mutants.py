#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes in the schedule gemv, each one edit of what tile-compile builds: the
verifier of the dialect has to refuse it for the reason named; of weights in bf16,
in f8 and of 4 bits.

  mutants.py TILE_COMPILE HOPPER_OPT GEMV.mlir GEMV_ADD_INT4.mlir
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from gemv_test import of_f8

#: What is replaced, by what, and what is said of it.
MUTANTS = {
    "no release": (r"    hopper\.release .*\n", "",
                   "refills a slot before its readers are done"),
    "a warp barrier in place of a release": (
        r"hopper\.release .*", "hopper.warp_barrier",
        "refills a slot before its readers are done"),
    "released behind the refill": (
        r"(    hopper\.release [^\n]*\n)(.*?scf\.if .*?\n    \}\n)", r"\2\1",
        "refills a slot before its readers are done"),
    "a read outside of the sum": (
        r"(%\d+) = arith\.addf (%\d+), (%\d+) : f32\n(    %\d+ = "
        r"hopper\.warp_sum) \1", r"\1 = arith.addf \2, \3 : f32\n\4 \2",
        "refills a slot before its readers are done"),
    "the slot as parity": (r"parity %arg8", "parity %arg7",
                           "waits for the wrong parity, 1"),
    "a parity that does not turn": (
        r"arith\.xori (%\S+), %\S+ : i32", r"arith.xori \1, %c0_i32 : i32",
        "waits for the wrong parity, 0"),
    "a slot too few": (r"ring<4 x", "ring<3 x", "names slot 3 of a ring of 3"),
    "refilled too long": (
        r"arith\.addi %arg6, %c4_i64", "arith.addi %arg6, %c2_i64",
        "starts a copy that nobody waits for"),
    "refilled not long enough": (
        r"arith\.addi %arg6, %c4_i64", "arith.addi %arg6, %c160_i64",
        "waits for a copy that nobody starts: deadlock"),
    "one copy too many at first": (
        r"slt, %arg6, (%\d+)", r"sle, %arg6, \1",
        "uses a ring under a condition that does not follow"),
    "no first copies": (
        r"( +hopper\.before_dependency \{).*?\n  \}\n", r"\1\n  }\n",
        "waits for a copy that nobody starts: deadlock"),
    "no warp barrier": (r"  hopper\.warp_barrier\n", "",
                        "uses a ring before a warp_barrier"),
    "x before the dependency wait": (
        r"from %arg0(.*)global<early>", r"from %arg1\1global<read>",
        "reads before the dependency wait"),
    "no dependency wait": (
        r"  hopper\.before_dependency \{.*?\n  \}\n", "",
        "stands in a kernel that waits for no grid before it"),
    "a block barrier of the first lanes": (
        r"(%\d+)( = arith\.cmpi eq, %2, %c0_i64 : i64\n.*?scf\.if) %\d+"
        r"( \{\n(?:      %\S+ = arith[^\n]*\n)*      hopper\.block_barrier)",
        r"\1\2 \1\3",
        "stands under a condition that differs between lanes"),
    "too few registers": (r"registers 128", "registers 48",
                          "registers at a time; a thread has 48"),
    "too much shared memory": (r"ring<4 x 2560>", "ring<4 x 7168>",
                               "bytes of shared memory; a block has 232448"),
}


#: The same of weights in f8E4M3FN, which are converted before they are multiplied.
F8_MUTANTS = {
    "a converted weight outside of the sum": (
        r"(%\d+)( = hopper\.shared : !hopper\.shared<2048>.*?    (%\d+) = "
        r"vector\.extract %\d+\[0\] : f32 from vector<16xf32>\n)",
        r"\1\2    hopper.shared_store \3, \1[%c0_i64] : f32, "
        r"!hopper.shared<2048>\n",
        "reads what is used elsewhere than in a warp_sum"),
    **{name: MUTANTS[name] for name in ("a read outside of the sum",
                                        "released behind the refill")},
}


#: The same of weights of 4 bits, which go through products of matrices.
INT4_MUTANTS = {
    "a product outside of the sum": (
        r"(%\d+)( = hopper\.shared : !hopper\.shared<2048>.*?    (%\d+) = "
        r"vector\.extract (%\d+)\[2\] : f32 from vector<4xf32>\n(?=.*?subf))",
        r"\1\2    hopper.shared_store \3, \1[%c0_i64] : f32, "
        r"!hopper.shared<2048>\n",
        "reads what is used elsewhere than in a warp_sum"),
    "released behind the refill": MUTANTS["released behind the refill"],
}


def said(tool, text):
    done = subprocess.run([tool], input=text, capture_output=True, text=True)
    return done.stderr if done.returncode else "accepted"


def failures_of(compiler, tool, kernel, mutants):
    """How many mistakes are not refused for their reasons; says which."""
    text = subprocess.run([compiler, kernel, "--dump=hopper"], check=True,
                          capture_output=True, text=True).stdout
    failures = 0
    if said(tool, text) != "accepted":
        failures += 1
        print("the schedule itself is refused")
    for name, (old, new, expected) in mutants.items():
        mutant = re.sub(old, new, text, count=0 if "ring<" in old else 1,
                        flags=re.S if ".*?" in old else 0)
        first = said(tool, mutant).splitlines()[0]
        if mutant == text or expected not in first:
            failures += 1
            print(f"{name}: {'no change' if mutant == text else first}")
    return failures


def main(compiler, tool, kernel, int4):
    failures = failures_of(compiler, tool, kernel, MUTANTS)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "f8.mlir")
        path.write_text(of_f8(pathlib.Path(kernel).read_text()))
        failures += failures_of(compiler, tool, path, F8_MUTANTS)
    failures += failures_of(compiler, tool, int4, INT4_MUTANTS)
    mistakes = len(MUTANTS) + len(F8_MUTANTS) + len(INT4_MUTANTS)
    print(f"{mistakes} mistakes, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
