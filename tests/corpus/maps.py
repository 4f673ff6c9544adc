# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Index maps of published kernels.

  maps.py BIN_DIR replay     the stored certificates alone
  maps.py BIN_DIR launches   small launches of each kernel on the executor, the
                             symbols that the contract determines being computed
"""

import pathlib
import random
import re
import subprocess
import sys

import corpus

binaries, mode = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
good = [k.path for k in corpus.kernels("maps", "VERIFIED")]
failed = 0


def run(*args):
    return subprocess.run([str(a) for a in args], cwd=corpus.ROOT, text=True,
                          capture_output=True)


def expect(holds, what):
    global failed
    if not holds:
        failed += 1
        print("FAIL:", what)


def replay():
    for k in good:
        expect(k.with_suffix(".cert").exists(), f"{k} has no certificates")
    out = run(binaries / "tile-verify", "--replay", *good)
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
        name = f"{k.parent.name}.{k.name}"
        choice, admitted = random.Random(name), 0
        for _ in range(400):
            values = {n: choice.randint(0, 4) for n in names}
            try:
                for symbol, value in determined:
                    values[symbol] = eval(value, functions, values)
            except ZeroDivisionError:
                continue
            bound = ",".join(f"{n}={v}" for n, v in values.items())
            out = run(binaries / "tile-exec", k, "--set", bound)
            expect(out.returncode in (0, 3), f"{name} {bound}:\n{out.stderr}")
            admitted += out.returncode == 0
            if admitted == 6:
                break
        expect(admitted > 2, f"{name}: {admitted} launches admitted")


{"replay": replay, "launches": launches}[mode]()
sys.exit(1 if failed else 0)
