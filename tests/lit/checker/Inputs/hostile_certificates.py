# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts hostile files of certificates beside a kernel whose own are stored, and
runs tile-verify --replay on it. Prints what is believed, hangs or crashes."""

import pathlib
import re
import subprocess
import sys

kernel = pathlib.Path(sys.argv[1])
store = kernel.with_suffix(".cert")
good = store.read_text()
hashes = re.findall(r"^([0-9a-f]{64}) ", good, re.M)
head = "girih-certificates 1\nmodel N=1\n"
many = "+".join("*".join(["v0"] * i) for i in range(1, 300))


def forall(certificate):
    return head + "".join(f"{h} {certificate}\n" for h in hashes)


MALFORMED = {
    "empty": "",
    "bytes": "\x00\xff\x01",
    "another version": good.replace("certificates 1", "certificates 2"),
    "open bracket": good.rstrip()[:-1],
    "trailing bracket": good.rstrip() + ")\n",
    "deep": forall("(have 'v0' " * 200000),
    "deep and closed": forall("(have '1' (leaf) " * 9999 + "(leaf)" + ")" * 9999),
    "weight": forall("(leaf 999999999999999999999999999999999999999999999[0])"),
    "fact number": forall("(case 99999999999 (leaf))"),
    "model out of range": good.replace("N=1", "N=99999999999999999999"),
    "twice": good + good.splitlines()[-1] + "\n",
    "short hash": head + "0123 (leaf)\n",
    "unknown node": forall("(believe me)"),
}

NONSENSE = {
    "nothing": head,
    "empty leaf": forall("(leaf)"),
    "zero weight": forall("(leaf 0[0])"),
    "negative weight": forall("(leaf -1[0])"),
    "missing fact": forall("(leaf 1[4294967295])"),
    "overflow": forall(
        "(leaf 170141183460469231731687303715884105727[0,0,0])"
    ),
    "many factors": forall("(leaf " + "1[" + ",".join(["0"] * 5000) + "])"),
    "wide": forall(f"(split '{many}' (leaf 1[9,9,9]) (leaf) (leaf))"),
    "missing variable": forall("(solve 0 4000000000 (leaf))"),
    "case of an atom": forall("(case 0 (leaf))"),
    "circular have": forall("(have '-1' (leaf) (leaf 1[0]))"),
}


def check(name, text, codes):
    store.write_text(text, encoding="latin1")
    try:
        done = subprocess.run(
            ["tile-verify", "--replay", str(kernel)],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=20,
        )
    except subprocess.TimeoutExpired:
        print(f"FAIL: {name}: hangs")
        return
    if done.returncode not in codes or "VERIFIED" in done.stdout:
        print(f"FAIL: {name}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    if done.returncode == 3 and not re.search(r"add\.cert:\d+: ", done.stderr):
        print(f"FAIL: {name}: no line in {done.stderr}")


for name, text in MALFORMED.items():
    check(name, text, [3])
for name, text in NONSENSE.items():
    check(name, text, [2, 3])
print(f"{len(MALFORMED) + len(NONSENSE)} files, none believed")
