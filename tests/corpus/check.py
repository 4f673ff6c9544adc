# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The corpus against what its kernels say in their first lines.

  check.py                 every kernel has a header, what is refuted has a
                           verified twin, and the tables of the suites list
                           their kernels
  check.py BIN_DIR ORIGIN  every kernel of an origin got its verdict, and what is
                           refuted shows again by the command that is printed
  check.py --update        writes bench/results/outside.json
"""

import collections
import datetime
import json
import re
import sys

import corpus

RESULTS = corpus.ROOT / "bench/results/outside.json"
# Where every refuted kernel differs from a verified one by its bug alone.
TWINS = re.compile(r"tests/corpus/(girih/rules|girih/bugs|maps|shipped)/")
UNKNOWN_SHARE = 0.05
CODES = {"VERIFIED": 0, "REFUTED": 1, "UNKNOWN": 2, "UNSATISFIABLE": 3}


def twin(kernel, wrong):
    if kernel.twin is None:
        # Nothing refutes what is trusted, but no kernel is verified whose own
        # launch breaks it; and what no launch meets has nothing to mend.
        if kernel.expect != "VERIFIED" and TWINS.match(kernel.name):
            wrong.append(f"{kernel.name}: no `// twin: NAME.mlir`")
        return
    path = kernel.path.with_name(kernel.twin)
    if not path.is_file():
        wrong.append(f"{kernel.name}: its twin {kernel.twin} does not exist")
    elif corpus.Kernel(path).expect != "VERIFIED":
        wrong.append(f"{kernel.name}: its twin {kernel.twin} is not VERIFIED")


def suite(topic, table, kernels, wrong):
    """The table of a suite lists each case and each kernel."""
    for case in table["cases"]:
        if bool(case.get("kernels")) == bool(case.get("excluded")):
            wrong.append(f"{topic}: {case['case']}: kernels or a reason, please")
    listed = {k for case in table["cases"] for k in case.get("kernels", [])}
    for name in sorted({k.path.stem for k in kernels} ^ listed):
        wrong.append(f"{topic}/{name}: " + ("no such file" if name in listed
                                            else "not in the table"))
    source = ""
    if "repository" in table:
        source = f"{table['repository']}@{table['commit'][:7]} "
    for kernel in kernels:
        if kernel.source is None or not kernel.source.startswith(source):
            wrong.append(f"{kernel.name}: no `// source: {source}...`")


def count(table, kernels):
    """A row of the table of suites: what is stated and comes out."""
    kinds = collections.Counter(k.expect for k in kernels if not k.stated)
    return {
        "title": table["title"],
        "cases": len(table["cases"]),
        "excluded": sum("excluded" in case for case in table["cases"]),
        "kernels": len(kernels),
        "verified": kinds["VERIFIED"],
        "refuted": kinds["REFUTED"],
        "unknown": [k.path.stem for k in kernels if k.stated],
    }


def headers(update):
    wrong, found = [], {}
    strays = set(corpus.HERE.rglob("*.mlir"))
    for topic in corpus.topics():
        found[topic] = []
        strays -= set(corpus.paths(topic))
        for path in corpus.paths(topic):
            try:
                found[topic].append(corpus.Kernel(path))
            except corpus.Wrong as e:
                wrong.append(str(e))
    for kernel in (k for kernels in found.values() for k in kernels):
        twin(kernel, wrong)
    counts = {}
    for topic, table in corpus.suites().items():
        kernels = found[topic]
        suite(topic, table, kernels, wrong)
        for kernel in kernels:
            if kernel.expect == "UNKNOWN" and not kernel.stated:
                wrong.append(f"{kernel.name}: UNKNOWN, and no `// stated:`")
        counts[topic] = count(table, kernels)
    wrong += [f"{path}: not in a topic" for path in strays]
    unknown = sum(len(c["unknown"]) for c in counts.values())
    if unknown > UNKNOWN_SHARE * sum(c["kernels"] for c in counts.values()):
        wrong.append(f"{unknown} kernels of the suites are UNKNOWN")
    if not wrong and update:
        RESULTS.write_text(json.dumps(
            {"date": str(datetime.date.today()), "suites": counts}, indent=1) + "\n")
    elif json.loads(RESULTS.read_text())["suites"] != counts:
        wrong.append("bench/results/outside.json has other counts: "
                     "check.py --update")
    for topic, kernels in found.items():
        kinds = collections.Counter(k.expect for k in kernels)
        print(f"{topic}: " + ", ".join(f"{n} {kind}" for kind, n in
                                       sorted(kinds.items())))
    return wrong


def rules_of(verdict):
    """What a verdict names as broken or open."""
    if verdict["verdict"] == "REFUTED":
        return {c["rule"] for c in verdict["counterexamples"]}
    return {d["rule"] for d in verdict["diagnostics"]}


def compare(kernel, record):
    """What is wrong with what was said of a kernel."""
    kinds = {v["verdict"] for v in record["verdicts"]}
    # That of a list of variants is the worst.
    if not kinds or kinds - {"VERIFIED"} != {kernel.expect} - {"VERIFIED"}:
        yield f"expected {kernel.expect}, got {sorted(kinds) or 'none'}"
        yield from [record["errors"]] if not kinds else []
    rules = set().union(*map(rules_of, record["verdicts"]))
    if rules != set(kernel.rules):
        yield f"expected {sorted(kernel.rules)}, got {sorted(rules)}"
    shown = [c for v in record["verdicts"] for c in v["counterexamples"]]
    for counterexample, replay in zip(shown, record["replays"], strict=True):
        if replay["code"] != 1 or f"[{counterexample['rule']}]" not in replay["text"]:
            yield (f"{counterexample['replay']} does not show "
                   f"{counterexample['rule']}:\n{replay['text']}")


def code_of(verdict):
    """The exit code that a verdict asks for."""
    if verdict["verdict"] == "VERIFIED" and verdict["trust"]["optOuts"]:
        return CODES["UNKNOWN"]
    return CODES[verdict["verdict"]]


def verdicts(bin_dir, origin):
    records = corpus.verdicts(bin_dir, origin)
    wrong, codes = [], collections.defaultdict(set)
    for kernel in corpus.kernels(origin):
        record = records[kernel.name]
        wrong += [f"{kernel.name}: {text}" for text in compare(kernel, record)]
        codes[kernel.expect, record["code"]] |= {
            code_of(v) for v in record["verdicts"]}
    for (expect, code), asked in codes.items():
        worst = max(asked, key=[0, 2, 1, 3].index, default=3)
        if code != worst:
            wrong.append(f"{origin}: {expect} ones end with {code}, not {worst}")
    return wrong


def main():
    arguments = sys.argv[1:]
    wrong = (verdicts(*arguments) if len(arguments) == 2
             else headers("--update" in arguments))
    sys.exit("\n".join(wrong) if wrong else 0)


if __name__ == "__main__":
    main()
