# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tile-tune from plan to choice with the tools of a build, an assembler of cubins
for the simulated driver, and that driver in place of a GPU.

  tool_test.py BIN_DIR DRIVER_DIR
"""

import dataclasses
import json
import math
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import unittest

import parts
from tune import choose, compare, kernel, plan as plan_of, retune, space, tools

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SPACE = HERE / "kernels/copy.json"
BIN, DRIVER = sys.argv[1], sys.argv[2]


def write_npy(path, code, data, count):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': ({count},)}}"
    header = header.ljust(117) + "\n"
    path.write_bytes(b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) +
                     header.encode() + data)


class Tools(tools.Tools):
    """The build's, by the hashes of records that nobody measured."""

    def __init__(self):
        super().__init__([BIN])

    def hashes(self):
        return dict(parts.HASHES)


class Kernels(unittest.TestCase):
    """Real kernels: read, edited, and put together."""

    def test_library(self):
        """Every kernel of the library, here each twelfth: its contract is
        understood, and other hints and names change nothing else."""
        found, step = Tools(), 1 if os.environ.get("GIRIH_LONG") else 12
        paths = sorted((ROOT / "proofs/kernels").glob("*/*.mlir"))
        with tempfile.TemporaryDirectory() as folder:
            for path in paths[::step]:
                text, printed = path.read_text(), found.canonical(path)
                if "tile.variants" in text:
                    continue
                contract = kernel.read(printed, path)
                hints = {**contract.hints, "sm_90": {"occupancy": 2}}
                new = pathlib.Path(folder) / path.name
                new.write_text(kernel.renamed(kernel.with_hints(text, hints),
                                              "other", "_7"))
                again = found.canonical(new)
                changed = kernel.read(again, new)
                self.assertEqual(changed.signature, contract.signature)
                self.assertEqual((changed.name, changed.hints),
                                 ("other", hints))
                # The names of maps change with that of their kernel.
                self.assertEqual(re.sub(r"(@\w+)_7\b", r"\1", changed.body),
                                 contract.body)

    def test_compare(self):
        """The kernel that compares results, on the reference executor."""
        inf, nan = math.inf, math.nan
        # Alike are the first two rows, for 0.5 + 0.25 * |y|.
        pairs = [(1, 1), (0, 0), (inf, inf), (nan, nan), (-inf, -inf),
                 (1.75, 1), (0.5, 0), (-9, -10), (7, 10),
                 (1.8, 1), (0.6, 0), (6, 10), (nan, 1), (1, nan), (inf, 1),
                 (1, inf), (inf, -inf), (-inf, inf)]
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for element, letter, code in (("f32", "f", "<f4"),
                                          ("f64", "d", "<f8"),
                                          ("f16", "e", "<f2")):
                file = folder / f"{element}.mlir"
                file.write_text(compare.text(element))
                self.assertEqual(Tools().verdict(file)["verdict"], "VERIFIED")
                for name, k in (("x", 0), ("y", 1)):
                    # What is behind a tile is alike, and one more is not.
                    values = [p[k] for p in pairs] + [3.0] * 4100
                    values[-1] += 9 * k
                    write_npy(folder / f"{name}.npy", code, struct.pack(
                        f"<{len(values)}{letter}", *values), len(values))
                done = Tools().run(
                    "tile-exec", file, f"--input=x={folder}/x.npy",
                    f"--input=y={folder}/y.npy",
                    "--set=P=2,absolute=0.5,relative=0.25",
                    f"--output=wrong={folder}/w.npy")
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                self.assertEqual(struct.unpack(
                    "<2f", (folder / "w.npy").read_bytes()[-8:]), (9.0, 1.0))

    def test_variants(self):
        """Classes that are found for kernels of a list, one of them twice, are
        one VERIFIED list."""
        plan = plan_of.make(space.read(str(
            ROOT / "lower/tune/spaces/softmax.json")), Tools())
        self.assertEqual(len(plan.candidates), 78)
        self.assertEqual(len(plan.shipped), 13)
        # A few of them at a few launches are enough.
        row, long = "softmax_row_8192_8_3", "softmax_long_4096"
        other_row = row + "+occupancy=8+worker_warps=4"
        other_long = long + "+occupancy=2+worker_warps=4"
        few = {row, long, other_row, other_long}
        self.assertEqual(plan.candidates[0].id, long)
        self.assertLessEqual(few, {c.id for c in plan.candidates})
        launches = plan.launches[:90]
        plan = dataclasses.replace(plan, launches=launches, candidates=tuple(
            dataclasses.replace(c, launches=tuple(
                k for k, x in enumerate(launches)
                if not kernel.refusal(c.contract, x.values)))
            for c in plan.candidates if c.id in few))

        def times(name, launch):
            best = (other_row if launch["N"] <= 1024 else
                    row if launch["N"] <= 8192 else other_long)
            return 10.0 if name == best else 15.0
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.access(
                "/dev/shm", os.W_OK) else None) as folder:
            folder = pathlib.Path(folder)
            journal = parts.Journal(folder / "j.sqlite")
            parts.run(plan, journal, parts.Bench(times))
            lines = list(retune.run(plan, Tools(), journal, folder))
            self.assertEqual(lines[-1], f"VERIFIED {folder}/softmax.mlir")
            text = (folder / "softmax.mlir").read_text()
            self.assertIn(f"tile.variants @softmax [@{row} when (N <= 1024), "
                          f"@{row}_2 when (N <= 8192), @{long}]\n", text)
            done = Tools().run("tile-exec", folder / "softmax.mlir",
                               "--set=M=2,N=9")
            self.assertEqual(done.returncode, 0, done.stderr)
            rows = json.loads((folder / "softmax.json").read_text())["regret"]
            row = choose.total(rows)["hold"]
            self.assertAlmostEqual(row["worst"], 1.0)
            self.assertAlmostEqual(row["gain"], 1.5)
            journal.close()


class Tool(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        held = tempfile.TemporaryDirectory()
        cls.addClassCleanup(held.cleanup)
        cls.folder = pathlib.Path(held.name)

    def run_tool(self, *words, code=0, driver=DRIVER):
        environment = {**os.environ, "LD_LIBRARY_PATH": driver,
                       "XDG_CACHE_HOME": str(self.folder / "cache"),
                       "PATH": "/usr/bin:/bin"}
        if driver != DRIVER:
            environment["CUDA_VISIBLE_DEVICES"] = ""
        done = subprocess.run(
            [f"{BIN}/tile-tune", *map(str, words)], capture_output=True,
            text=True, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def test_plan(self):
        out, _ = self.run_tool(f"--tools={BIN}", "plan", SPACE)
        lines = out.splitlines()
        # Two of the launches are at the bound of copy_narrow.
        self.assertEqual(lines[:7], [
            "chosen for sm_90: 6 candidates, 5 pruned",
            "  copy: 10 of 10 launches, the incumbent",
            "  copy+occupancy=2: 10 of 10 launches",
            "  copy_narrow: 7 of 10 launches",
            "  copy_narrow+occupancy=2: 7 of 10 launches",
            "  copy_wrong: 10 of 10 launches",
            "  copy_wrong+occupancy=2: 10 of 10 launches"])
        self.assertIn("  pruned copy_race: not VERIFIED but REFUTED", lines)
        self.assertIn("  pruned copy+occupancy=64: occupancy = 64 blocks of at "
                      "most 32", lines)
        self.assertIn("2 launches held out", lines)

    def test_usage(self):
        for words, message in [
                (["--nonsense"], "tile-tune: error: unknown option --nonsense"),
                (["nonsense"], "tile-tune: error: unknown subcommand nonsense"),
                (["plan", SPACE, "--nonsense"],
                 "tile-tune: error: unknown option --nonsense"),
                (["plan"], "tile-tune: error: the following arguments are "
                 "required: what; see tile-tune --help"),
                (["compile", SPACE], "tile-tune: error: the following arguments "
                 "are required: --into; see tile-tune --help"),
                (["measure", self.folder / "no", "--journal=x"],
                 f"{self.folder}/no/plan.json: error: No such file or "
                 "directory; tile-tune compile writes it last"),
                (["choose", SPACE, f"--journal={self.folder}/none",
                  "--into=x"], f"{self.folder}/none: error: No such file or "
                 "directory"),
                (["plan", self.folder / "none.json"],
                 f"{self.folder}/none.json: error: No such file or directory")]:
            _, err = self.run_tool(*words, code=3)
            self.assertEqual(err.strip(), message)
        self.assertFalse((ROOT / "x").exists())

    def test_help(self):
        self.assertEqual(self.run_tool("--help")[0].split("\n")[0][:9],
                         "OVERVIEW:")
        for command in ("plan", "compile", "measure", "choose"):
            out, _ = self.run_tool(command, "--help")
            self.assertIn(f"USAGE: tile-tune {command} ", out)
        out, _ = self.run_tool("--version")
        self.assertRegex(out, r"^tile-tune \(Girih\) \d+\.\d+\n$")

    def test_no_gpu(self):
        # The loader finds no driver at all, or one that sees no device.
        self.compiled()
        code = self.run_tool("measure", self.folder / "archive",
                             f"--journal={self.folder}/none.sqlite", code=77,
                             driver=str(self.folder))
        self.assertIn("tile-tune:", code[1])

    def compiled(self):
        return self.run_tool(
            "compile", SPACE, f"--into={self.folder}/archive", "--jobs=2",
            f"--tileiras={HERE}/assembler.py")

    def test_through(self):
        archive, journal = self.folder / "archive", self.folder / "j.sqlite"
        out, err = self.compiled()
        self.assertIn("6 candidates for sm_90, 5 pruned, 0 failed", out)
        # The simulated driver has no kernel that compares.
        self.assertIn("7/7", err)
        _, err = self.compiled()
        self.assertEqual(err.count(", as before"), 6)

        # An archive is complete without the sources, wherever it lies.
        moved = self.folder / "moved"
        archive.rename(moved)
        _, err = self.run_tool("measure", moved, f"--journal={journal}",
                               "--seconds=0.001", code=2)
        self.assertIn("the time is over", err)
        _, err = self.run_tool("measure", moved, f"--journal={journal}", code=1)
        # A line for each launch, none for each batch.
        self.assertEqual(err.count("batches "), 10, err)
        lines = [x for x in err.splitlines() if "error" in x]
        self.assertEqual(lines, [
            f"tile-tune: error: copy_wrong{more} is wrong at 10 of the launches, "
            'at {"N": 1000}: 1000 of 1000 elements of %z are not the '
            "incumbent's" for more in ("", "+occupancy=2")])
        moved.rename(archive)

        choice = self.folder / "choice"
        out, _ = self.run_tool("choose", SPACE, f"--journal={journal}",
                               f"--into={choice}")
        self.assertIn("chosen on Simulated GPU 0, driver ", out)
        self.assertIn(f"VERIFIED {choice}/chosen.mlir", out)
        written = json.loads((choice / "chosen.json").read_text())
        self.assertEqual(set(written["wrong"]),
                         {"copy_wrong", "copy_wrong+occupancy=2"})
        # The narrow one takes two milliseconds a launch.
        self.assertTrue({v["candidate"] for v in written["variants"]} <=
                        {"copy", "copy+occupancy=2"}, written["variants"])
        for row in written["launches"][:1]:
            self.assertGreater(row["over_incumbent"]["copy_narrow"], 1.5)
        done = subprocess.run([f"{BIN}/tile-verify", choice / "chosen.mlir"],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_tampered(self):
        self.compiled()
        archive = self.folder / "archive"
        manifest = archive / "copy/manifest.json"
        whole = manifest.read_bytes()
        manifest.write_bytes(whole.replace(b"copy", b"kopy", 1))
        _, err = self.run_tool("measure", archive,
                               f"--journal={self.folder}/t.sqlite", code=3)
        self.assertIn("not the file that was compiled", err)
        plan = archive / "plan.json"
        text = plan.read_text()
        manifest.write_bytes(whole)
        plan.write_text(text.replace('"use": "hold"', '"use": "tune"'))
        _, err = self.run_tool("measure", archive,
                               f"--journal={self.folder}/t.sqlite", code=3)
        self.assertIn("plan.json: error: changed since it was written", err)
        plan.write_text(text)
        manifest.write_bytes(whole + b" ")
        # Compiling again makes it anew, and nothing else.
        _, err = self.compiled()
        self.assertEqual(err.count(", as before"), 5)
        self.assertEqual(manifest.read_bytes(), whole)

    def test_another_target(self):
        other = self.folder / "other"
        self.run_tool("compile", SPACE, f"--into={other}", "--arch=sm_100",
                      f"--tileiras={HERE}/assembler.py")
        _, err = self.run_tool("measure", other,
                               f"--journal={self.folder}/o.sqlite", code=3)
        self.assertIn("the archive is for sm_100, the GPU is sm_90", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
