# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""manpages.py FOLDER TOOL...: writes FOLDER/TOOL.1 for each tool, from what it
prints for --help.
"""

import pathlib
import re
import sys

import helptext


def roff(text):
    """Text as troff takes it: an option is copied with the hyphens that it is
    typed with."""
    text = text.replace("\\", r"\e")
    text = re.sub(r"(?<![\w-])--?(?=[a-z])", lambda m: r"\-" * len(m[0]), text)
    return re.sub(r"^(?=[.'])", r"\\&", text)


def typed(text):
    """What is typed, letter by letter: no hyphen of it is one of prose."""
    return roff(text.replace("-", "\0")).replace("\0", r"\-")


def sentence(text):
    """What follows an option, as a sentence."""
    return text[:1].upper() + text[1:] + ("" if text.endswith(".") else ".")


def synopsis(usages):
    lines = []
    for usage in usages:
        tool, _, rest = usage.partition(" ")
        lines += [rf"\fB{typed(tool)}\fR {typed(rest)}", ".br"]
    return lines[:-1]


def option(o):
    names = ", ".join(rf"\fB{typed(n)}\fR" for n in o.names)
    # A value is written as it stands in the help: `=<value>`, or an example.
    lines = [".TP", names + typed(o.value), roff(sentence(o.text))]
    if o.words:
        lines.append(".RS")
        for word, text in o.words:
            lines += [".TP", rf"\fB{typed(word)}\fR", roff(sentence(text))]
        lines.append(".RE")
    return lines


def subcommands(page):
    if not page.subcommands:
        return []
    lines = [".SH SUBCOMMANDS"]
    for s in page.subcommands:
        lines += [f".SS {s.name}", roff(sentence(s.text)), ".PP"]
        lines += synopsis(s.help.usages)
        for o in s.help.options:
            if not o.names[-1].startswith("--help"):
                lines += option(o)
    return lines


def examples(page):
    lines = [
        ".SH EXAMPLES",
        "From the root of the source tree:",
        ".PP",
        ".RS",
        ".nf",
    ]
    return lines + [typed(e) for e in page.examples] + [".fi", ".RE"]


def see_also(page, tools):
    others = [t for t in sorted(tools) if t != page.tool]
    return [".SH SEE ALSO", ",\n".join(rf"\fB{typed(t)}\fR(1)" for t in others)]


def manual(page, tools):
    name = page.overview[:1].lower() + page.overview[1:].rstrip(".")
    lines = [
        f'.TH {typed(page.tool.upper())} 1 "" "{page.version}" "Girih"',
        ".SH NAME",
        rf"{typed(page.tool)} \- {roff(name)}",
        ".SH SYNOPSIS",
        *synopsis(page.usages),
        ".SH DESCRIPTION",
        roff(page.overview),
        ".SH OPTIONS",
    ]
    for o in page.options:
        lines += option(o)
    lines += subcommands(page)
    lines.append(".SH EXIT STATUS")
    for code, meaning in page.exits:
        lines += [".TP", rf"\fB{code}\fR", roff(sentence(meaning))]
    return lines + examples(page) + see_also(page, tools)


def main():
    folder, *paths = sys.argv[1:]
    pages = [helptext.read(path) for path in paths]
    tools = [page.tool for page in pages]
    for page in pages:
        out = pathlib.Path(folder) / f"{page.tool}.1"
        out.write_text("\n".join(manual(page, tools)) + "\n")


main()
