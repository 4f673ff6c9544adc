# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""completion.py bash|zsh OUT TOOL...: writes completion for a shell, from what
each tool prints for --help: options, the values that one takes, subcommands.
"""

import pathlib
import sys

import helptext

BASH_HEAD = """\
# Completion of Girih's tools for bash; source this file.
_girih() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  # Bash takes `=` for a word of its own.
  [[ $word == = ]] && { before=${COMP_WORDS[COMP_CWORD-1]}=; word=; }
  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}=
  local words=
  case "${COMP_WORDS[0]##*/} $before" in
"""

BASH_TAIL = """\
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
"""


def every_option(page):
    """The options of a tool and of its subcommands, each once."""
    parts = [page, *(s.help for s in page.subcommands)]
    found = {name: o for p in parts for o in p.options for name in o.names}
    return sorted(found.items())


def bash(pages):
    rows = []
    for page in pages:
        names = []
        for name, option in every_option(page):
            names.append(name + "=" * option.value.startswith("="))
            if option.words:
                words = " ".join(word for word, _ in option.words)
                rows.append(f'  "{page.tool} {name}=") words="{words}" ;;')
        names = sorted(names) + [s.name for s in page.subcommands]
        rows.append(f'  "{page.tool} "*) words="{" ".join(names)}" ;;')
    tools = " ".join(page.tool for page in pages)
    line = f"complete -o default -F _girih {tools}"
    return BASH_HEAD + "\n".join(rows) + "\n" + BASH_TAIL + line


def quoted(text):
    """Text within brackets of _arguments, within single quotes."""
    for mark in "\\[]:":
        text = text.replace(mark, "\\" + mark)
    return text.replace("'", "'\\''")


def zsh_option(name, option):
    # What joins name and value, and what completes the value.
    sign, what = {
        "": ("", ""),
        " ": ("", ":value:_files"),
        "=": ("=", ":value:_files"),
        "[": ("=-", "::value:"),
    }[option.value[:1]]
    if option.words:
        what = f":value:({' '.join(word for word, _ in option.words)})"
    # With a star, an option may be given again: `--set M=1 --set N=2`.
    return f"'*{name}{sign}[{quoted(option.text)}]{what}'"


def zsh(pages):
    lines = ["#compdef " + " ".join(page.tool for page in pages)]
    lines += ["# Completion of Girih's tools for zsh.", "case $service in"]
    for page in pages:
        lines.append(f"{page.tool}) _arguments -S \\")
        options = [zsh_option(*named) for named in every_option(page)]
        if page.subcommands:
            names = " ".join(s.name for s in page.subcommands)
            options.append(f"'1:subcommand:({names})'")
        lines += [f"  {option} \\" for option in options]
        lines.append("  '*:file:_files' ;;")
    return "\n".join(lines + ["esac"])


def main():
    shell, out, *tools = sys.argv[1:]
    pages = [helptext.read(tool) for tool in tools]
    text = {"bash": bash, "zsh": zsh}[shell](pages)
    pathlib.Path(out).write_text(text + "\n")


main()
