# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the census of every shipped kernel and of the kernels of the tests:
the obligations of each, by rule, and of the kernels in tests/corpus/girih/rules
the verdict and what is broken.

  census.py            prints it
  census.py --update   writes census.txt
tile-verify must be on PATH, and what it said of the kernels of rules be there.

Exit code 1: a rule of spec/Rules.def occurs nowhere in the census, so that a
checker without it would pass.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[3]
sys.path.append(str(ROOT / "tests/corpus"))
import corpus  # noqa: E402: what was said of the kernels of rules


def verdicts(*arguments):
    done = subprocess.run(["tile-verify", "--format=jsonl", *arguments],
                          cwd=ROOT, stdout=subprocess.PIPE, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def obligations(verdict):
    """The kernel, and how many obligations it has under each rule."""
    name = verdict["file"]
    if "variants" in verdict:
        name += f" @{verdict['kernel']}"
    counts = sorted(verdict["rules"].items())
    counts += [("believed:", o["form"]) for o in verdict["trust"]["optOuts"]]
    return "".join([f"{name} {verdict['obligations']['total']}\n"] +
                   [f"  {rule} {count}\n" for rule, count in counts])


def broken(verdict):
    """The verdict, and the rules that its diagnostics end with."""
    out = f"  {verdict['verdict']}\n"
    for diagnostic in verdict["diagnostics"]:
        # A message that cites a rule of the executor speaks of that one.
        cited = re.search(r"\[([a-z.]+)\]$", diagnostic["message"])
        out += f"  broken: {cited[1] if cited else diagnostic['rule']}\n"
    return out


# The obligations of a kernel do not depend on what is proved: no search.
out = "".join(map(obligations, verdicts("--replay", "proofs/kernels",
                                 "tests/corpus/girih/bugs")))
# A contract that nothing meets and a trust that does not hold are no
# obligations: they show in the verdict.
said = corpus.verdicts(pathlib.Path(shutil.which("tile-verify")).parent,
                       "girih")
out += "".join(obligations(v) + broken(v) for v in [
    *(v for name, record in said.items() for v in record["verdicts"]
      if name.startswith("tests/corpus/girih/rules/")),
    *verdicts("tests/corpus/girih/contract/empty_extent.bad.mlir",
              "tests/lit/checker/Inputs/trusting.mlir")])
rules = re.findall(r'^RULE\(\w+, "([a-z.]+)"',
                   (ROOT / "spec/Rules.def").read_text(), re.MULTILINE)
missing = [rule for rule in rules if rule not in out.split()]
if sys.argv[1:] == ["--update"]:
    (HERE / "census.txt").write_text(out)
else:
    sys.stdout.write(out)
for rule in missing:
    print(f"census.py: no kernel has an obligation of {rule}", file=sys.stderr)
sys.exit(bool(missing))
