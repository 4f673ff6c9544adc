# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Verifies the kernels of an origin without certificates, each once a test run,
and runs the command of each counterexample. The tests of these kernels read what
this writes to `verdicts` beside BIN_DIR; kernels of which the same tools have
spoken before are left out.

  verify.py BIN_DIR ORIGIN

Of the topics in SUGGEST conditions are looked for under which a kernel is safe.
"""

import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys

import corpus

# The schema of verdicts is tested on these.
SUGGEST = ("tests/corpus/girih/rules/", "tests/corpus/girih/bugs/")


def run(bin_dir, command):
    tool, *arguments = command
    return subprocess.run([pathlib.Path(bin_dir).resolve() / tool, *arguments],
                          cwd=corpus.ROOT, capture_output=True, text=True,
                          check=False)


def replayed(bin_dir, counterexample):
    """Exit code and text of the command that shows a counterexample."""
    done = run(bin_dir, shlex.split(counterexample["replay"]))
    return {"code": done.returncode, "text": done.stdout + done.stderr}


def verify(bin_dir, names, suggest):
    """The lines of each kernel with their replays, and what was said besides."""
    said = {name: {"digest": corpus.digest(corpus.ROOT / name), "verdicts": [],
                   "replays": []} for name in names}
    done = run(bin_dir, ["tile-verify", "--fresh", "--format=jsonl",
                         f"--suggest={suggest}", *names])
    for line in done.stdout.splitlines():
        verdict = json.loads(line)
        said[verdict["file"]]["verdicts"].append(verdict)
        said[verdict["file"]]["replays"] += [
            replayed(bin_dir, c) for c in verdict["counterexamples"]]
    for kernel in said.values():
        kernel["code"], kernel["errors"] = done.returncode, done.stderr
    return said


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bin_dir")
    parser.add_argument("origin")
    args = parser.parse_args()
    path = corpus.record_path(args.bin_dir, args.origin)
    record = {"tools": corpus.tools(args.bin_dir), "kernels": {}}
    old = json.loads(path.read_text()) if path.exists() else {}
    if old.get("tools") == record["tools"]:
        record["kernels"] = old["kernels"]
    names = [os.path.relpath(p, corpus.ROOT) for p in corpus.paths(args.origin)]
    fresh = [n for n in names if record["kernels"].get(n, {}).get("digest")
             != corpus.digest(corpus.ROOT / n)]
    # An exit code is of kernels of which the same is expected.
    groups = {}
    for name in fresh:
        words = (corpus.ROOT / name).read_text().split("\n")[0].split(" ")
        suggest = "true" if name.startswith(SUGGEST) else "false"
        groups.setdefault((suggest, *words[2:3]), []).append(name)
    for (suggest, *_), group in groups.items():
        record["kernels"] |= verify(args.bin_dir, group, suggest)
    record["kernels"] = {name: record["kernels"][name] for name in names}
    path.parent.mkdir(parents=True, exist_ok=True)
    written = path.with_suffix(".new")
    written.write_text(json.dumps(record, indent=1))
    written.rename(path)
    print(f"{args.origin}: {len(fresh)} of {len(names)} kernels verified")


if __name__ == "__main__":
    sys.exit(main())
