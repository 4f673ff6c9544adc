# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every fenced block of spec/*.md and of each README.md holds what it seems to
hold, and each link between files leads somewhere:

  mlir     a whole kernel file: tile-opt reads it
  sh       commands that succeed in the repository's root; those of .ci/run are
           not run again, they must stand there as they are written
  yaml     a workflow whose commands exist, with options that they have
  console  a transcript: transcript.py runs it (the front page only)
  cmake, cpp  a project: tests/consumer/installed.py builds and runs it (the
           page on installing only); a program that tests/unit/execution or
           tests/embed compiles
           and runs (the front page, and the page on graphs); a kernel that
           tests/embed/readme.py records and verifies (the page on those)
  python   a program: tests/python/package_test.py runs it (the page on Python
           only)
  text     anything else

  fences.py BIN_DIR
"""

import pathlib
import re
import sys
import tempfile

from girih import ROOT, Report, fences, run


def check_mlir(report, where, lines, bin_dir):
    with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        code, text = run(["tile-opt", file.name], bin_dir)
    report.check(code == 0, f"{where}: tile-opt refuses it:\n{text}")


def check_shell(report, where, lines, bin_dir):
    in_ci = (ROOT / ".ci/run").read_text().splitlines()
    rest = [line for line in lines if line not in in_ci]
    report.check(lines, f"{where}: the block is empty")
    if rest:
        code, text = run("set -e\n" + "\n".join(rest), bin_dir)
        report.check(code == 0, f"{where}: exit code {code}:\n{text}")


def check_command(report, where, command, bin_dir):
    """`girih/` is where a user has this repository."""
    words = command.split()
    program = words[0].removeprefix("girih/")
    if program.startswith("build/default/bin/"):
        tool = pathlib.Path(bin_dir).resolve() / pathlib.Path(program).name
        report.check(tool.exists(), f"{where}: there is no {words[0]}")
        options = [w.split("=")[0] for w in words[1:] if w.startswith("--")]
        _, known = run([str(tool), "--help"], bin_dir)
        for option in options:
            report.check(
                re.search(rf"{option}\b", known), f"{where}: no {option}"
            )
    else:
        report.check(
            (ROOT / program).exists(), f"{where}: there is no {words[0]}"
        )


def check_yaml(report, where, lines, bin_dir):
    commands = [
        match[1]
        for line in lines
        if (match := re.match(r"\s*- run: (girih/.*)$", line))
    ]
    report.check(commands, f"{where}: no command of this repository")
    for command in commands:
        check_command(report, where, command, bin_dir)


def documents():
    """What git has of documents; folders of builds and tools are none of ours."""
    return sorted({ROOT / "README.md", *(ROOT / "spec").glob("*.md"),
                   *ROOT.glob("*/README.md"), *ROOT.glob("*/*/README.md"),
                   *ROOT.glob("*/*/python/README.md")})


def check_links(report, path):
    for target in re.findall(r"\]\(([^)#: ]+)(?:#[^)]*)?\)", path.read_text()):
        report.check((path.parent / target).exists(),
                     f"{path.relative_to(ROOT)}: there is no {target}")


def main():
    report = Report()
    checks = {"mlir": check_mlir, "sh": check_shell, "yaml": check_yaml}
    for path in documents():
        check_links(report, path)
        for language, line, lines in fences(path):
            where = f"{path.relative_to(ROOT)}:{line}"
            if language in checks:
                checks[language](report, where, lines, sys.argv[1])
            else:
                known = {"text"}
                known |= ({"console", "cpp"} if path == ROOT / "README.md"
                          else set())
                known |= ({"cmake", "cpp"}
                          if path == ROOT / "cmake/README.md" else set())
                known |= ({"cpp"} if path == ROOT / "runtime/graph/README.md"
                          else set())
                known |= ({"cpp"} if path in (ROOT / "ir/embed/README.md",
                                              ROOT / "program/README.md",
                                              ROOT / "spec/tutorial.md") else set())
                known |= ({"python"} if path == ROOT / "runtime/python/README.md"
                          else set())
                report.check(language in known, f"{where}: language '{language}'")
    size = len((ROOT / "README.md").read_bytes())
    report.check(size <= 8192, f"README.md has {size} bytes: what is long stands "
                 "in the README.md of its folder")
    report.finish()


if __name__ == "__main__":
    main()
