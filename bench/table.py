#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of speeds in README.md is what bench/results says.

  table.py             compares; exit code 1 when they differ
  table.py --update    rewrites the table
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"(<!-- bench/table.py -->\n\n).*?(\n\n<!-- end -->)", re.S)


def table():
    results = json.loads((ROOT / "bench/results/h200_speed.json").read_text())
    versions = results["versions"]
    lines = ["| on one " + results["machine"] + " | ours | beside it |",
             "|---|---|---|"]
    for name, work in results["works"].items():
        unit, all_ = work["unit"], work["contestants"]
        libraries = {n: c for n, c in all_.items() if not n.startswith("girih")}
        for ours, measured in all_.items():
            if not ours.startswith("girih"):
                continue
            ratios = ", ".join(
                f"{measured[unit] / other[unit]:.3f} of {library}"
                for library, other in libraries.items())
            lines.append(f"| {name}, `{ours.removeprefix('girih ')}` | "
                         f"{measured[unit]:.4g} {unit} | {ratios} |")
    lines += ["", "Medians of " + str(next(iter(
        results["works"].values()))["rounds"]) + " interleaved rounds in one "
        f"process on {results['date']}; torch {versions['torch']}, driver "
        f"{versions['driver']}, {versions['compiler']['gemm']}."]
    return "\n".join(lines)


def main():
    path = ROOT / "README.md"
    text = path.read_text()
    new, count = BLOCK.subn(lambda m: m[1] + table() + m[2], text)
    if count != 1:
        sys.exit("table.py: error: README.md has no place for the table")
    if "--update" in sys.argv[1:]:
        path.write_text(new)
    elif new != text:
        sys.exit("table.py: error: README.md differs from bench/results; "
                 "bench/table.py --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())
