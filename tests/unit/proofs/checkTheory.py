# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The theory assumes nothing: no proof in it is left open (`holes`), and Coq
# says of each theorem that others cite that it is closed (`assumptions`). Its
# rules are those of spec/Rules.def (`rules`), and spec/tile.md cites a theorem
# for each (`citations`).
#
# checkTheory.py holes SOURCES
# checkTheory.py assumptions SOURCES COQC COMPILED
# checkTheory.py rules SOURCES RULES
# checkTheory.py citations SOURCES RULES SPEC

import pathlib
import re
import subprocess
import sys
import tempfile

OPEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|"
    r"Hypothes[ei]s|Variables?|Unset|bypass_check)\b"
)
COMMENT = re.compile(r"\(\*.*?\*\)", re.DOTALL)


def files(sources):
    """The files of the theory by name; no two have the same."""
    found = {}
    for path in sorted(sources.rglob("*.v")):
        if path.name in found:
            sys.exit(f"{path} has the name of {found[path.name]}")
        found[path.name] = path
    return found


def holes(sources):
    # Files that are not found would have none.
    if "Sound.v" not in files(sources) or "Cert.v" not in files(sources):
        return [f"no theory in {sources}"]
    found = []
    for name, path in files(sources).items():
        for match in OPEN.finditer(COMMENT.sub("", path.read_text())):
            found.append(f"{name}: {match.group()}")
    return found


def assumptions(sources, coqc, compiled):
    text = files(sources)["Theorems.v"].read_text()
    # All at once: each would go down to the axioms again.
    asked = re.findall(r"^Print Assumptions (\w+)\.$", text, re.MULTILINE)
    text = re.sub(r"^Print Assumptions \w+\.$", "", text, flags=re.MULTILINE)
    everything = "tt"
    for name in asked:
        everything = f"(@{name}, {everything})"
    text += (f"\nDefinition everything := {everything}.\n"
             "Print Assumptions everything.\n")
    with tempfile.TemporaryDirectory() as scratch:
        copy = pathlib.Path(scratch) / "Theorems.v"
        copy.write_text(text)
        run = subprocess.run(
            [coqc, "-q", "-noglob", "-R", compiled, "Girih", copy],
            capture_output=True,
            text=True,
        )
    closed = run.stdout == "Closed under the global context\n"
    if run.returncode != 0 or not asked or not closed:
        return [f"of {len(asked)} theorems", run.stdout, run.stderr]
    return []


def rules(sources, definitions):
    text = files(sources)["Index.v"].read_text()
    ours = re.findall(r"^  \| (\w+) => \"([\w.]+)\"$", text, re.MULTILINE)
    theirs = re.findall(
        r"^RULE\((\w+), \"([\w.]+)\"",
        pathlib.Path(definitions).read_text(),
        re.MULTILINE,
    )
    # What the language's page says is not mechanised yet, or believed.
    spec = (pathlib.Path(definitions).parent / "tile.md").read_text()
    rows = re.findall(r"^\| (`.*`) \| (?:not mechanised yet|none: .*) \|$", spec,
                      re.MULTILINE)
    absent = set(re.findall(r"`([\w.]+)`", " ".join(rows)))
    theirs = [rule for rule in theirs if rule[1] not in absent]
    if not theirs or ours != theirs:
        return [f"Index.v has {ours}", f"Rules.def has {theirs}"]
    return []


def citations(sources, definitions, spec):
    wrong = []
    theory = files(sources)
    text = pathlib.Path(spec).read_text()
    names = re.findall(
        r"^RULE\(\w+, \"([\w.]+)\"",
        pathlib.Path(definitions).read_text(),
        re.MULTILINE,
    )
    believed = r"^\| `{}` \| (?:not mechanised yet|none: .*) \|$"
    for name in names:
        if re.search(believed.format(re.escape(name)), text, re.MULTILINE):
            continue
        row = re.search(rf"^\| `{re.escape(name)}` \| (.+) \|$", text, re.MULTILINE)
        cited = re.findall(r"`(\w+)` \(`(\w+\.v)`\)", row.group(1)) if row else []
        # Whether a contract can be met is a question about no launch.
        if not cited and not (row and name == "contract.satisfiable"):
            wrong.append(f"no theorem is cited for {name}")
        for theorem, file in cited:
            stated = rf"^(Theorem|Lemma|Corollary) {theorem}\b"
            if file not in theory or not re.search(
                    stated, theory[file].read_text(), re.MULTILINE):
                wrong.append(f"{name}: {file} has no theorem {theorem}")
    return wrong or ([] if names else ["no rules"])


def main():
    sources = pathlib.Path(sys.argv[2])
    check = {
        "holes": holes,
        "assumptions": assumptions,
        "rules": rules,
        "citations": citations,
    }
    wrong = check[sys.argv[1]](sources, *sys.argv[3:])
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
