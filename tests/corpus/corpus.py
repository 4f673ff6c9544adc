# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the corpus, what the first lines of each say, and what
tile-verify said of it in this test run."""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VERDICTS = ("VERIFIED", "REFUTED", "UNKNOWN", "UNSATISFIABLE")
FIELDS = ("expect", "stated", "twin", "source")
HEADER = re.compile(r"// (\w+): (.+)")


class Wrong(Exception):
    """A kernel without a header in the form of README.md."""


def rules():
    """The names in spec/Rules.def."""
    text = (ROOT / "spec/Rules.def").read_text()
    return re.findall(r'^RULE\(\w+,\s*"([^"]+)"', text, re.MULTILINE)


def expectation(words):
    """Verdict and rules of `VERDICT [rule.name ...]`."""
    verdict, *names = words.split(" ")
    if verdict not in VERDICTS:
        raise Wrong(f"no verdict is called `{verdict}`")
    unknown = [n for n in names if n not in rules()]
    if unknown:
        raise Wrong(f"no rule is called `{unknown[0]}`")
    if bool(names) != (verdict != "VERIFIED"):
        raise Wrong(f"`{words}`: rules stand behind every verdict but VERIFIED")
    return verdict, names


def header(text):
    """The fields in the first lines of a kernel, by name."""
    fields = {}
    for line in text.split("\n"):
        match = HEADER.fullmatch(line)
        if not match or match[1] not in FIELDS:
            break
        fields[match[1]] = match[2]
    if list(fields)[:1] != ["expect"]:
        raise Wrong("the first line is no `// expect: VERDICT [rule.name ...]`")
    if list(fields) != [f for f in FIELDS if f in fields]:
        raise Wrong(f"fields in another order than {', '.join(FIELDS)}")
    return fields


@dataclasses.dataclass
class Kernel:
    """A kernel of the corpus by its path; what its header says."""

    path: pathlib.Path

    def __post_init__(self):
        self.text = self.path.read_text()
        self.name = str(self.path.relative_to(ROOT))
        try:
            fields = header(self.text)
            self.expect, self.rules = expectation(fields["expect"])
            self.stated = fields.get("stated")
            if self.stated:
                expectation(self.stated)
        except Wrong as e:
            raise Wrong(f"{self.name}: {e}") from None
        self.twin, self.source = fields.get("twin"), fields.get("source")


def paths(where):
    """Paths of the kernels of an origin or a topic, sorted."""
    return sorted((HERE / where).rglob("*.mlir"))


def kernels(where, *expected):
    """The kernels of an origin or a topic; those of the expected verdicts only,
    if any are given."""
    found = [Kernel(path) for path in paths(where)]
    return [k for k in found if not expected or k.expect in expected]


def topics():
    """Each `origin/topic`."""
    return sorted(str(path.relative_to(HERE)) for path in HERE.glob("*/*")
                  if path.is_dir())


def suites():
    """The table of each topic that has one: a suite that others wrote."""
    return {str(path.relative_to(HERE).with_suffix("")):
            json.loads(path.read_text()) for path in sorted(HERE.glob("*/*.json"))}


def digest(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def tools(bin_dir):
    """What the verdicts depend on besides the kernels, by digest."""
    bin_dir = pathlib.Path(bin_dir)
    parts = [bin_dir / "tile-verify", bin_dir / "tile-exec",
             *sorted((bin_dir.parent / "lib").glob("libgirih_search.so")),
             HERE / "verify.py"]
    return {path.name: digest(path) for path in parts}


def record_path(bin_dir, origin):
    """Where the verdicts of an origin stand."""
    return pathlib.Path(bin_dir).resolve().parent / "verdicts" / f"{origin}.json"


def verdicts(bin_dir, origin):
    """What verify.py wrote of the kernels of an origin, by path. Ends where that
    is of other tools or kernels."""
    path = record_path(bin_dir, origin)
    how = f"corpus.verify.{origin} writes it"
    if not path.exists():
        sys.exit(f"{path} does not exist: {how}")
    record = json.loads(path.read_text())
    if record["tools"] != tools(bin_dir):
        sys.exit(f"{path} is of other tools: {how}")
    now = {os.path.relpath(p, ROOT): digest(p) for p in paths(origin)}
    if now != {name: k["digest"] for name, k in record["kernels"].items()}:
        sys.exit(f"{path} is of other kernels: {how}")
    return record["kernels"]
