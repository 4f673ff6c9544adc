#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases that nobody here wrote: SUITE.json lists every case of a suite, the
kernels that say it in our language or why it is not said; SUITE/NAME.mlir says
in its first line what must come out, in its second where the case is from; text
and code are ours.

  check.py                     the tables and the folders fit each other
  check.py BIN_DIR             and every kernel gets its verdict, UNKNOWN at
                               most where bench/results/outside.json has it;
                               what is refused shows again by the command that
                               the refusal prints
  check.py BIN_DIR --update    writes that file
"""

import datetime
import json
import pathlib
import re
import shlex
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
RESULTS = HERE.parents[1] / "bench/results/outside.json"
EXPECT = re.compile(r"// expect: (VERIFIED|REFUTED [a-z]+\.[a-z]+)")
UNKNOWN_SHARE = 0.05


def kernels(suite, wrong):
    """The kernels of a suite with what is expected of each."""
    table = json.loads((HERE / f"{suite}.json").read_text())
    listed = [k for case in table["cases"] for k in case.get("kernels", [])]
    for case in table["cases"]:
        if bool(case.get("kernels")) == bool(case.get("excluded")):
            wrong.append(f"{suite}: {case['case']}: kernels or a reason, please")
    found = {path.stem for path in (HERE / suite).glob("*.mlir")}
    for name in sorted(found ^ set(listed)):
        wrong.append(f"{suite}/{name}: " + ("no such file" if name in listed
                                            else "not in the table"))
    source = "// source: "
    if "repository" in table:
        source += f"{table['repository']}@{table['commit'][:7]} "
    expected = {}
    for name in sorted(found & set(listed)):
        first, second = (HERE / suite / f"{name}.mlir").read_text().split("\n")[:2]
        match = EXPECT.fullmatch(first)
        if not match or not second.startswith(source):
            wrong.append(f"{suite}/{name}: no expectation, or not from {source}")
        else:
            expected[name] = match[1]
    return table, expected


def replays(bin_dir, counterexample):
    tool, *arguments = shlex.split(counterexample["replay"])
    run = subprocess.run([f"{bin_dir}/{tool}", *arguments], capture_output=True,
                         text=True, check=False)
    return run.returncode == 1 and f"[{counterexample['rule']}]" in run.stderr


def verdicts(bin_dir, suite):
    """What tile-verify says of each: VERIFIED, UNKNOWN, or REFUTED and the
    rules that were seen broken."""
    run = subprocess.run(
        [f"{bin_dir}/tile-verify", "--fresh", "--suggest=false", "--format=jsonl", HERE / suite],
        capture_output=True, text=True, check=False)
    said = {}
    for line in run.stdout.splitlines():
        verdict = json.loads(line)
        rules = {c["rule"] if replays(bin_dir, c) else c["rule"] + ", not replayed"
                 for c in verdict["counterexamples"]}
        said[pathlib.Path(verdict["file"]).stem] = " ".join(
            [verdict["verdict"], *sorted(rules)])
    return said, run.stderr


def count(table, expected, said):
    def those(verdict):
        return [name for name, e in expected.items()
                if e.split()[0] == verdict and said[name] == e]

    return {
        "title": table["title"],
        "cases": len(table["cases"]),
        "excluded": sum("excluded" in case for case in table["cases"]),
        "kernels": len(expected),
        "verified": len(those("VERIFIED")),
        "refuted": len(those("REFUTED")),
        "unknown": [name for name in expected if said[name] == "UNKNOWN"],
    }


def main():
    wrong, counts = [], {}
    old = json.loads(RESULTS.read_text())["suites"] if RESULTS.exists() else {}
    for path in sorted(HERE.glob("*.json")):
        suite = path.stem
        table, expected = kernels(suite, wrong)
        if len(sys.argv) < 2:
            continue
        said, errors = verdicts(sys.argv[1], suite)
        for name in expected:
            said.setdefault(name, "malformed: " + errors)
            if said[name] not in (expected[name], "UNKNOWN"):
                wrong.append(f"{suite}/{name}: expected {expected[name]}, "
                             f"got {said[name]}")
        counts[suite] = count(table, expected, said)
        if "--update" not in sys.argv:
            for name in counts[suite]["unknown"]:
                if name not in old.get(suite, {}).get("unknown", []):
                    wrong.append(f"{suite}/{name}: UNKNOWN, and was not")
    total = sum(c["kernels"] for c in counts.values())
    unknown = sum(len(c["unknown"]) for c in counts.values())
    if unknown > UNKNOWN_SHARE * total:
        wrong.append(f"{unknown} of {total} kernels are UNKNOWN")
    if wrong:
        sys.exit("\n".join(wrong))
    if "--update" in sys.argv:
        RESULTS.write_text(json.dumps(
            {"date": str(datetime.date.today()), "suites": counts}, indent=1) + "\n")
    for suite, c in counts.items():
        print(f"{suite}: {c['kernels']} kernels, {c['verified']} VERIFIED, "
              f"{c['refuted']} REFUTED, {len(c['unknown'])} UNKNOWN")


if __name__ == "__main__":
    main()
