# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""manpages.py FOLDER TOOL...: each page has the sections of a manual, in order,
and every option, exit code and example of the tool's help stands in it.
"""

import pathlib
import re
import subprocess
import sys

SECTIONS = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS"]
SECTIONS += ["EXAMPLES", "SEE ALSO"]


def check(page, tool):
    text = page.read_text()
    found = re.findall(r"^\.SH (.*)", text, re.M)
    assert [s for s in found if s != "SUBCOMMANDS"] == SECTIONS, found
    help_text = subprocess.run(
        [tool, "--help"], check=True, capture_output=True, text=True
    ).stdout
    plain = text.replace(r"\-", "-")
    options = re.findall(r"^  (?:-h, )?(--?[a-z][-a-z]*)", help_text, re.M)
    assert len(options) >= 3, help_text
    for option in options:
        assert f"\\fB{option}\\fR" in plain, option
    before, _, examples = help_text.partition("source tree:\n\n")
    assert examples, help_text
    for example in examples.strip().splitlines():
        assert f"\n{example.strip()}\n" in plain, example
    codes = re.search(r"^Exit codes: ((?:.+\n)+)", before, re.M)[1]
    for code in re.findall(r"(?:^|[,\s])(\d+) ", codes):
        assert f"\n.TP\n\\fB{code}\\fR\n" in plain, code


def main():
    folder, *tools = sys.argv[1:]
    for tool in tools:
        check(pathlib.Path(folder) / f"{tool}.1", tool)


main()
