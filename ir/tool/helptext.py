# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a tool prints for --help, as data: man pages and completion are written
from it. The tools print two forms, that of LLVM's command line library and a
plain one for tools that parse their options themselves.
"""

import dataclasses
import pathlib
import re
import subprocess


@dataclasses.dataclass
class Option:
    names: list  # ["-h", "--help"]
    value: str  # what follows the name: "=<value>", "[=<rule>]", " NAME" or ""
    text: str
    words: list = dataclasses.field(default_factory=list)  # (value, its text)


@dataclasses.dataclass
class Subcommand:
    name: str
    text: str
    help: "Help"


@dataclasses.dataclass
class Help:
    tool: str
    version: str  # "Girih 0.1"
    usages: list
    overview: str
    exits: list  # (code, meaning)
    options: list
    examples: list
    subcommands: list


OPTION = re.compile(
    r"  ((?:-h, )?--?[a-z][-a-z]*)"  # its names
    r"(\S*(?: \S+)*?)"  # its value
    r"(?: +- | {2,}|$)(.*)"
)
WORD = re.compile(r"    =([a-z]+) +- +(.*)")
EXAMPLES = "\nExamples, from the root of the source tree:\n\n"
SUBCOMMANDS = "SUBCOMMANDS:\n\n"


def options(text):
    found = []
    for line in text.splitlines():
        option, word = OPTION.match(line), WORD.match(line)
        if option:
            names, value, meaning = option.groups()
            found.append(Option(names.split(", "), value, meaning))
        elif word and found:
            found[-1].words.append(word.groups())
        elif found and line.startswith(" " * 8):
            found[-1].text = f"{found[-1].text} {line.strip()}".strip()
    return found


def paragraph(text, start):
    """The paragraph that begins with `start`, on one line, without it."""
    found = re.search(rf"^{start}(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    return " ".join(found[1].split()) if found else ""


def usages(text):
    lines = re.search(r"^usage: (.*(?:\n {7}.*)*)", text, re.M | re.I)[1]
    return [line.strip() for line in lines.splitlines()]


def overview(text):
    if text.startswith("OVERVIEW"):
        return paragraph(text, "OVERVIEW: ")
    # The plain form says how it is used before it says what it does.
    return " ".join(text.split("\n\n")[1].split())


def exits(text):
    codes = paragraph(text, "Exit codes: ").rstrip(".")
    return [tuple(part.split(" ", 1)) for part in re.split(r", (?=\d)", codes)]


def run(*command):
    return subprocess.run(
        command, check=True, capture_output=True, text=True
    ).stdout


def read(tool, *subcommand):
    """The help of a tool, or of one of its subcommands."""
    text = run(tool, *subcommand, "--help")
    before, _, examples = text.partition(EXAMPLES)
    listed = before.partition(SUBCOMMANDS)[2].partition("\n\n")[0]
    subcommands = re.findall(r"^  ([a-z]+) +- (.*)", listed, re.M)
    return Help(
        tool=pathlib.Path(tool).name,
        version=" ".join(
            re.search(r"\((\w+)\) (\S+)", run(tool, "--version")).groups()
        ),
        usages=usages(before),
        overview=overview(before),
        exits=exits(before),
        options=options(before),
        examples=[line.strip() for line in examples.strip().splitlines()],
        subcommands=[
            Subcommand(name, meaning, read(tool, name))
            for name, meaning in subcommands
        ],
    )
