#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that others published, compiled by cuTile Python, imported and
judged. kernels.json says where each is from, with which constants it was
compiled, what tile-import is told of its launch, and what came out.

  check.py BIN_DIR             each is imported or refused as the table says;
                               what is VERIFIED is judged again by its stored
                               certificates, what is REFUTED shows again by the
                               command that the refusal printed, and README.md
                               is what the table says
  check.py BIN_DIR --verdicts  and all verdicts are found anew
  check.py BIN_DIR --update [NAME ...]
                               finds verdicts, of these kernels or of all, and
                               writes certificates, table and README.md
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "kernels.json"
README = HERE / "README.md"
FRONT = HERE.parents[1] / "lower/README.md"
STEPS = "60000"
BEGIN, END = "<!-- kernels -->", "<!-- end -->"


def call(*command, cwd):
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True,
                          check=False)


def bring(bin_dir, row, folder):
    """Imports a kernel; the reason where it has no form."""
    target = pathlib.Path(folder) / f"{row['name']}.mlir"
    run = call(f"{bin_dir}/tile-import", f"{row['name']}.tilebc", "-o", target,
               *row["options"], cwd=HERE / "bytecode")
    if run.returncode == 0:
        return None
    assert run.returncode == 3 and not target.exists(), row["name"]
    return re.sub(r".*error: @\S+: ", "", run.stderr.strip().splitlines()[-1])


def strides(text):
    """Row-major ones for the symbols of each tensor, as a formula."""
    for dims, listed in re.findall(
            r"!tile\.tensor<\[([^]]*)\].*strides \[([^]]*)\]", text):
        dims, listed = dims.split(", "), listed.split(", ")
        for k, stride in enumerate(listed):
            if not stride.isdigit():
                yield stride, dims[k + 1:]


def launch(row, text):
    """The stored launch of a kernel whose contract has no small one."""
    values = dict(pair.split("=") for pair in row["launch"].split())
    for stride, dims in strides(text):
        product = 1
        for dim in dims:
            product *= int(values.get(dim, dim))
        values[stride] = str(product)
    return "girih-certificates 1\nmodel " + " ".join(
        f"{k}={v}" for k, v in sorted(values.items())) + "\n"


def verdict(bin_dir, row, folder, keep):
    """What is said of a kernel by a search from nothing."""
    refused = bring(bin_dir, row, folder)
    if refused:
        return {"verdict": "refused", "reason": refused}
    folder = pathlib.Path(folder)
    kernel, stored = (folder / f"{row['name']}{end}" for end in (".mlir", ".cert"))
    if "launch" in row:
        stored.write_text(launch(row, kernel.read_text()))
    run = call(f"{bin_dir}/tile-verify", "--save", "--suggest=false",
               f"--steps={STEPS}", "--format=jsonl", kernel.name, cwd=folder)
    said = json.loads(run.stdout)
    found = {"verdict": said["verdict"]}
    kept = HERE / "certificates" / stored.name
    if keep:
        kept.unlink(missing_ok=True)
    if said["verdict"] == "VERIFIED":
        if keep:
            kept.write_text(stored.read_text())
        return found
    if said["counterexamples"]:
        first = said["counterexamples"][0]
        found["reason"] = f"{first['rule']}: {first['message']}"
        found["replay"] = first["replay"]
    else:
        rules = sorted({d["rule"] for d in said["diagnostics"]})
        found["reason"] = "not proved: " + ", ".join(rules)
    return found


def judge(bin_dir, row, folder):
    """What differs from the table, by what is stored."""
    refused = bring(bin_dir, row, folder)
    folder, name = pathlib.Path(folder), row["name"]
    if refused or row["verdict"] == "refused":
        return "" if refused == row.get("reason") else f"refused: {refused}"
    if row["verdict"] == "VERIFIED":
        certificate = HERE / "certificates" / f"{name}.cert"
        (folder / f"{name}.cert").write_text(certificate.read_text())
        run = call(f"{bin_dir}/tile-verify", "--replay", f"{name}.mlir",
                   cwd=folder)
        return "" if run.returncode == 0 else run.stdout + run.stderr
    if "replay" in row:
        tool, *arguments = shlex.split(row["replay"])
        run = call(f"{bin_dir}/{tool}", *arguments, cwd=folder)
        rule = row["reason"].split(":")[0]
        return "" if run.returncode == 1 and f"[{rule}]" in run.stderr else (
            f"{row['replay']} does not show {rule}: {run.stderr}")
    return ""


def total(rows):
    count = {v: sum(r["verdict"] == v for r in rows)
             for v in ("VERIFIED", "UNKNOWN", "REFUTED", "refused")}
    return (f"{len(rows)} kernels, {len(rows) - count['refused']} imported: "
            f"{count['VERIFIED']} VERIFIED, {count['UNKNOWN']} UNKNOWN, "
            f"{count['REFUTED']} REFUTED.")


def readme(table):
    rows = table["kernels"]
    text = (total(rows) + "\n\n"
            "| kernel | function | of | told | verdict | why |\n"
            "|---|---|---|---|---|---|\n")
    for r in rows:
        told = " ".join(f"`{o[2:]}`" for o in r["options"])
        why = r.get("reason", "").replace("|", "\\|")
        text += (f"| {r['name']} | `{r['function']}` | {r['repository']} "
                 f"`{r['file']}` | {told} | {r['verdict']} | {why} |\n")
    head, rest = README.read_text().split(BEGIN)
    return head + BEGIN + "\n" + text + END + rest.split(END)[1]


def write(table):
    rows = ",\n".join("  " + json.dumps(r) for r in table["kernels"])
    TABLE.write_text('{\n "compiler": %s,\n "commits": %s,\n "kernels": [\n%s\n'
                     ' ]\n}\n' % (json.dumps(table["compiler"]),
                                  json.dumps(table["commits"]), rows))
    README.write_text(readme(table))
    FRONT.write_text(re.sub(r"\d+ kernels, \d+ imported: .* REFUTED\.",
                            total(table["kernels"]), FRONT.read_text()))


def main(bin_dir, *words):
    bin_dir = pathlib.Path(bin_dir).resolve()
    table = json.loads(TABLE.read_text())
    rows = table["kernels"]
    update, anew = "--update" in words, "--verdicts" in words
    named = [w for w in words if not w.startswith("--")]
    wrong = []
    found = {p.stem for p in (HERE / "bytecode").glob("*.tilebc")}
    if found != {r["name"] for r in rows}:
        wrong.append("bytecode and table name different kernels")

    def one(row):
        with tempfile.TemporaryDirectory() as folder:
            if update or anew:
                return verdict(bin_dir, row, folder, update)
            return judge(bin_dir, row, folder)

    chosen = [r for r in rows if not named or r["name"] in named]
    workers = len(os.sched_getaffinity(0))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for row, said in zip(chosen, pool.map(one, chosen)):
            if update:
                for key in ("verdict", "reason", "replay"):
                    row.pop(key, None)
                row.update(said)
            elif anew and said["verdict"] != row["verdict"]:
                wrong.append(f"{row['name']}: {said}, the table says "
                             f"{row['verdict']}")
            elif not anew and said:
                wrong.append(f"{row['name']}: {said}")
    if update:
        write(table)
    if README.read_text() != readme(table):
        wrong.append("README.md is not what the table says: --update")
    if total(rows) not in FRONT.read_text():
        wrong.append("lower/README.md counts otherwise: --update")
    if wrong:
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main(*sys.argv[1:])
