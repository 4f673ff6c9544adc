#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is told of kernels in C++ stands at the lines of C++, in every format.

  places.py BIN_DIR SOURCE PROGRAM [PROGRAM OF ANOTHER COMPILER]

PROGRAM FOLDER writes kernels that are not VERIFIED; comments of SOURCE mark where.
Then files are not as the text says: stale, short, missing, pipes, devices."""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "spec/schemas/verdict.schema.json").read_text())
FORMATS = ["text", "jsonl", "sarif", "github"]


class Checks:
    def __init__(self):
        self.failures = []

    def check(self, good, what):
        if not good:
            self.failures.append(what)
        return good


def run(*command, cwd=None):
    done = subprocess.run([str(c) for c in command], capture_output=True, cwd=cwd, timeout=120)
    return (done.returncode, done.stdout.decode("utf8", "replace"),
            done.stderr.decode("utf8", "replace"))


def marks(source):
    """By kernel: rule, line and underlined word of the first place, then the second."""
    lines = source.read_text().split("\n")
    at, other = {}, {}
    for number, line in enumerate(lines, 2):  # of the line behind it
        mark = re.match(r"\s*// (AT|OTHER) (\w+):(?: ([a-z]+(?:\.[a-z]+)?))?"
                        r"(?: (\w+|[-+*/%&|^<>=!]+))?$", line)
        if mark:
            kind, kernel, rule, word = mark.groups()
            if kind == "OTHER":
                rule, word = None, rule
            (at if kind == "AT" else other)[kernel] = (rule, number, lines[number - 1], word)
    return at, other


def shown(text, column, word):
    """The line as it is printed, and its underline."""
    code = text.split("//")[0].rstrip()
    blank = len(code) - len(code.lstrip())
    if word is None:
        return text, " " * blank + "^" + "~" * (len(code) - blank - 1)
    return text, " " * (column - 1) + "^" + "~" * (len(word) - 1)


def column_of(text, word):
    if word is None:
        return 0
    return re.search(rf"\b{word}\b[(<]" if word.isidentifier() else re.escape(word),
                     text).start() + 1


def check_text(c, name, source, mark, said):
    rule, line, text, word = mark
    column = column_of(text, word)
    head = f"{source}:{line}" + (f":{column}" if word else "")
    lines = said.split("\n")
    c.check(lines[0].startswith(head + ": ") and
            (rule == "malformed" or lines[0].endswith(f"[{rule}]")),
            f"{name}: not at {head}, {rule}: {lines[0]}")
    c.check(tuple(lines[1:3]) == shown(text, column, word), f"{name}: shows {lines[1:3]}")
    c.check(re.match(rf".*{name}\.mlir:\d+:\d+: note: in the text of the kernel$", lines[3]),
            f"{name}: no place in the text: {lines[3]}")


def check_kernel(c, bin_dir, kernel, source, mark, other):
    """All formats of one kernel."""
    rule, line, text, word = mark
    name, column = kernel.stem, column_of(text, word)
    code, out, err = run(bin_dir / "tile-verify", kernel)
    check_text(c, name, source, mark, out + err)
    if rule == "malformed":
        c.check(code == 3, f"{name}: exit code {code}")
        return
    if other:
        c.check(f"{source}:{other[1]}:{column_of(other[2], other[3])}: note: the other claim\n"
                + other[2] in out, f"{name}: the other place is not in {out}")
    verdict = json.loads(run(bin_dir / "tile-verify", "--format=jsonl", kernel)[1])
    for error in jsonschema.Draft202012Validator(SCHEMA).iter_errors(verdict):
        c.check(False, f"{name}: {error.message}")
    first = verdict["diagnostics"][0]
    c.check(first["rule"] == rule and first["origin"] ==
            {"file": str(source), "line": line, "column": column, "text": text},
            f"{name}: jsonl: {first['rule']} {first.get('origin')}")
    c.check(("otherOrigin" in first) == (other is not None), f"{name}: jsonl: other place")
    sarif = json.loads(run(bin_dir / "tile-verify", "--format=sarif", kernel)[1])
    result = sarif["runs"][0]["results"][0]
    place = result["locations"][0]["physicalLocation"]
    c.check(place["artifactLocation"]["uri"] == str(source)
            and place["region"]["startLine"] == line
            and place["region"].get("startColumn", 0) == column, f"{name}: sarif: {place}")
    related = [(r["physicalLocation"]["artifactLocation"]["uri"],
                r["physicalLocation"]["region"]["startLine"]) for r in result["relatedLocations"]]
    want = [(str(kernel), first["at"]["line"])]
    if other:
        want = [(str(source), other[1]), *want, (str(kernel), first["other"]["line"])]
    c.check(related == want, f"{name}: sarif: related {related}")
    github = run(bin_dir / "tile-verify", "--format=github", kernel)[1]
    c.check(re.match(rf"::\w+ file={re.escape(str(source))},line={line}"
                     + (rf",col={column}" if word else "") + ",title", github),
            f"{name}: github: {github[:200]}")
    c.check(f"in the text of the kernel: {kernel}:" in github, f"{name}: github: no text")
    page = kernel.with_suffix(".html")
    run(bin_dir / "tile-verify", f"--report={page}", kernel)
    head = f"{source}:{line}" + (f":{column}" if word else "")
    c.check(f"<code>{head}</code>" in page.read_text(), f"{name}: html")
    if word:
        c.check(f'<mark class="at">{word}</mark>' in page.read_text(), f"{name}: html: {word}")
    if verdict["counterexamples"]:
        _, _, said = run(*[bin_dir / "tile-exec",
                           *verdict["counterexamples"][0]["replay"].split()[1:]])
        c.check(said.startswith(head + ": error: "), f"{name}: executor: {said}")
    # The text without places says the same of itself.
    plain = kernel.parents[1] / kernel.name
    other_verdict = json.loads(run(bin_dir / "tile-verify", "--format=jsonl", plain)[1])
    for key in ("verdict", "obligations", "rules", "trust", "witnesses"):
        c.check(verdict[key] == other_verdict[key], f"{name}: {key} depends on places")
    for a, b in zip(verdict["diagnostics"], other_verdict["diagnostics"]):
        c.check("origin" not in b and all(a[k] == b[k] for k in ("message", "rule")),
                f"{name}: {a} and {b}")


def check_files(c, bin_dir, kernel, source, folder):
    """Files that are not what the text says."""
    text = kernel.read_text()
    secret = "a secret of the reader"

    def tell(name, make=None, newer=False):
        """What is said where the text names `name`; in all formats."""
        file = folder / name
        if make:
            make(file)
        copy = folder / "named.mlir"
        quoted = "".join(ch if ch.isascii() and ch not in '"\\' else
                         "".join(f"\\{b:02X}" for b in ch.encode()) for ch in str(file))
        copy.write_text(text.replace(str(source), quoted))
        if file.is_file():
            at = copy.stat().st_mtime_ns + (10**9 if newer else -10**9)
            os.utime(file, ns=(at, at))
        said = {f: "".join(run(bin_dir / "tile-verify", f"--format={f}", copy)[1:])
                for f in FORMATS}
        page = folder / "page.html"
        run(bin_dir / "tile-verify", f"--report={page}", copy)
        said["html"] = page.read_text()
        c.check("error: " in said["text"] and "in the text of the kernel" in said["text"],
                f"{name}: {said['text']}")
        for form, words in said.items():
            c.check(secret not in words, f"{name}: {form} shows what it should not")
        return said

    whole = source.read_text()
    for name in ("fresh.cpp", "ä \"b\" %s%n.cpp", "a.h", "x.cu"):
        said = tell(name, lambda f: f.write_text(whole))
        c.check("^~~~" in said["text"].split("\n")[2], f"{name}: {said['text']}")
    said = tell("stale.cpp", lambda f: f.write_text(whole.replace("load", secret)), newer=True)
    c.check("stale.cpp is newer than" in said["text"], f"stale: {said['text']}")
    said = tell("short.cpp", lambda f: f.write_text("// " + secret + "\n"))
    c.check("short.cpp has no line" in said["text"], f"short: {said['text']}")
    said = tell("narrow.cpp", lambda f: f.write_text("\n" * whole.count("\n")))
    c.check("columns: it is not the file" in said["text"], f"narrow: {said['text']}")
    for name, make in [
            ("missing.cpp", None),
            ("pipe.cpp", os.mkfifo),
            ("folder.cpp", lambda f: f.mkdir()),
            ("zero.cpp", lambda f: f.symlink_to("/dev/zero")),
            ("secret.txt", lambda f: f.write_text((secret + "\n") * 1000)),
            ("id_rsa", lambda f: f.write_text((secret + "\n") * 1000)),
            ("large.cpp", lambda f: (f.write_text((secret + "\n") * 1000),
                                     os.truncate(f, 1 << 40))),
            ("long.cpp", lambda f: f.write_text((secret * 1000 + "\n") * 1000))]:
        said = tell(name, make)
        c.check(said["text"].split("\n")[1].endswith("note: in the text of the kernel"),
                f"{name}: {said['text'][:400]}")
    said = tell("steering.cpp", lambda f: f.write_text("load<\x1b[2J\xff (\n" * 1000, "latin-1"))
    c.check("\x1b" not in "".join(said.values()), "a line steers the terminal")


def main(bin_dir, source, *programs):
    bin_dir, source = pathlib.Path(bin_dir), pathlib.Path(source)
    c = Checks()
    at, other = marks(source)
    with tempfile.TemporaryDirectory() as top:
        folders = [pathlib.Path(top, str(n)) for n in range(len(programs))]
        for program, folder in zip(programs, folders):
            (folder / "placed").mkdir(parents=True)
            code, _, err = run(program, folder)
            c.check(code == 0, f"{program}: {err}")
        kernels = sorted((folders[0] / "placed").glob("*.mlir"))
        c.check({k.stem for k in kernels} == set(at) and len(at) >= 15,
                f"marked: {sorted(at)}")
        for kernel in kernels:
            for folder in folders[1:]:
                c.check(kernel.read_bytes() == (folder / "placed" / kernel.name).read_bytes(),
                        f"{kernel.name}: compilers differ")
            check_kernel(c, bin_dir, kernel, source, at[kernel.stem], other.get(kernel.stem))
        check_files(c, bin_dir, folders[0] / "placed/row_beyond.mlir", source,
                    pathlib.Path(top))
    for failure in c.failures:
        print(failure)
    print(f"{len(at)} kernels, {len(programs)} compilers, {len(c.failures)} failures")
    return c.failures != []


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
