#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each strategy of the search gains over the library and the maps.

usage: strategies.py BIN_DIR

Searches for a certificate of every obligation of proofs/kernels and of the maps
that are not broken: as it stands, once without each strategy of
checker/search/Strategies.def, and with other shares of steps. Writes
bench/results/strategies.json: by strategy, the obligations that it was the one to
discharge; without it, those that were not discharged and the steps of all
searches as a ratio. An obligation without a certificate costs the whole budget.
"""

import json
import re
import subprocess
import sys

import record

BUDGET = 200_000  # steps, as search::Budget
SHARES = [("first", 500), ("first", 8000), ("growth", 2), ("growth", 16)]
STRATEGY = re.compile(r'^STRATEGY\(\w+, "([^"]+)"', re.M)


def strategies():
    return STRATEGY.findall(
        (record.ROOT / "checker/search/Strategies.def").read_text())


def kernels():
    maps = (p for p in
            sorted((record.ROOT / "tests/corpus/maps").glob("**/*.mlir"))
            if ".bug_" not in p.name)
    return [p.relative_to(record.ROOT) for p in
            [*sorted((record.ROOT / "proofs/kernels").glob("*/*.mlir")), *maps]]


def search(bin_dir, files, *options):
    """A record of search_steps by obligation."""
    done = subprocess.run([f"{bin_dir}/search_steps", *options, *files],
                          cwd=record.ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def steps(rows):
    return sum(BUDGET if row["steps"] is None else row["steps"] for row in rows)


def open_obligations(rows):
    return sum(row["steps"] is None for row in rows)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    files = kernels()
    before = search(sys.argv[1], files)

    def change(*options):
        rows = search(sys.argv[1], files, *options)
        return {"open": open_obligations(rows),
                "steps_ratio": round(steps(rows) / steps(before), 3)}

    found = [row.get("strategy") for row in before]
    record.save("strategies", "bench/strategies.py build/default/bin", {
        "kernels": len(files), "obligations": len(before),
        "open": open_obligations(before), "steps": steps(before),
        "strategies": [{"name": name, "discharged": found.count(name),
                        "without": change(f"--without={name}")}
                       for name in strategies()],
        "shares": [{"option": option, "value": value,
                    **change(f"--{option}={value}")} for option, value in SHARES]})


if __name__ == "__main__":
    main()
