#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# maps.py BIN_DIR search|replay|launches: index maps of published kernels.
# search: every kernel without its certificates, which must come out as its
# first line says; a refusal must print a replay that shows the fault. replay:
# the stored certificates alone. launches: small launches of each kernel on the
# executor, the symbols that the contract determines being computed.
import pathlib
import random
import re
import subprocess
import sys
import time

root = pathlib.Path(__file__).resolve().parent.parent.parent
binaries, mode = pathlib.Path(sys.argv[1]), sys.argv[2]
folder = pathlib.Path("tests/maps")
kernels = sorted((root / folder).glob("*.mlir"))
good = [k for k in kernels if ".bug_" not in k.name]
bugs = [k for k in kernels if ".bug_" in k.name]
failed = 0


def run(*args):
    return subprocess.run([str(a) for a in args], cwd=root, text=True,
                          capture_output=True)


def expect(holds, what):
    global failed
    if not holds:
        failed += 1
        print("FAIL:", what)


def search():
    seconds = 0
    for k in kernels:
        words = k.read_text().split("\n")[0].split()[2:]
        start = time.perf_counter()
        out = run(binaries / "tile-verify", "--fresh", "--suggest=false", folder / k.name).stdout
        seconds += (time.perf_counter() - start) if k in good else 0
        expect(out.strip().split("\n")[-1].startswith(words[0]),
               f"{k.name} is to be {words[0]}:\n{out}")
        if words[0] == "REFUTED":
            expect(f"[{words[1]}]" in out, f"{k.name}: no {words[1]}:\n{out}")
            replay = re.search(r"note: replay: tile-exec (.*)", out)
            again = run("sh", "-c", f"{binaries}/tile-exec {replay[1]}") if replay else None
            expect(again and again.returncode == 1, f"{k.name}: no replay")
    print(f"{len(good)} maps searched in {seconds:.1f} s, {len(bugs)} bugs")


def replay():
    for k in good:
        expect(k.with_suffix(".cert").exists(), f"{k.name} has no certificates")
    out = run(binaries / "tile-verify", "--replay", *[folder / k.name for k in good])
    expect(out.returncode == 0, out.stdout + out.stderr)


def contract(text):
    """The symbols, and those that a requirement determines, in its order."""
    header = re.search(r"tile\.kernel @.*?\{\n", text, re.S)[0]
    symbols = re.search(r"symbols \[(.*?)\]", header, re.S)
    names = re.findall(r"(\w+) :", symbols[1]) if symbols else []
    for dims in re.findall(r"!tile\.tensor<\[(.*?)\]", text):
        names += re.findall(r"[A-Za-z]\w*", dims)
    requires = re.search(r"requires \[(.*?)\](?:\n|\s*(?:covers|\{))", header, re.S)
    determined = re.findall(r"(?:^|,)\s*(\w+) == ([^=<>]*?)(?=,\s*\w[^,]*(?:[=<>])|$)",
                            requires[1], re.S) if requires else []
    return list(dict.fromkeys(names)), [d for d in determined if d[0] in names]


functions = {"ceildiv": lambda a, b: -(-a // b), "div": lambda a, b: a // b,
             "mod": lambda a, b: a % b, "min": min, "max": max}


def launches():
    for k in good:
        names, determined = contract(k.read_text())
        choice, admitted = random.Random(k.name), 0
        for _ in range(400):
            values = {n: choice.randint(0, 4) for n in names}
            try:
                for name, value in determined:
                    values[name] = eval(value, functions, values)
            except ZeroDivisionError:
                continue
            bound = ",".join(f"{n}={v}" for n, v in values.items())
            out = run(binaries / "tile-exec", folder / k.name, "--set", bound)
            expect(out.returncode in (0, 3), f"{k.name} {bound}:\n{out.stderr}")
            admitted += out.returncode == 0
            if admitted == 6:
                break
        expect(admitted > 2, f"{k.name}: {admitted} launches admitted")


{"search": search, "replay": replay, "launches": launches}[mode]()
sys.exit(1 if failed else 0)
