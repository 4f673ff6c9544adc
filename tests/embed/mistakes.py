#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mistakes, and the message that the author sees, from each compiler.

  mistakes.py LIBRARY COMPILER... [--of FOLDER] [-IFOLDER ...] [--update] [--only NAME]

NAME.cpp is refused by the compiler, or by recording; NAME.g++, NAME.clang are the
messages, NAME.recorded what both give. Lines of the header are left out of them, so that
an edit of it changes no message. None is longer than 20 lines, and one of them is a
sentence for the author."""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
INCLUDE = [str(HERE.parents[1] / "ir/embed")]
FLAGS = ["-std=c++20", "-O0"]
MAX_LINES = 20


def normalised(text, source):
    for folder in [source.parent, *INCLUDE]:
        text = text.replace(f"{folder}/", "")
    text = re.sub(r"(girih/(?:kernel/\w+|launch|execute)\.h):\d+(:\d+)?", r"\1:", text)
    # g++ knows no more by then who included a header that was read before.
    text = re.sub(rf",\n +from {re.escape(source.name)}:1:$", ":", text, flags=re.M)
    text = re.sub(r"^ *\d+ \|", "      |", text, flags=re.M)
    return text.rstrip() + "\n"


def kind_of(compiler):
    return "clang" if "clang" in pathlib.Path(compiler).name else "g++"


def precompile(compiler, header, folder):
    """The header, read once for all files that begin with it: options that use it."""
    built = pathlib.Path(folder, kind_of(compiler), header + ".gch")
    built.parent.mkdir(parents=True, exist_ok=True)
    found = next(i for i in INCLUDE if pathlib.Path(i, header).exists())
    subprocess.run([compiler, *FLAGS, *(f"-I{i}" for i in INCLUDE), "-x", "c++-header",
                    f"{found}/{header}", "-o", built], check=True)
    if kind_of(compiler) == "clang":
        return ["-include-pch", str(built)]
    return [f"-I{folder}/g++"]  # the first include finds it there


def message(compiler, library, source, folder, precompiled):
    program = pathlib.Path(folder, source.stem + kind_of(compiler))
    done = subprocess.run([compiler, *FLAGS, *precompiled, *(f"-I{i}" for i in INCLUDE),
                           str(source), library, "-o", str(program)],
                          capture_output=True, text=True)
    if done.returncode:
        return kind_of(compiler), normalised(done.stderr, source)
    done = subprocess.run([str(program)], capture_output=True, text=True)
    return "recorded", normalised(done.stderr if done.returncode else "accepted", source)


def main(library, *arguments):
    update = "--update" in arguments
    given = {option: arguments[arguments.index(option) + 1] if option in arguments else None
             for option in ("--only", "--of")}
    INCLUDE.extend(a[2:] for a in arguments if a.startswith("-I"))
    compilers = [a for a in arguments
                 if not a.startswith("-") and a not in given.values()]
    folder = pathlib.Path(given["--of"]) if given["--of"] else HERE / "mistakes"
    sources = [s for s in sorted(folder.glob("*.cpp"))
               if given["--only"] in (None, s.stem)]
    work = [(source, compiler) for source in sources for compiler in compilers]

    failures = []
    with (tempfile.TemporaryDirectory() as scratch,
          concurrent.futures.ThreadPoolExecutor(2) as pool):
        headers = {source: re.match(r'#include "(.*)"', source.read_text())[1]
                   for source in sources}
        needed = sorted({(compiler, headers[source]) for source, compiler in work})
        precompiled = dict(zip(needed, pool.map(
            lambda item: precompile(*item, scratch), needed)))
        messages = list(pool.map(
            lambda item: message(item[1], library, item[0], scratch,
                                 precompiled[item[1], headers[item[0]]]), work))
    for (source, compiler), (kind, text) in zip(work, messages):
        golden = source.with_suffix("." + kind)
        if text == "accepted\n":
            failures.append(f"{source.name}: {compiler} accepts it")
            continue
        if update:
            golden.write_text(text)
        lines = len(text.splitlines()) + (kind == "g++")  # who included the header
        if lines > MAX_LINES:
            failures.append(f"{golden.name}: {lines} lines")
        if not golden.exists() or golden.read_text() != text:
            failures.append(f"{golden.name} is not what {compiler} says:\n{text}")
    for failure in failures:
        print(failure)
    print(f"{len(sources)} mistakes, {len(compilers)} compilers, {len(failures)} failures")
    return failures != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
