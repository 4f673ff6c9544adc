# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is believed and what is proved stands in spec/Trust.def; the documents
that say it are written from there.

  trust.py BIN_DIR             fails when a document says something else, when a
                               rule has no entry, or when `--trust` lists
                               something else
  trust.py BIN_DIR --update    writes the documents
"""

import re
import sys

from girih import ROOT, Report, rule_identifiers, rules, run

STRING = r'"(?:[^"\\]|\\.)*"'
HEAD = {
    "Desk": "without the theorem in Coq",
    "Coq": "with the theorem in Coq",
    "Always": "in both cases",
    "Launch": "to launch it",
}


def entries(macro, shape):
    text = (ROOT / "spec/Trust.def").read_text()
    pattern = rf"^{macro}\({shape}\s*((?:{STRING}\s*)+)\)$"
    return [
        (*groups[:-1], "".join(s[1:-1] for s in re.findall(STRING, groups[-1])))
        for groups in re.findall(pattern, text, re.MULTILINE)
    ]


def trusted():
    return entries("TRUSTED", r'"(\w+)", (\w+),')


def proved():
    names = rule_identifiers()
    return [(names.get(rule, rule), text)
            for rule, text in entries("PROVED", r"(\w+),")]


def trusted_table():
    lines = ["| what | does what | believed |", "|---|---|---|"]
    lines += [f"| {n} | {text} | {HEAD[when]} |" for n, when, text in trusted()]
    return "\n".join(lines)


def proved_table():
    lines = ["| rule | theorem |", "|---|---|"]
    return "\n".join(lines + [f"| `{r}` | {text} |" for r, text in proved()])


TABLES = {
    "proofs/README.md": ("trusted", trusted_table),
    "spec/tile.md": ("proved", proved_table),
}


def main():
    report = Report()
    for path, (name, table) in TABLES.items():
        file = ROOT / path
        text = file.read_text()
        block = re.compile(
            rf"(<!-- spec/Trust.def {name} -->\n\n).*?(\n\n<!-- end -->)", re.S)
        new, count = block.subn(lambda m: m[1] + table() + m[2], text)
        report.check(count == 1, f"{path} has no place for what is {name}")
        if "--update" in sys.argv:
            file.write_text(new)
        else:
            report.check(new == text, f"{path} differs from spec/Trust.def: "
                         "tests/docs/trust.py BIN_DIR --update")
    report.check(sorted(r for r, _ in proved()) == sorted(rules()),
                 "PROVED has other rules than spec/Rules.def")
    kernel = ROOT / "tests/corpus/girih/rules/claim.bounds/good.mlir"
    _, said = run(["tile-verify", "--trust", str(kernel)], sys.argv[1])
    for name, _, text in trusted():
        line = rf"^  {name} +{re.escape(text)}$"
        report.check(re.search(line, said, re.MULTILINE),
                     f"--trust does not say `{name}` as spec/Trust.def does")
    report.finish()


if __name__ == "__main__":
    main()
