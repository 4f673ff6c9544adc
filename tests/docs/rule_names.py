# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A rule's name is written once, in spec/Rules.def: code asks for the rule by
its enumerator (spec/Rule.h), so that a misspelt one does not compile. No string
of the code holds a name, and no text of an obligation is compared.

  rule_names.py BIN_DIR
"""

import re

from girih import ROOT, Report, rules

FOLDERS = ["bench", "checker", "fuzz", "ir", "lower", "program", "proofs", "runtime", "spec"]
ENDINGS = {".cpp", ".h", ".def", ".td", ".inc"}
# By file, the text that may hold a name, with the reason.
EXCEPTIONS = {
    "checker/TileVerify.cpp": "--explain=claim.disjoint",  # example of a command
}

# Comments come first, as they may hold a quote, and strings whole, as they may
# hold what looks like a comment.
TOKEN = re.compile(
    r'//[^\n]*|/\*.*?\*/'
    r'|R"(?P<mark>[^()\s\\]*)\((?P<raw>.*?)\)(?P=mark)"'
    r'|"(?P<text>(?:[^"\\\n]|\\.)*)"'
    r"|(?<![0-9A-Fa-f])'(?:[^'\\\n]|\\.)+'",
    re.S,
)
NAMES = re.compile(
    r"(?<![\w.])(?:" + "|".join(map(re.escape, rules())) + r")(?!\w|\.\w)"
)
COMPARED = re.compile(r"\bobligation\.rule\s*[!=]=|[!=]=\s*[\w.\[\]]*\bobligation\.rule\b")


def findings(code):
    """What is wrong with a text of C++: line and text."""
    found = []
    for token in TOKEN.finditer(code):
        string = token["raw"] if token["raw"] is not None else token["text"]
        if string is not None and NAMES.search(string):
            found.append((token.start(), token[0]))
    bare = TOKEN.sub(lambda t: re.sub(r"[^\n]", " ", t[0]), code)
    found += [(m.start(), m[0]) for m in COMPARED.finditer(bare)]
    return [(code.count("\n", 0, at) + 1, text) for at, text in sorted(found)]


def check_itself(report):
    """What must be seen and what must not."""
    wrong = [
        'if (f.rule == "claim.bounds") {',
        'out.push_back("out.covered: no obligation");',
        'bool is = text.ends_with("[trust.holds]");',
        'auto s = R"(rule load.pad)";',
        "char c = '\"'; f(\"loop.step\");",
        "if (o.obligation.rule == rule) {",
        "if (rule != v.vcs[i].obligation.rule) {",
    ]
    right = [
        '// a "claim.bounds" in a comment',
        '/* of "out.covered" */',
        'f(Rule::ClaimBounds); // "claim.bounds"',
        'f("proclaim.bounds", "claim.boundsy", "claim.bounds.mlir");',
        "f(launch.grid);",
        "out += o.obligation.rule;",
        'f("obligation.rule == x");',
        'f("//", x); // "loop.step"',
        "int n = 1'000; // \"loop.step\"",
    ]
    for text in wrong:
        report.check(len(findings(text)) == 1, f"not found: {text}")
    for text in right:
        report.check(not findings(text), f"found where nothing is: {text}")


def main():
    report = Report()
    check_itself(report)
    files = [f for folder in FOLDERS for f in sorted((ROOT / folder).rglob("*"))
             if f.suffix in ENDINGS]
    report.check(len(files) > 100, f"{len(files)} files")
    for file in files:
        name = str(file.relative_to(ROOT))
        if name == "spec/Rules.def":
            continue
        code = file.read_text()
        if name in EXCEPTIONS:
            right = EXCEPTIONS[name]
            report.check(right in code, f"{name} has no {right} to except")
            code = code.replace(right, "")
        found = findings(code)
        lines = [f"{name}:{n}: {text}" for n, text in found]
        report.check(not found, "write Rule::NAME: " + "; ".join(lines))
    report.finish()


if __name__ == "__main__":
    main()
