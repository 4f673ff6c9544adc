# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of a rule: its name in spec/Rules.def leads to its text in
spec/tile.md, to the code that emits it, to a kernel that breaks it and is
refused for it, to the verified twin of that kernel, and to --explain.

  rules.py BIN_DIR RULE   checks one rule
  rules.py BIN_DIR        checks that there is a folder for each rule and none
                          besides
"""

import json
import re
import sys

from girih import ROOT, Report, rule_identifiers, rules, run

# A contract that no launch meets is an error in the kernel, not a fault of a
# run: there is nothing to replay.
WITHOUT_RUN = "contract.satisfiable"

# What is trusted is no obligation, so nothing refutes it; but no kernel is verified
# whose own launch breaks it.
WITHOUT_OBLIGATION = "trust.holds"


def check_named(report, rule):
    spec = (ROOT / "spec/tile.md").read_text()
    report.check(f"`{rule}`" in spec, f"spec/tile.md does not name `{rule}`")
    identifier = next(i for i, name in rule_identifiers().items() if name == rule)
    used = re.compile(rf"\bRule::{identifier}\b")
    emitters = [
        source.name
        for source in sorted((ROOT / "checker/generate").glob("*.cpp"))
        if used.search(source.read_text())
    ]
    emitted = emitters or rule == WITHOUT_OBLIGATION
    report.check(emitted, f"no source in checker/generate emits {rule}")


def check_explained(report, bin_dir, rule):
    code, text = run(["tile-verify", f"--explain={rule}"], bin_dir)
    if not report.check(code == 0, f"--explain={rule} exits {code}: {text}"):
        return
    # Kernels are indented.
    told = [line for line in text.splitlines() if line[0] != " "]
    lines = dict(line.split(": ", 1) for line in told)
    report.check(lines.get(rule) == rules()[rule], f"--explain says {text}")
    report.check(lines.get("help"), f"--explain={rule} gives no help")
    for kind, name in (("refused", "bad"), ("verified", "good")):
        path = f"tests/rules/{rule}/{name}.mlir"
        report.check(lines.get(kind) == path, f"--explain does not name {path}")
        for line in (ROOT / path).read_text().splitlines():
            report.check(f" {line}\n" in text, f"{path}: no line {line}")


def check_replay(report, bin_dir, rule, diagnostic):
    replays = [n["text"] for n in diagnostic["notes"] if n["kind"] == "replay"]
    if not report.check(len(replays) == 1, f"{rule}: no replay command"):
        return
    code, text = run(replays[0], bin_dir)
    report.check(code == 1, f"{replays[0]} exits {code}, not 1:\n{text}")
    report.check(
        f"[{rule}]" in text, f"{replays[0]} does not show {rule}:\n{text}"
    )


def check_kernels(report, bin_dir, rule):
    folder = f"tests/rules/{rule}"
    bad = ["tile-verify", "--format=jsonl", f"{folder}/bad.mlir"]
    code, text = run(bad, bin_dir)
    if rule == WITHOUT_OBLIGATION:
        report.check(code == 2 and rule in text, f"{folder}/bad.mlir: {text}")
        check_good(report, bin_dir, folder)
        return
    unsatisfiable = rule == WITHOUT_RUN
    expected = (3, "UNSATISFIABLE") if unsatisfiable else (1, "REFUTED")
    if report.check(code in (1, 3), f"{' '.join(bad)} exits {code}:\n{text}"):
        verdict = json.loads(text)
        found = (code, verdict["verdict"])
        report.check(found == expected, f"{folder}/bad.mlir: {found}")
        errors = [
            d
            for d in verdict["diagnostics"]
            if d["rule"] == rule and d["severity"] == "error"
        ]
        if report.check(errors, f"{folder}/bad.mlir: no error of {rule}"):
            report.check(errors[0]["at"]["line"] > 0, f"{rule}: no place")
            if not unsatisfiable:
                check_replay(report, bin_dir, rule, errors[0])
    check_good(report, bin_dir, folder)


def check_good(report, bin_dir, folder):
    code, text = run(["tile-verify", f"{folder}/good.mlir"], bin_dir)
    report.check(code == 0, f"{folder}/good.mlir exits {code}:\n{text}")
    report.check(
        text.startswith(f"VERIFIED {folder}/good.mlir: "),
        f"{folder}/good.mlir:\n{text}",
    )


def check_folders(report):
    folders = {p.name for p in (ROOT / "tests/rules").iterdir()}
    for rule in sorted(folders | set(rules())):
        report.check(rule in folders, f"tests/rules/{rule} is missing")
        report.check(
            rule in rules(), f"tests/rules/{rule} is no rule of spec/Rules.def"
        )
        files = {p.name for p in (ROOT / "tests/rules" / rule).glob("*")}
        report.check(
            files == {"bad.mlir", "good.mlir"},
            f"tests/rules/{rule} holds {sorted(files)}",
        )


def main():
    report = Report()
    bin_dir, *names = sys.argv[1:]
    if not names:
        check_folders(report)
    for rule in names:
        if report.check(rule in rules(), f"{rule} is not in spec/Rules.def"):
            check_named(report, rule)
            check_explained(report, bin_dir, rule)
            check_kernels(report, bin_dir, rule)
    report.finish()


if __name__ == "__main__":
    main()
