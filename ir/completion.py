# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""completion.py OUT TOOL...: writes completion for bash, from what each tool
prints for --help: options, the words that one takes, and jobs.
"""

import pathlib
import re
import subprocess
import sys

HEAD = """\
# Completion of Girih's tools for bash; source this file.
_girih() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}
  # Bash takes `=` for a word of its own.
  [[ $word == = ]] && { before=${COMP_WORDS[COMP_CWORD-1]}=; word=; }
  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD-2]}=
  local words=
  case "${COMP_WORDS[0]##*/} $before" in
"""

TAIL = """\
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
"""


def help_of(command):
    return subprocess.run(
        [*command, "--help"], check=True, capture_output=True, text=True
    ).stdout


def options(text):
    """Options of a help text, those with a value with `=` at their end, and the
    words that are values of one."""
    found, values, last = {}, {}, None
    for line in text.splitlines():
        option = re.match(r"  (?:-h, )?(--?[a-z][-a-z]*)(=?)", line)
        word = re.match(r"    =([a-z]+) ", line)
        if option:
            last = option[1]
            found[last] = last + option[2]
        elif word and last:
            values.setdefault(last, []).append(word[1])
    return sorted(found.values()), values


def jobs(text):
    part = text.partition("SUBCOMMANDS:\n\n")[2].partition("\n\n")[0]
    return re.findall(r"^  ([a-z]+) ", part, re.M)


def main():
    out, *tools = sys.argv[1:]
    rows = []
    for tool in tools:
        name = pathlib.Path(tool).name
        text = help_of([tool])
        names, values = options(text)
        for job in jobs(text):
            more, _ = options(help_of([tool, job]))
            names = sorted({*names, *more})
        names += jobs(text)
        for option, words in sorted(values.items()):
            rows.append(f'  "{name} {option}=") words="{" ".join(words)}" ;;')
        rows.append(f'  "{name} "*) words="{" ".join(names)}" ;;')
    line = "complete -o default -F _girih " + " ".join(
        pathlib.Path(tool).name for tool in tools
    )
    text = HEAD + "\n".join(rows) + "\n" + TAIL + line + "\n"
    pathlib.Path(out).write_text(text)


main()
