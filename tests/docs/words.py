# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Private terms that were replaced by the field's stay out of names.

  words.py BIN_DIR

A term counts as a word of an identifier (`owed` of `isOwed` and of `owed_lane`,
not of `allowed`) and of a file's name. A whole identifier counts as such, for
words that are plain English elsewhere. Comments are not looked at.
"""

import re

from girih import ROOT, Report

CXX = {".cpp", ".h"}
OBLIGATIONS = {"owe": "emit", "owes": "emits", "owed": "vc", "debt": "vc",
               "debts": "vcs", "paid": "discharged"}

# By folder: endings, and the terms that its names do without.
TERMS = {
    "proofs/theory": ({".v"}, {
        "debt": "vc", "debts": "vcs", "owe": "emit", "owes": "emits",
        "owed": "emitted", "paid": "discharged", "told": "clause",
        "sighted": "", "quiet": "pure", "silent": "keep", "standing": "onPath",
        "mirror": "simulation", "mirrored": "simulated", "placed": "located",
        "looked": "lookup", "fetched": "loaded", "undone": "pending",
    }),
    "checker": (CXX, OBLIGATIONS),
    "checker/search": (CXX, {
        "furthest": "", "settle": "propagate", "settled": "propagated",
    }),
    "fuzz": (CXX, OBLIGATIONS | {"soup": "random"}),
    "lower": (CXX, OBLIGATIONS),
    "runtime": (CXX, {"refusal": "error", "trouble": "evaluationError"}),
    "tests/unit": (CXX, OBLIGATIONS),
    "tests/property": (CXX, OBLIGATIONS | {"soup": "random"}),
}
PRECONDITIONS = {"Given": "Precondition", "Givens": "Preconditions"}
# By folder: endings, and whole identifiers.
IDENTIFIERS = {
    "checker": (CXX, {"Givens": "Preconditions", "Ruling": "CheckResult",
                      "told": "reported"}),
    "fuzz": (CXX, {"told": "reported"}),
    "tests/unit": (CXX, {"Ruling": "CheckResult", "told": "found"}),
    "proofs": (CXX, {"Ruling": "CheckResult"}),
    "spec/executor": (CXX, PRECONDITIONS),
    "lower/import": (CXX, {"Refused": "ImportError"}),
    "lower/readback": (CXX, {
        "Rest": "Rem", "Least": "SMin", "Largest": "SMax", "Choice": "Select",
        "LeastUnsigned": "UMin", "LargestUnsigned": "UMax",
        "Lost": "NotFollowed", "Malformed": "MalformedBytecode",
    }),
    "runtime": (CXX, PRECONDITIONS | {"Why": "ErrorKind", "Result": "Expected"}),
}
# Limits are called max.
LIMIT = re.compile(r"(?:most|few|little)[A-Z]\w*")
LIMITED = ["checker", "fuzz", "ir", "lower", "proofs", "runtime", "spec"]
COMMENT = re.compile(r"\(\*.*?\*\)|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.S)
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words(name):
    return {word.lower() for word in WORD.findall(name)}


def identifiers(text):
    return set(re.findall(r"[A-Za-z_]\w*", COMMENT.sub(" ", text)))


def found(name, text, terms):
    """Terms among the words of a file's name and of its identifiers."""
    return sorted((term, i) for i in {name, *identifiers(text)}
                  for term in words(i) & set(terms))


def sources(report, folder, endings):
    files = [p for p in sorted((ROOT / folder).rglob("*")) if p.suffix in endings]
    report.check(len(files) > 10, f"{folder} has no sources")
    return files


def main():
    report = Report()
    terms = {"owed": "emitted"}
    report.check(found("A", "isOwed owed_lane owedLanes", terms) ==
                 [("owed", "isOwed"), ("owed", "owedLanes"), ("owed", "owed_lane")],
                 "terms within identifiers are not found")
    report.check(not found("A", "allowed followed (* owed *) // owed\n", terms),
                 "other words and comments are taken for terms")
    report.check(found("Owed", "", terms) == [("owed", "Owed")],
                 "names of files are not looked at")
    for folder, (endings, terms) in TERMS.items():
        for path in sources(report, folder, endings):
            for term, name in found(path.stem, path.read_text(), terms):
                report.check(False, f"{path.relative_to(ROOT)}: {name} has the "
                             f"private term {term}; say {terms[term] or 'another'}")
    for folder, (endings, terms) in IDENTIFIERS.items():
        for path in sources(report, folder, endings):
            for name in sorted(identifiers(path.read_text()) & set(terms)):
                report.check(False, f"{path.relative_to(ROOT)}: {name} is a "
                             f"private term; say {terms[name]}")
    for folder in LIMITED:
        for path in sources(report, folder, CXX):
            for name in sorted(filter(LIMIT.fullmatch,
                                      identifiers(path.read_text()))):
                report.check(False, f"{path.relative_to(ROOT)}: {name} is a "
                             "limit; begin with max")
    report.finish()


if __name__ == "__main__":
    main()
