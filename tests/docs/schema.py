# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real output of `tile-verify --format=jsonl` meets its schema, and the schema
is strict enough to refuse what is not a verdict.

  schema.py BIN_DIR; what was said of our kernels must be there
"""

import copy
import json
import sys

import jsonschema

from girih import ROOT, Report, rules, run

sys.path.append(str(ROOT / "tests/corpus"))
import corpus  # noqa: E402: what was said of the kernels



def load():
    path = ROOT / "spec/schemas/verdict.schema.json"
    schema = json.loads(path.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema), schema


def check_line(report, validator, verdict):
    for error in validator.iter_errors(verdict):
        where = "/".join(map(str, error.absolute_path))
        report.check(False, f"{verdict.get('file')}: {where}: {error.message}")
    counts = verdict["obligations"]
    report.check(
        counts["total"] == sum(verdict["rules"].values()),
        f"{verdict['file']}: the census does not add up",
    )
    parts = [counts[k] for k in ("proved", "refuted", "unknown", "blocked")]
    report.check(
        sum(parts) in (counts["total"], 0),
        f"{verdict['file']}: the statuses do not add up",
    )


def mutations(verdict):
    """Objects that are no verdicts, each by one change."""

    def change(edit):
        changed = copy.deepcopy(verdict)
        edit(changed)
        return changed

    for key in ("file", "verdict", "rules", "diagnostics", "seconds"):
        yield f"without {key}", change(lambda v: v.pop(key))
    yield "an unknown key", change(lambda v: v.update(extra=1))
    yield "another verdict", change(lambda v: v.update(verdict="FINE"))
    yield "a negative time", change(lambda v: v.update(seconds=-1))
    yield "an unknown rule", change(lambda v: v["rules"].update(nonsense=1))
    yield "a status too many", change(lambda v: v["obligations"].update(x=1))
    if verdict["verdict"] == "VERIFIED":
        yield "proved without digest", change(lambda v: v.pop("digest"))
        yield "proved with a rest", change(
            lambda v: v["obligations"].update(unknown=1)
        )
    yield "trust in a solver", change(lambda v: v["trust"]["desk"].append("z3"))
    if verdict["verdict"] == "REFUTED":
        yield "trust", change(lambda v: v["trust"]["desk"].append("judge"))
        yield "no counterexample", change(lambda v: v.update(counterexamples=[]))
        yield "no place", change(lambda v: v["diagnostics"][0].pop("at"))
        yield "a replay of nothing", change(
            lambda v: v["counterexamples"][0].update(replay="rm")
        )


def main():
    report = Report()
    validator, schema = load()
    names = schema["$defs"]["rule"]["enum"]
    report.check(names == list(rules()), "rules differ from spec/Rules.def")
    unmet = "tests/corpus/girih/rules/contract.satisfiable/bad.mlir"
    code, text = run(["tile-verify", "--format=jsonl", "proofs/kernels", unmet],
                     sys.argv[1])
    report.check(code == 3, f"exit code {code}; the worst of all is 3")
    verdicts = [json.loads(line) for line in text.splitlines()]
    for record in corpus.verdicts(sys.argv[1], "girih").values():
        verdicts += record["verdicts"]
    seen = {}
    for verdict in verdicts:
        check_line(report, validator, verdict)
        seen[verdict["verdict"]] = verdict
    for kind in ("VERIFIED", "REFUTED", "UNSATISFIABLE"):
        report.check(kind in seen, f"no kernel is {kind}")
    for kind, verdict in seen.items():
        for name, wrong in mutations(verdict):
            report.check(
                not validator.is_valid(wrong),
                f"the schema admits a verdict {kind} with {name}",
            )
    report.finish()


if __name__ == "__main__":
    main()
