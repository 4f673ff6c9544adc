# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checker and executor share no transfer function: what an op's result is, each
says in code that the other never sees. As includes, followed to their end:

- the generator and the search see nothing of the executor, and the executor
  nothing of the checker;
- what both see is SHARED: types, ops and their text, names of rules. These
  headers take and give no numbers of lanes, and include nothing that computes
  results; no op of the dialect folds.

  independence.py BIN_DIR
"""

import pathlib
import re
import shutil
import tempfile

from girih import ROOT, Report

CHECKER = ["checker/generate", "checker/search"]
# executor/tool is files, names and texts of a run.
EXECUTOR = ["spec/executor/numerics", "spec/executor/memory",
            "spec/executor/launch", "spec/executor/machine"]
# Headers that both see. One more is a decision: may it be said that nothing in
# it says what an op computes?
SHARED = {
    "ir/ops/Ops.h", "ir/ops/Tile.h",  # classes of ops: operands, attributes
    "ir/ops/Views.h",  # which op made a tensor
    "ir/text/Reader.h",  # the kernel, and what its values are called
    "ir/types/Attrs.h", "ir/types/Dialect.h", "ir/types/Types.h",
    "spec/Rule.h", "spec/Rules.def",  # names of rules
}
# Made of the .td file of that name.
GENERATED = re.compile(r"^ir/(ops/(Kernel|Loop|Map|Memory|Value|View)Ops"
                       r"|types/(Attrs|Dialect|Enums|TypeEnums|Types))\.h\.inc$")
OURS = re.compile(r'^#include "((?:checker|ir|lower|proofs|runtime|spec)/[^"]+)"',
                  re.M)
# Of MLIR and LLVM, what works results out.
COMPUTES = re.compile(r'^#include ["<]([^">]*(?:Fold|InferIntRange|KnownBits|'
                      r'ConstantRange|IntRange)[^">]*)[">]', re.M)
# Types in which lanes are computed.
NUMBER = re.compile(r"\b(double|float|APInt|APFloat|APSInt|__int128)\b")
FOLDS = re.compile(r"\b(hasFolder|hasCanonicalizer|hasCanonicalizeMethod)\b")


def text_of(path):
    return path.read_text() if path.exists() else ""


def code_of(path):
    return re.sub(r"//.*", "", text_of(path))


def sources(root, folder):
    return [str(f.relative_to(root)) for f in sorted((root / folder).rglob("*"))
            if f.suffix in (".cpp", ".h")]


def seen_from(root, folders):
    """What the sources of folders include, followed to the end: each file with
    the way by which it is reached."""
    ways = {f: [f] for folder in folders for f in sources(root, folder)}
    todo = list(ways)
    while todo:
        at = todo.pop()
        for target in OURS.findall(text_of(root / at)):
            if target not in ways:
                ways[target] = [*ways[at], target]
                todo.append(target)
    return ways


def findings(root):
    """All that is wrong in a tree, and how many files both sides have."""
    checker, executor = seen_from(root, CHECKER), seen_from(root, EXECUTOR)
    found = []
    for ways, foreign in [(checker, "spec/executor/"), (executor, "checker/")]:
        found += [f"{way[0]} sees {target}: {' > '.join(way)}"
                  for target, way in ways.items() if target.startswith(foreign)]
    # The tool and the public header as well, which are no part of a run.
    for target in seen_from(root, ["spec/executor"]):
        if target.startswith("checker/") and target not in executor:
            found.append(f"spec/executor sees {target}")
    both = {f for f in checker.keys() & executor.keys()
            if not GENERATED.match(f)}
    found += [f"{f} is seen by both and not in SHARED: "
              f"{' > '.join(checker[f])}; {' > '.join(executor[f])}"
              for f in sorted(both - SHARED)]
    found += [f"{f} is in SHARED and not seen by both"
              for f in sorted(SHARED - both)]
    for f in sorted(both):
        found += [f"{f}, which both see, speaks of {number} (a number of a lane?)"
                  for number in sorted(set(NUMBER.findall(code_of(root / f))))]
    for f in sorted({*checker, *executor}):
        found += [f"{f} includes {target}, which computes results"
                  for target in COMPUTES.findall(text_of(root / f))]
    for td in sorted((root / "ir").rglob("*.td")):
        found += [f"{td.relative_to(root)} has {word}: both sides would share it"
                  for word in FOLDS.findall(code_of(td))]
    return found, len(checker), len(executor)


# Into which file what is planted, and what is then found.
PLANTED = [
    ("checker/generate/Lanes.cpp", '#include "spec/executor/numerics/Array.h"',
     "checker/generate/Lanes.cpp sees spec/executor/numerics/Array.h"),
    ("checker/search/State.h", '#include "spec/executor/numerics/IntegerOps.h"',
     "sees spec/executor/numerics/IntegerOps.h"),
    # By way of a header that neither owns.
    ("ir/types/Counted.h", '#include "spec/executor/Executor.h"',
     "sees spec/executor/Executor.h"),
    ("spec/executor/numerics/IntegerOps.cpp",
     '#include "checker/generate/Facts.h"',
     "spec/executor/numerics/IntegerOps.cpp sees checker/generate/Facts.h"),
    ("spec/executor/tool/Report.cpp", '#include "checker/decide/Verify.h"',
     "spec/executor sees checker/decide/Verify.h"),
    # A place for functions of both.
    ("ir/types/Types.h", '#include "ir/types/Arithmetic.h"',
     "ir/types/Arithmetic.h is seen by both and not in SHARED"),
    ("ir/ops/Views.h", "double product(double x, double y);",
     "ir/ops/Views.h, which both see, speaks of double"),
    ("checker/generate/Body.cpp", '#include "mlir/Dialect/CommonFolders.h"',
     "checker/generate/Body.cpp includes mlir/Dialect/CommonFolders.h"),
    ("ir/ops/ValueOps.td", "let hasFolder = 1;", "ir/ops/ValueOps.td has hasFolder"),
]


def check_itself(report):
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for top in ("checker", "ir", "spec"):
            shutil.copytree(ROOT / top, tree / top)
        report.check(findings(tree)[0] == [], "the copy of the tree is not clean")
        for name, line, expected in PLANTED:
            before = (tree / name).read_text()
            (tree / name).write_text(line + "\n" + before)
            found = findings(tree)[0]
            report.check(any(expected in f for f in found),
                         f"{line} in {name} is not found: {found}")
            (tree / name).write_text(before)


def main():
    report = Report()
    found, checker, executor = findings(ROOT)
    for text in found:
        report.check(False, text)
    report.check(checker > 60 and executor > 40, f"{checker}, {executor} files")
    check_itself(report)
    report.finish()


if __name__ == "__main__":
    main()
