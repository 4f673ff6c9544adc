# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""door.py SOURCE FOLDER TOOL: `-h` and `--help` of a tool print the same, name
the exit codes and end with examples; each example, run in a new folder that has
what the source tree has, exits with 0 or with the code that stands beside it.
An example for a GPU is left out.
"""

import pathlib
import re
import shutil
import subprocess
import sys


def run(command, folder=None):
    return subprocess.run(
        command,
        cwd=folder,
        shell=isinstance(command, str),
        capture_output=True,
        text=True,
    )


def main():
    source, folder, tool = sys.argv[1:]
    root = pathlib.Path(folder)
    shutil.rmtree(root, ignore_errors=True)
    (root / "build").mkdir(parents=True)
    for name in ("proofs", "tests"):
        (root / name).symlink_to(pathlib.Path(source) / name)
    asked = [run([tool, option]) for option in ("-h", "--help")]
    for answer in asked:
        assert answer.returncode == 0 and not answer.stderr, answer
    text = asked[0].stdout
    assert text == asked[1].stdout, "-h and --help differ"
    assert re.search(r"^Exit codes: 0 .*\b3 ", text, re.M | re.S), text
    head, sep, tail = text.partition(
        "\nExamples, from the root of the source tree:\n\n"
    )
    assert sep, text
    examples = tail.rstrip("\n").splitlines()
    assert 2 <= len(examples) <= 3, examples
    for line in examples:
        command, _, comment = line.strip().partition("#")
        assert line.startswith("  tile-") and len(line) <= 80, line
        if comment.strip() == "on a GPU":
            continue
        stated = re.search(r"exit code (\d+)", comment)
        codes = {int(stated[1])} if stated else {0}
        if tool == "tile-run":
            codes.add(0)
        done = run(command, root)
        print(f"{command.strip()}: {done.returncode}")
        assert done.returncode in codes, done


main()
