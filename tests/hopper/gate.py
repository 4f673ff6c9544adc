#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PTX of the schedule gemv before the gate: for tiles of 1 to 8 rows, rings
of 4 and 8 slots and both kinds of y it is proved; with a fault planted into it
it is refused for the reason named.

  gate.py TILE_COMPILE PTX_GATE GEMV.mlir
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from faults import FAULTS
from gemv_test import tiles_of

#: Rows of a tile, slots of a ring, and whether y is in f32.
GOOD = [(4, 4, False), (1, 4, False), (2, 4, True), (8, 4, False),
        (4, 8, False), (8, 8, True), (1, 8, True)]


def run(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else done.stderr


def planted(text, pattern, new, which):
    """The text with the `which`th place edited."""
    places = list(re.finditer(pattern, text, re.S))
    if len(places) <= which:
        return text
    at = places[which]
    return text[:at.start()] + at.expand(new) + text[at.end():]


class Gate:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, pathlib.Path(folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path

    def said(self, expected, texts):
        paths = [self.write(f"{n}.ptx", t) for n, t in enumerate(texts)]
        out = run(self.tool, self.write("expected", expected), *paths)
        return out.splitlines()


def main(compiler, tool, kernel):
    source, failures = pathlib.Path(kernel).read_text(), 0
    with tempfile.TemporaryDirectory() as folder:
        gate = Gate(tool, folder)

        def dump(what, text):
            return run(compiler, gate.write("k.mlir", text), f"--dump={what}")

        for rows, slots, wide in GOOD:
            text = re.sub(r"slots = \d+", f"slots = {slots}",
                          tiles_of(source, rows, wide))
            said = gate.said(dump("expected", text), [dump("ptx", text)])
            print(f"tiles of {rows}, {slots} slots, "
                  f"{'f32' if wide else 'bf16'}: {said}")
            failures += not (said and said[0].startswith("proved"))

        expected, ptx = dump("expected", source), dump("ptx", source)
        texts, faults = [], []
        for name, pattern, new, which, reason in FAULTS:
            texts.append(planted(ptx, pattern, new, which))
            faults.append((name, reason, texts[-1] == ptx))
        for (name, reason, same), said in zip(faults,
                                              gate.said(expected, texts)):
            if same or not said.startswith(reason) or not reason:
                failures += 1
                print(f"{name}: {'no change' if same else said}")
    print(f"{len(GOOD)} texts proved, {len(faults)} faults planted, "
          f"{failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
