# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transcripts of README.md (blocks fenced as `console`) are what the tools
print: every line behind `$ ` is run, what it prints is compared.

  transcript.py BIN_DIR            compares
  transcript.py BIN_DIR --update   rewrites the blocks
"""

import difflib
import re
import sys

from girih import ROOT, Report, fences, run


def replay(lines, bin_dir):
    """The block again, with the output that the commands have now. A run of
    tile-exec behind a refusal is the one that the refusal asks for."""
    out, code, printed = [], 0, []
    for line in lines:
        if not line.startswith("$ "):
            continue
        if line.startswith("$ tile-exec ") and printed:
            line = "$ " + printed[0]
        out.append(line)
        # `echo $?` speaks of the command before it.
        code, text = run(f"(exit {code}); {line[2:]}", bin_dir)
        out += text.splitlines()
        printed = re.findall(r"^note: replay: (.*)$", text, re.M)
    return out


def main():
    report = Report()
    readme = ROOT / "README.md"
    bin_dir = sys.argv[1]
    whole = readme.read_text().splitlines()
    # From the end, so that earlier line numbers stay true.
    for language, first, lines in reversed(list(fences(readme))):
        if language != "console":
            continue
        now = replay(lines, bin_dir)
        if sys.argv[2:] == ["--update"]:
            whole[first - 1 : first - 1 + len(lines)] = now
        difference = difflib.unified_diff(
            lines, now, f"README.md:{first}", "now", lineterm=""
        )
        report.check(lines == now, "\n".join(difference))
    if sys.argv[2:] == ["--update"]:
        readme.write_text("\n".join(whole) + "\n")
        return
    report.finish()


if __name__ == "__main__":
    main()
