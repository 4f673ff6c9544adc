#!/usr/bin/python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pack.py --draws packs as many launches as it is asked for, on both kinds of
data, of every entry point that a kernel has, and follows from its seed.

usage: draws_test.py BIN_DIR
"""

import collections
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
KERNELS = [HERE.parents[1] / f"proofs/kernels/{k}/{k}.mlir" for k in
           ("rms_norm_row", "transpose")]


def pack(folder, seed):
    subprocess.run([HERE / "pack.py", sys.argv[1], folder, "--draws=30",
                    f"--seed={seed}", *KERNELS], check=True, capture_output=True)
    return {name: [json.loads(line) for line in
                   (folder / f"{name}.jsonl").read_text().splitlines()]
            for name in ("cases", "first")}


class Draws(unittest.TestCase):
    def test_launches(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            packed = pack(folder / "a", 1)
            entries = sum(len(json.loads(m.read_text())["variants"]) for m in
                          folder.glob("a/artefacts/*/manifest.json"))
            self.assertEqual(pack(folder / "b", 1), packed)
            others = pack(folder / "c", 2)["cases"]
        names = [c["name"] for c in packed["cases"]]
        self.assertEqual(len(set(names)), 60)
        self.assertNotEqual([c["name"] for c in others], names)
        kinds = collections.Counter(n.split("-")[-1] for n in names)
        self.assertEqual(kinds, {"integers": 30, "normal": 30})
        self.assertEqual(len(packed["first"]), entries)
        sizes = {v for c in packed["cases"] for v in c["set"].values()}
        self.assertLessEqual({0, 1}, sizes)
        self.assertTrue(any(v > 8 and v % 16 in (1, 15) for v in sizes))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
