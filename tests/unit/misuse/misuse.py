# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs that must not compile, with what the compiler says of them, and for
each a twin that differs by the fix and compiles.

  misuse.py TILE_COMPILE SOURCE_DIR COMPILER

All programs of a kind go through the compiler at once, each as a function in a
file of its own name, so that a message tells whose it is.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = ("add", "embedding", "gemm", "saxpy")
OPTIONS = ["-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
           "-Wno-unused-parameter", "-Wno-unused-variable",
           "-Wno-unused-but-set-variable"]
# What every program has at hand.
PARAMETERS = ("Tensor<float> t, Tensor<float> z, Shared<float> s, "
              "Piece<float> piece, Pieces<float> pieces, Shared<bf16> h, "
              "Shared<std::int32_t> ids, Stream stream")
COMPILERS = {"g++": ("gcc", ["-fmax-errors=0"]),
             "clang++": ("clang", ["-ferror-limit=0", "-Wconsumed"])}


def program(cases, which, headers):
    lines = ['#include "girih/runtime.h"']
    lines += [f'#include "{header}"' for header in headers]
    lines += ["using namespace girih;"]
    for number, case in enumerate(cases):
        lines += [f'#line 1 "{case["id"]}"',
                  f"{case.get('returns', 'void')} program{number}({PARAMETERS}) {{",
                  case[which].strip(), "}"]
    return "\n".join(lines) + "\n"


def blocks(text):
    """One for each error: g++ says in front where it is, clang behind."""
    block, ahead = [], []
    for line in text.splitlines():
        if ": error: " in line:
            yield block
            block, ahead = [*ahead, line], []
        elif ": note: " in line:
            block, ahead = [*block, *ahead, line], []
        elif ahead or re.match(r"\S+: In ", line):
            ahead.append(line)
        else:
            block.append(line)
    yield block


def messages(text, ids):
    """By case what the compiler says of it, and what is of none. An error in a
    header counts for the case that led there."""
    found, owner = {name: [] for name in ids}, None
    strays = []
    for block in blocks(text):
        said = [m[1] for line in block
                if (m := re.search(r": (?:error|note): (.*)$", line))]
        named = [m[1] for line in block
                 if (m := re.match(r"([\w-]+):\d", line)) and m[1] in found]
        owner = named[0] if named else owner
        (found[owner] if owner else strays).extend(said)
    return found, strays


def main():
    tool, source, compiler = sys.argv[1:]
    name, own = COMPILERS[pathlib.Path(compiler).name.split("-")[0]]
    cases = tomllib.loads((HERE / "misuse.toml").read_text())["case"]
    cases = [c for c in cases if name in c]
    failures = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        headers = [folder / f"{kernel}.h" for kernel in KERNELS]
        for header in headers:
            kernel = f"{source}/proofs/kernels/{header.stem}/{header.stem}.mlir"
            subprocess.run([tool, kernel, f"--emit-launcher={header}"],
                           check=True)

        def compiled(chosen, which):
            file = folder / f"{which}.cpp"
            file.write_text(program(chosen, which, headers))
            said = subprocess.run(
                [compiler, *OPTIONS, *own, f"-I{source}", f"-I{source}/runtime",
                 str(file)], capture_output=True, encoding="utf-8",
                env={**os.environ, "LC_ALL": "C"})
            return messages(said.stderr, [c["id"] for c in chosen])

        found, strays = compiled(cases, "good")
        failures += [f"{case}: the twin: {errors[0]}"
                     for case, errors in found.items() if errors]
        failures += [f"a twin: {error}" for error in strays]
        # Warnings that follow from an analysis need a program without errors.
        for warned in (False, True):
            some = [c for c in cases if c.get("warned", False) == warned]
            found, strays = compiled(some, "bad")
            failures += [f"a program: {error}" for error in strays]
            for case in some:
                said = found[case["id"]]
                if not said:
                    failures.append(f"{case['id']}: compiles")
                elif not any(case[name] in line for line in said):
                    failures.append(f"{case['id']}: no '{case[name]}' in\n  " +
                                    "\n  ".join(said))
    for failure in failures:
        print(f"FAIL: {failure}")
    print(f"{len(cases)} programs, {len(failures)} failures")
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main())
