# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Includes point one way: between the folders of the tree as KNOWS says, and
between the rooms of a folder as ROOMS says. A room holds files that a reader can
take in at a glance, and never one alone.

  arrows.py BIN_DIR
"""

import collections
import pathlib
import re
import shutil
import tempfile

from girih import ROOT, Report

# By folder, the others that it may include; `fuzz`, `tests` and `bench` may all.
KNOWS = {
    "proofs": [],
    "runtime": [],
    "ir": [],
    "spec": ["ir", "runtime"],
    "checker": ["ir", "proofs", "runtime", "spec"],
    "lower": ["checker", "ir", "proofs", "runtime", "spec"],
    "program": [],  # public headers alone: "girih/kernel.h" and the like
}
# By folder, its rooms: each may include those before it. "." are the files of
# the folder itself; a file may stand for itself.
ROOMS = {
    "checker": ["generate", "search", "decide", "report", ".", "girih"],
    "checker/search": ["linear", "."],
    "fuzz": ["generators", "sanitiser", "campaign", "scaling", "."],
    "ir": ["tool", "types", "ops", "text", "embed", "girih", "."],
    "runtime": ["girih.h", "artefact", "arguments", "driver", "host", "jit",
                "execution", "collective", "graph",
                "girih/runtime.h", "c", "run", "."],
    "spec": ["Rules.def", "Trust.def", "Rule.h", "executor", "coq", "."],
    "spec/executor": ["numerics", "memory", "Executor.h", "launch", "machine", "tool",
                      "girih", "."],
}
# Who may not be included, by folder, although KNOWS names its folder; with the
# files that may. A file below a hidden folder that SHOWN names is not hidden.
HIDDEN = {
    "spec": {"runtime": []},
    "checker": {"runtime": []},
    "lower": {
        "checker/generate": [],
        "runtime": [],
        # Tool and library open the search that the checker asks for.
        "checker/search": ["lower/TileCompile.cpp", "lower/girih/Compiler.cpp"],
    },
}
# What a hidden folder shows, by who sees it: the format of arrays, the digest,
# the signature.
SHOWN = {
    "spec": ["runtime/arguments/Npy.h"],
    "checker": ["runtime/artefact/Sha256.h"],
    "lower": ["runtime/artefact/Cache.h", "runtime/artefact/Ed25519.h"],
}
ENDINGS = {".cpp", ".h"}
MAX_FILES = 33  # sources on one floor

INCLUDE = re.compile(r'^#include "((?:' + "|".join([*KNOWS, "fuzz", "tests", "bench"])
                     + r')/[^"]+)"', re.M)


def room(folder, path):
    """The room of `folder` in which a path is; None outside of the folder."""
    if not path.startswith(folder + "/"):
        return None
    rest = path[len(folder) + 1:]
    if rest in ROOMS[folder]:
        return rest
    return rest.split("/")[0] if "/" in rest else "."


def wrong(source, target):
    """Why `source` may not include `target`, or None."""
    top, other = source.split("/")[0], target.split("/")[0]
    if top in KNOWS and other != top and other not in KNOWS[top]:
        return f"{top} does not know {other}"
    for hidden, exceptions in HIDDEN.get(top, {}).items():
        if (target.startswith(hidden + "/") and source not in exceptions
                and target not in SHOWN.get(top, [])):
            return f"{hidden} is hidden from {top}"
    for folder, order in ROOMS.items():
        a, b = room(folder, source), room(folder, target)
        if a is None or b is None:
            continue
        for name in (a, b):
            if name not in order:
                return f"{folder}/{name} is not in ROOMS"
        if order.index(b) > order.index(a):
            return f"in {folder}, {b} comes after {a}"
    return None


def findings(root):
    """All that is wrong in a tree, and how many includes were looked at."""
    found, includes = [], 0
    sizes = collections.Counter()
    for top in [*KNOWS, "fuzz", "bench"]:
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in ENDINGS:
                continue
            name = str(file.relative_to(root))
            sizes[str(file.parent.relative_to(root))] += 1
            for target in INCLUDE.findall(file.read_text()):
                includes += 1
                why = wrong(name, target)
                if why:
                    found.append(f"{name} includes {target}: {why}")
    for folder, count in sorted(sizes.items()):
        if count > MAX_FILES:
            found.append(f"{folder} has {count} files, more than {MAX_FILES}")
        parent, _, last = folder.rpartition("/")
        if count == 1 and last in ROOMS.get(parent, []):
            found.append(f"{folder} has one file")
    for folder, order in ROOMS.items():
        for name in order:
            if not (root / folder / name).exists():
                found.append(f"{folder}/{name} is in ROOMS but not in the tree")
    return found, includes


def check_itself(report):
    """Wrong arrows and right ones, planted in a copy of a few files."""
    planted = {
        "checker/generate/Facts.h": ("checker/decide/Verify.h",
                                     "in checker, decide comes after generate"),
        "checker/decide/Verify.cpp": ("checker/report/Trust.h",
                                      "in checker, report comes after decide"),
        "checker/report/Sarif.cpp": ("checker/CheckFile.h",
                                     "in checker, . comes after report"),
        "checker/search/linear/Simplex.h": (
            "checker/search/State.h", "in checker/search, . comes after linear"),
        "checker/CheckFile.cpp": ("lower/Artefact.h", "checker does not know lower"),
        "lower/Artefact.cpp": ("checker/generate/Facts.h",
                               "checker/generate is hidden from lower"),
        "spec/executor/tool/Report.cpp": ("runtime/artefact/Element.h",
                                          "runtime is hidden from spec"),
        "checker/decide/Seal.cpp": ("runtime/arguments/Npy.h",
                                    "runtime is hidden from checker"),
        "runtime/artefact/Sha256.cpp": ("ir/ops/Tile.h", "runtime does not know ir"),
        "checker/Elsewhere.cpp": ("checker/attic/Box.h",
                                  "checker/attic is not in ROOMS"),
    }
    for source, (target, why) in planted.items():
        report.check(wrong(source, target) == why,
                     f"{source} includes {target}: {wrong(source, target)}")
    for source, target in [
        ("checker/report/Sarif.cpp", "checker/generate/Facts.h"),
        ("checker/decide/Verify.h", "checker/search/Search.h"),
        ("checker/search/Handelman.h", "checker/search/linear/LinearProgram.h"),
        ("lower/TileCompile.cpp", "checker/search/SearchLibrary.h"),
        ("spec/executor/tool/Npy.cpp", "runtime/arguments/Npy.h"),
        ("checker/decide/Verified.cpp", "runtime/artefact/Sha256.h"),
        ("fuzz/campaign/Bytes.cpp", "lower/Artefact.h"),
    ]:
        report.check(wrong(source, target) is None,
                     f"{source} includes {target}: {wrong(source, target)}")
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for top in KNOWS:
            shutil.copytree(ROOT / top, tree / top, ignore=lambda at, names: [
                n for n in names if not (pathlib.Path(at) / n).is_dir()
                and pathlib.Path(n).suffix not in ENDINGS])
        for n in range(MAX_FILES + 1):
            (tree / f"lower/import/Crowd{n}.cpp").write_text("")
        with open(tree / "checker/generate/Facts.h", "a") as file:
            file.write('#include "checker/decide/Verify.h"\n')
        texts = "\n".join(findings(tree)[0])
        report.check("lower/import has" in texts, "a crowd is not found")
        report.check("checker/generate/Facts.h includes checker/decide/Verify.h"
                     in texts, "a wrong arrow in a file is not found")


def main():
    report = Report()
    check_itself(report)
    found, includes = findings(ROOT)
    report.check(includes > 700, f"{includes} includes")
    for text in found:
        report.check(False, text)
    report.finish()


if __name__ == "__main__":
    main()
