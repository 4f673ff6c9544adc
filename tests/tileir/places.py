# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drawn places in another source behind the ops of kernels: verdict, digest,
certificates and code stay what they are, and --lineinfo says each drawn place.

  places.py BIN_DIR [--part=I/N] KERNEL.mlir..."""

import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from bytecode import read_placed

# Names as an enemy has them; none is there, and nothing may be read of any.
FILES = ["k.cpp", "/dev/zero", "../../../etc/passwd", "%s%n.cpp", "a b\"c\\d.h", "é\u202e.cpp",
         "x" * 4000 + ".cpp", "loc(unknown)", "k.cpp\":1:1)", "/"]
MOST = 2**31 - 1


def quoted(name):
    return "".join("\\\\" if chr(b) == "\\" else
                   chr(b) if 0x20 <= b < 0x7F and chr(b) != '"' else f"\\{b:02X}"
                   for b in name.encode())


def draw(rng, text):
    """The text with places, and these by the line on which an op begins."""
    lines, open_lines, places = text.split("\n"), [], {}
    for number, line in enumerate(lines, 1):
        code = line.strip()
        begins = number
        if code.startswith("}"):
            begins = open_lines.pop()
        if code.endswith("{"):
            # `} else {` goes on with the op that it belongs to.
            open_lines.append(begins)
            continue
        if not code or code.startswith("^") or rng.random() < 0.2:
            continue
        place = (rng.choice(FILES), rng.choice([1, 2, rng.randrange(1, 10**6), MOST]),
                 rng.choice([0, 1, rng.randrange(200), MOST]))
        places[begins] = place
        lines[number - 1] += f' loc("{quoted(place[0])}":{place[1]}:{place[2]})'
    return "\n".join(lines), places


def main(bin_dir, *arguments):
    part, parts = 0, 1
    kernels = []
    for a in arguments:
        if a.startswith("--part="):
            part, parts = map(int, a[7:].split("/"))
        else:
            kernels.append(pathlib.Path(a))
    failures = []

    def run(*command):
        done = subprocess.run([f"{bin_dir}/{command[0]}", *map(str, command[1:])],
                              capture_output=True, timeout=300)
        return done.returncode, done.stdout, done.stderr

    placed_ops = 0
    for source in sorted(kernels)[part::parts]:
        rng = random.Random("places " + source.stem)
        with tempfile.TemporaryDirectory() as folder:
            kernel = pathlib.Path(folder, "kernel.mlir")
            plain = run("tile-opt", source)[1].decode()
            placed, places = draw(rng, plain)
            helper_lines = set()
            inside = None
            for number, line in enumerate(plain.split("\n"), 1):
                inside = inside or line.startswith(("func.func", "tile.map"))
                if inside:
                    helper_lines.add(number)
                inside = inside and not line == "}"

            def compiled(*options):
                return run("tile-compile", "--allow-trust", "--arch=sm_100", *options,
                           kernel)[1]

            def see(text):
                kernel.write_text(text)
                stored = source.with_suffix(".cert")
                certificates = kernel.with_suffix(".cert")
                if stored.exists():
                    shutil.copy(stored, certificates)
                _, out, err = run("tile-verify", "--save", "--format=jsonl", kernel)
                verdicts = [json.loads(line) for line in out.decode().split("\n") if line]
                for v in verdicts:
                    v.pop("seconds")
                return {"verdicts": verdicts, "said": err,
                        "text": run("tile-opt", kernel)[1].decode(),
                        "certificates": certificates.read_bytes()
                        if certificates.exists() else b"",
                        "dump": run("tile-verify", "--dump-obligations", kernel)[1],
                        "module": compiled("--dump=module"),
                        "bytecode": compiled("--dump=bytecode"),
                        "lines": compiled("--dump=bytecode", "--lineinfo")}

            one, two = see(plain), see(placed)
            for key in ("verdicts", "said", "certificates", "dump", "module", "bytecode"):
                if one[key] != two[key]:
                    failures.append(f"{source.stem}: {key} depends on places")
            if two["text"].rstrip("\n") != placed.rstrip("\n"):
                failures.append(f"{source.stem}: the places are not printed as they were read")
            if plain.startswith("tile.variants") or "\ntile.variants" in plain:
                continue  # bytecode is that of one kernel
            if one["verdicts"][0]["verdict"] != "VERIFIED" or not one["bytecode"]:
                failures.append(f"{source.stem}: {one['verdicts'][0]['verdict']}")
                continue
            functions, was = read_placed(one["lines"])
            same, now = read_placed(two["lines"])
            if functions != same:
                failures.append(f"{source.stem}: code with lines depends on places")
            for before, after in zip(was, now):
                for a, b in zip(before, after):
                    # Arguments, which stand behind the kernel's name, have none.
                    kernel_line = plain.split("\n")[a[1] - 1].startswith("tile.kernel")
                    want = a if kernel_line and a[2] > 1 else places.get(a[1], a)
                    placed_ops += want != a
                    # Without its own place, what was inlined has that of the call.
                    inlined = a[1] in helper_lines and a[1] not in places
                    if b != want and not inlined:
                        failures.append(f"{source.stem}: {a} became {b}, not {want}")
                        break
    for failure in failures:
        print(failure[:1000])
    print(f"{placed_ops} ops of bytecode at drawn places, {len(failures)} failures")
    return failures != [] or placed_ops == 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
