# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The trace of a rule: its name in spec/Rules.def leads to its text in
spec/tile.md, to the code that emits it, to a kernel that breaks it and is
refused for it, to the verified twin of that kernel, and to --explain.

  rules.py BIN_DIR RULE   checks one rule
  rules.py BIN_DIR        checks that there is a folder for each rule and none
                          besides
"""

import re
import sys

from girih import ROOT, Report, rule_identifiers, rules, run

sys.path.append(str(ROOT / "tests/corpus"))
import corpus  # noqa: E402: what was said of the kernels, and what is expected

KERNELS = "tests/corpus/girih/rules"

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
        path = f"{KERNELS}/{rule}/{name}.mlir"
        report.check(lines.get(kind) == path, f"--explain does not name {path}")
        source = (ROOT / path).read_text()
        header = [f"// {k}: {v}" for k, v in corpus.header(source).items()]
        for number, line in enumerate(source.splitlines()):
            shown = f" {line}\n" in text
            report.check(shown == (number >= len(header)),
                         f"{path}: {'a' if shown else 'no'} line {line}")


def check_kernels(report, said, rule):
    folder = f"{KERNELS}/{rule}"
    verdict, = said[f"{folder}/bad.mlir"]["verdicts"]
    expected = {WITHOUT_OBLIGATION: "UNKNOWN", WITHOUT_RUN: "UNSATISFIABLE"}
    kind = expected.get(rule, "REFUTED")
    report.check(verdict["verdict"] == kind,
                 f"{folder}/bad.mlir is {verdict['verdict']}, not {kind}")
    found = [d for d in verdict["diagnostics"]
             if rule == d["rule"] or rule == WITHOUT_OBLIGATION and rule in d["message"]]
    report.check(found, f"{folder}/bad.mlir: no diagnostic of {rule}")
    for first in found[:1]:
        report.check(first["at"]["line"] > 0, f"{rule}: no place")
        level = "warning" if kind == "UNKNOWN" else "error"
        report.check(first["severity"] == level, f"{rule}: no {level}")
        # That it shows the rule is tested with the corpus.
        replays = [n["text"] for n in first["notes"] if n["kind"] == "replay"]
        shown = [c["replay"] for c in verdict["counterexamples"]
                 if c["rule"] == rule]
        report.check(replays == shown[:1] and bool(shown) == (kind == "REFUTED"),
                     f"{rule}: replays {replays}, not {shown[:1]}")
    good, = said[f"{folder}/good.mlir"]["verdicts"]
    report.check(good["verdict"] == "VERIFIED" and not good["trust"]["optOuts"],
                 f"{folder}/good.mlir is {good['verdict']}")


def check_folders(report):
    folders = {p.name for p in (ROOT / KERNELS).iterdir()}
    for rule in sorted(folders | set(rules())):
        report.check(rule in folders, f"{KERNELS}/{rule} is missing")
        report.check(
            rule in rules(), f"{KERNELS}/{rule} is no rule of spec/Rules.def"
        )
        files = {p.name for p in (ROOT / KERNELS / rule).glob("*")}
        report.check(
            files == {"bad.mlir", "good.mlir"},
            f"{KERNELS}/{rule} holds {sorted(files)}",
        )


def main():
    report = Report()
    bin_dir, *names = sys.argv[1:]
    if not names:
        check_folders(report)
    said = corpus.verdicts(bin_dir, "girih") if names else {}
    for rule in names:
        if report.check(rule in rules(), f"{rule} is not in spec/Rules.def"):
            check_named(report, rule)
            check_explained(report, bin_dir, rule)
            check_kernels(report, said, rule)
    report.finish()


if __name__ == "__main__":
    main()
