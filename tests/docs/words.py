# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Private terms that were replaced by the field's stay out of names.

  words.py BIN_DIR

A term counts as a word of an identifier (`owed` of `isOwed` and of `owed_lane`,
not of `allowed`) and of a file's name. Comments are not looked at.
"""

import re

from girih import ROOT, Report

# By folder: endings, and the terms that its names do without.
TERMS = {
    "proofs/theory": ({".v"}, {
        "debt": "vc", "debts": "vcs", "owe": "emit", "owes": "emits",
        "owed": "emitted", "paid": "discharged", "told": "clause",
        "sighted": "", "quiet": "pure", "silent": "keep", "standing": "onPath",
        "mirror": "simulation", "mirrored": "simulated", "placed": "located",
        "looked": "lookup", "fetched": "loaded",
    }),
    "checker/search": ({".cpp", ".h"}, {
        "furthest": "", "settle": "propagate", "settled": "propagated",
    }),
}
COMMENT = re.compile(r"\(\*.*?\*\)|//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", re.S)
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")


def words(name):
    return {word.lower() for word in WORD.findall(name)}


def found(name, text, terms):
    """Terms among the words of a file's name and of its identifiers."""
    identifiers = {name, *re.findall(r"[A-Za-z_]\w*", COMMENT.sub(" ", text))}
    return sorted((term, i) for i in identifiers for term in words(i) & set(terms))


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
        files = [p for p in sorted((ROOT / folder).rglob("*"))
                 if p.suffix in endings]
        report.check(len(files) > 10, f"{folder} has no sources")
        for path in files:
            for term, name in found(path.stem, path.read_text(), terms):
                report.check(False, f"{path.relative_to(ROOT)}: {name} has the "
                             f"private term {term}; say {terms[term] or 'another'}")
    report.finish()


if __name__ == "__main__":
    main()
