# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of documents share: where things are, how tools are run."""

import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def environment(bin_dir):
    """The environment in which a reader types commands."""
    path = f"{pathlib.Path(bin_dir).resolve()}:{os.environ['PATH']}"
    return {**os.environ, "PATH": path}


def run(command, bin_dir, timeout=300):
    """Runs a command (a list, or text for the shell) in the repository's root.
    Returns its exit code and everything that it printed."""
    done = subprocess.run(
        command if isinstance(command, list) else ["bash", "-c", command],
        cwd=ROOT,
        env=environment(bin_dir),
        timeout=timeout,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    )
    return done.returncode, done.stdout


def rules():
    """The names in spec/Rules.def, in order, with their texts."""
    text = (ROOT / "spec/Rules.def").read_text()
    return dict(re.findall(r'^RULE\(\w+,\s*"([^"]+)",\s*"([^"]+)"\)', text, re.M))


def rule_identifiers():
    """Of each identifier in spec/Rules.def, in order, the name of its rule."""
    text = (ROOT / "spec/Rules.def").read_text()
    return dict(re.findall(r'^RULE\((\w+),\s*"([^"]+)",', text, re.M))


def fences(path):
    """The fenced blocks of a Markdown file: (language, first line, lines)."""
    block = None
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if block is None and line.startswith("```"):
            block = (line[3:].strip(), number + 1, [])
        elif block is not None and line.startswith("```"):
            yield block
            block = None
        elif block is not None:
            block[2].append(line)
    if block is not None:
        raise SystemExit(f"{path}:{block[1]}: this block has no end")


class Report:
    """Collects failures; `finish` prints them and ends the process."""

    def __init__(self):
        self.failures = 0
        self.checks = 0

    def check(self, condition, message):
        self.checks += 1
        if not condition:
            self.failures += 1
            print(f"FAIL: {message}")
        return condition

    def finish(self):
        if self.checks == 0:
            print("FAIL: nothing was checked")
        print(f"{self.checks} checks, {self.failures} failed")
        sys.exit(1 if self.failures or self.checks == 0 else 0)
