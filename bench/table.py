#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables in README.md are what bench/results says.

  table.py             compares; exit code 1 when one differs
  table.py --update    rewrites them
"""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CLASSES = ["bounds", "disjoint", "covered", "pads", "width", "other"]


def speeds():
    results = json.loads((ROOT / "bench/results/h200_speed.json").read_text())
    versions = results["versions"]
    lines = ["| on one " + results["machine"] + " | ours | beside it |",
             "|---|---|---|"]
    for name, work in results["works"].items():
        unit, all_ = work["unit"], work["contestants"]
        libraries = {n: c for n, c in all_.items() if not n.startswith("girih")}
        for ours, measured in all_.items():
            if not ours.startswith("girih"):
                continue
            ratios = ", ".join(
                f"{measured[unit] / other[unit]:.3f} of {library}"
                for library, other in libraries.items())
            lines.append(f"| {name}, `{ours.removeprefix('girih ')}` | "
                         f"{measured[unit]:.4g} {unit} | {ratios} |")
    lines += ["", "Medians of " + str(next(iter(
        results["works"].values()))["rounds"]) + " interleaved rounds in one "
        f"process on {results['date']}; torch {versions['torch']}, driver "
        f"{versions['driver']}, {versions['compiler']['gemm']}."]
    return "\n".join(lines)


def facts():
    path = ROOT / "bench/results/h200_facts.json"
    if not path.exists():
        return "Not measured yet."
    measured = json.loads(path.read_text())
    others = list(measured["geometric_means"])
    lines = ["| on one " + measured["machine"] + ", time over that with facts | "
             "with facts | " + " | ".join(others) + " |",
             "|---|---|" + "---|" * len(others)]
    for kernel, row in measured["kernels"].items():
        time = row["microseconds"]["facts"]["median"]
        lines.append(f"| `{kernel}` | {time:.1f} us | " + " | ".join(
            f"{row['ratios'][o]:.3f}" for o in others) + " |")
    lines.append("| geometric mean | | " + " | ".join(
        f"{measured['geometric_means'][o]:.3f}" for o in others) + " |")
    lines += ["", f"Medians of {measured['rounds']} interleaved rounds in one "
              f"process, `{measured['command']}`, {measured['date']}; "
              f"{measured['compiler']}."]
    return "\n".join(lines)


def cutile():
    path = ROOT / "bench/results/h200_cutile.json"
    if not path.exists():
        return "Not measured yet."
    measured = json.loads(path.read_text())
    runs = max(len(w["microseconds"]["girih"]) for w in
               measured["works"].values() if "ratio" in w)
    lines = ["| on one " + measured["machine"] + " | ours | theirs | their time "
             f"over ours | of {runs} runs |", "|---|---|---|---|---|"]
    for name, row in measured["works"].items():
        if "ratio" in row:
            lines.append(f"| {name} | `{row['girih']}` | `{row['cutile']}` | "
                         f"{row['ratio']:.3f} | {row['lowest']:.3f} to "
                         f"{row['highest']:.3f} |")
    lines.append(f"| geometric mean | | | {measured['geometric_mean']:.3f} | |")
    lines += ["", f"Medians of runs of {measured['rounds']} interleaved rounds, "
              f"`{measured['command']}`, {measured['date']}; cuda-tile "
              f"{measured['cuda-tile']}, {measured['compiler']}."]
    return "\n".join(lines)


def outside():
    suites = json.loads((ROOT / "bench/results/outside.json").read_text())["suites"]
    lines = ["| suite | cases | left out | kernels | VERIFIED | REFUTED | UNKNOWN |",
             "|---|---|---|---|---|---|---|"]
    for name, c in suites.items():
        lines.append(
            f"| [{c['title']}](tests/outside/{name}.json) | {c['cases']} | "
            f"{c['excluded']} | {c['kernels']} | {c['verified']} | "
            f"{c['refuted']} | {len(c['unknown'])} |")
    return "\n".join(lines)


def library():
    measured = json.loads((ROOT / "bench/results/verify_times.json").read_text())
    replayed, searched = (measured["groups"][group]["kernels"]
                          for group in ("shipped", "searched"))
    there = {str(path.relative_to(ROOT))
             for path in (ROOT / "proofs/kernels").glob("*/*.mlir")}
    if there != set(replayed) or there != set(searched):
        sys.exit("table.py: error: bench/results/verify_times.json is of other "
                 "kernels than proofs/kernels has")
    lines = ["| kernel | owes | " + " | ".join(CLASSES) +
             " | replayed | searched | certificates |", "|---|" + "---|" * 10]
    for path, row in replayed.items():
        owed = row["obligations"]
        lines.append("| " + " | ".join([
            f"[{pathlib.Path(path).stem}]({path})", str(sum(owed.values())),
            *(str(owed.get(c, 0)) for c in CLASSES),
            f"{row['milliseconds']:.0f} ms",
            f"{searched[path]['milliseconds']:.0f} ms"
            if searched[path]["verdict"] == "VERIFIED" else "more --steps",
            f"{row['certificate_bytes'] / 1000:.1f} kB"]) + " |")
    lines += ["", f"Medians of {measured['runs']} cold processes, with the stored "
              f"certificates and without, on two cores of an {measured['machine']}, "
              f"{measured['date']}."]
    return "\n".join(lines)


def mutants():
    measured = json.loads((ROOT / "bench/results/mutants.json").read_text())
    columns = ["killed", "unknown", "equivalent", "different"]
    lines = ["| mistake | mutants | REFUTED | UNKNOWN | VERIFIED, same outputs | "
             "VERIFIED, other outputs |", "|---|---|---|---|---|---|"]
    rows = [*sorted(measured["kinds"].items()), ("all", measured)]
    for name, row in rows:
        count = sum(row[c] for c in columns)
        lines.append(f"| {name} | {count} | " +
                     " | ".join(str(row[c]) for c in columns) + " |")
    lines += ["", f"Wrong verdicts: {measured['wrong']}. `{measured['command']}`, "
              f"{measured['date']}."]
    return "\n".join(lines)


def campaign():
    measured = json.loads((ROOT / "bench/results/campaign.json").read_text())
    lines = ["| random kernels | VERIFIED | REFUTED | UNKNOWN |", "|---|---|---|---|"]
    soup = (measured["soup"], measured["soupVerified"], measured["soupRefuted"])
    for name, count, verified, refuted in (
            ("safe by construction", measured["safe"], measured["safeVerified"], 0),
            ("one mistake in a safe one", measured["nearMisses"],
             measured["nearVerifiedAndEquivalent"],
             measured["nearRefuted"]),
            ("index arithmetic at random", *soup),
            ("indices from memory, safe", measured.get("memorySafe", 0),
             measured.get("memoryVerified", 0), 0),
            ("indices from memory, one mistake",
             measured.get("memoryMistakes", 0), 0,
             measured.get("memoryRefuted", 0))):
        if count == 0:
            continue
        lines.append(f"| {count:,} {name} | {verified} | {refuted} | "
                     f"{count - verified - refuted} |")
    lines += ["", f"Wrong verdicts: {measured['wrong']}. `{measured['command']}`, "
              f"{measured['date']}."]
    return "\n".join(lines)


TABLES = {"bench/table.py": speeds, "bench/table.py facts": facts,
          "bench/table.py cutile": cutile,
          "bench/table.py outside": outside,
          "bench/table.py library": library,
          "bench/table.py mutants": mutants,
          "bench/table.py campaign": campaign}


def main():
    path = ROOT / "README.md"
    text = new = path.read_text()
    for name, table in TABLES.items():
        block = re.compile(
            rf"(<!-- {re.escape(name)} -->\n\n).*?(\n\n<!-- end -->)", re.S)
        new, count = block.subn(lambda m: m[1] + table() + m[2], new)
        if count != 1:
            sys.exit(f"table.py: error: README.md has no place for {name}")
    if "--update" in sys.argv[1:]:
        path.write_text(new)
    elif new != text:
        sys.exit("table.py: error: README.md differs from bench/results; "
                 "bench/table.py --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())
