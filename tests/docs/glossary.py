# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The glossary is in alphabetic order, defines no term twice and each in at most
two sentences, and names files that exist.

  glossary.py BIN_DIR
"""

import re

from girih import ROOT, Report

GLOSSARY = ROOT / "spec/glossary.md"
MAX_WORDS = 35  # a definition that is longer is no definition


def rows():
    for line in GLOSSARY.read_text().splitlines():
        if line.startswith("| ") and not line.startswith("| term |"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def check_row(report, term, meaning, where):
    sentences = re.findall(r"\.(?:\s|$)", meaning)
    report.check(1 <= len(sentences) <= 2 and meaning.endswith("."),
                 f"{term}: {len(sentences)} sentences")
    report.check(len(meaning.split()) <= MAX_WORDS, f"{term}: too long")
    link = re.fullmatch(r"\[(\S+)\]\((\S+)\)", where)
    if report.check(link, f"{term}: no file: {where}"):
        target = (GLOSSARY.parent / link[2]).resolve()
        report.check(target == ROOT / link[1] and target.exists(),
                     f"{term}: {where} leads nowhere")


def main():
    report = Report()
    found = list(rows())
    report.check(len(found) >= 30, f"{len(found)} terms")
    terms = [row[0].casefold() for row in found]
    report.check(terms == sorted(terms), "the terms are not sorted")
    twice = {t for t in terms if terms.count(t) > 1}
    report.check(not twice, f"defined twice: {twice}")
    for row in found:
        if report.check(len(row) == 4, f"{row[0]}: {len(row)} cells"):
            check_row(report, row[0], row[1], row[3])
    linked = (ROOT / "spec/README.md").read_text()
    report.check("(glossary.md)" in linked, "spec/README.md has no link to it")
    report.finish()


if __name__ == "__main__":
    main()
