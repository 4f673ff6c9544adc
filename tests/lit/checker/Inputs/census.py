# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the census of every shipped kernel and of the kernels of the tests.

  census.py            prints it
  census.py --update   writes census.txt; tile-verify must be on PATH
"""

import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]

# No search: what a kernel owes does not depend on what is proved.
done = subprocess.run(
    ["tile-verify", "--replay", "--format=jsonl", "proofs/kernels", "tests/kernels"],
    cwd=ROOT,
    stdout=subprocess.PIPE,
    text=True,
)
out = ""
for line in done.stdout.splitlines():
    verdict = json.loads(line)
    name = verdict["file"]
    if "variants" in verdict:
        name += f" @{verdict['kernel']}"
    out += f"{name} {verdict['obligations']['total']}\n"
    for rule, count in sorted(verdict["rules"].items()):
        out += f"  {rule} {count}\n"
if sys.argv[1:] == ["--update"]:
    (HERE / "census.txt").write_text(out)
else:
    sys.stdout.write(out)
