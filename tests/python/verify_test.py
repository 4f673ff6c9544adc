# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""girih.verify: verdicts as plain data, errors with a place."""

import copy
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import unittest

import girih
from tree import ROOT, shipped, verdict

ADD = shipped("add").read_text()


class Verify(unittest.TestCase):
    def test_verified(self):
        found = girih.verify(shipped("add"))
        self.assertTrue(found)
        self.assertEqual(found.exit_code, 0)
        self.assertIs(found.verdict, girih.Verdict.VERIFIED)
        [kernel] = found.kernels
        self.assertEqual(kernel.name, "add")
        self.assertEqual(len(kernel.digest), 64)
        self.assertIsNone(found.counterexample)
        self.assertTrue(all(o.status is girih.Status.PROVED and o.certificate
                            for o in found.obligations))
        self.assertIn("claim.disjoint", {o.rule for o in found.obligations})
        self.assertRegex(str(found), r"^VERIFIED .*/add\.mlir: (\d+) of \1 ")
        self.assertIn("verdict=<Verdict.VERIFIED", repr(found))

    def test_text_and_certificates(self):
        searched = girih.verify(ADD)
        self.assertRegex(str(searched), "^VERIFIED kernel.mlir: ")
        replayed = girih.verify(ADD, certificates=searched.certificates,
                                search=False)
        self.assertEqual(replayed.verdict, girih.Verdict.VERIFIED)
        self.assertEqual(replayed.kernels[0].digest,
                         searched.kernels[0].digest)
        nothing = girih.verify(ADD, search=False)
        self.assertIs(nothing.verdict, girih.Verdict.UNKNOWN)
        self.assertFalse(nothing)
        self.assertEqual(nothing.exit_code, 2)
        self.assertIs(girih.verify(shipped("add"), search=False).verdict,
                      girih.Verdict.VERIFIED)
        self.assertIs(girih.verify(shipped("add"), search=False,
                                   stored=False).verdict,
                      girih.Verdict.UNKNOWN)

    def test_refuted(self):
        found = girih.verify(ROOT / "tests/corpus/girih/bugs/permute_race.mlir")
        self.assertFalse(found)
        self.assertEqual(found.exit_code, 1)
        self.assertIs(found.verdict, girih.Verdict.REFUTED)
        clash = found.counterexample
        self.assertEqual(clash.rule, "claim.disjoint")
        self.assertEqual(clash.tensor, "y")
        self.assertEqual(clash.element, (0, 2, 0, 0))
        self.assertEqual(clash.symbols, {"B": 1, "S": 1, "H": 6, "D": 1,
                                         "G": 3, "R": 2})
        self.assertEqual((clash.block, clash.other_block),
                         ((0, 2, 0, 0, 0), (0, 0, 1, 0, 0)))
        self.assertIs(found.obligations[clash.obligation].status,
                      girih.Status.REFUTED)
        wrong = found.diagnostics[0]
        self.assertEqual((wrong.rule, wrong.severity, wrong.at.line,
                          wrong.at.column), ("claim.disjoint", "error", 26, 23))
        self.assertIn("help", {note.kind for note in wrong.notes})
        self.assertIn(":26:23: error: two blocks claim element", str(found))

    def test_unknown(self):
        found = girih.verify(verdict("coverage/covers_xor.unknown"))
        self.assertIs(found.verdict, girih.Verdict.UNKNOWN)
        self.assertEqual(found.exit_code, 2)
        self.assertEqual([o.rule for o in found.obligations
                          if o.status is girih.Status.UNKNOWN],
                         ["out.covered"])

    def test_lists(self):
        found = girih.verify(shipped("gemm_by_size"))
        self.assertGreater(len(found.kernels), 1)
        self.assertEqual({k.variants for k in found.kernels},
                         {"gemm_by_size"})
        self.assertTrue(found)

    def test_plain_data(self):
        kernel = girih.verify(shipped("add")).kernels[0]
        self.assertEqual(pickle.loads(pickle.dumps(kernel)), kernel)
        self.assertEqual(copy.deepcopy(kernel), kernel)

    def test_malformed(self):
        with self.assertRaises(girih.Malformed) as caught:
            girih.verify(ADD.replace("tile.load %", "tile.lod %"))
        error = caught.exception
        self.assertEqual((error.code, error.kind), (3, "malformed"))
        [first] = error.diagnostics[:1]
        self.assertGreater(first.at.line, 10)
        self.assertIn(f"kernel.mlir:{first.at.line}:{first.at.column}: error:",
                      str(error))
        self.assertIsInstance(error, girih.Error)

    def test_any_text_is_an_answer(self):
        for text in ("{", "{}", "\n", "\0{", "{\0}", "tile.kernel @k() {",
                     ADD[:len(ADD) // 2], "{" * 5000, "\u2603{",
                     "{" + "x" * (1 << 20)):
            with self.assertRaises(girih.Malformed, msg=text[:20]):
                girih.verify(text)
        with self.assertRaisesRegex(girih.Refused, "surrogates"):
            girih.verify("{\ud800")
        file = pathlib.Path("bytes.mlir")
        file.write_bytes(b"\xff\xfe{\x80")
        with self.assertRaises(girih.Malformed):
            girih.verify(file)

    def test_files(self):
        with self.assertRaisesRegex(girih.Error, "absent.mlir: ") as caught:
            girih.verify("absent.mlir")
        self.assertEqual((caught.exception.kind, caught.exception.code),
                         ("file", 3))
        with self.assertRaises(girih.Error):
            girih.verify(os.curdir)
        for other in (None, 3, b"{}", ["a"], 1.5):
            with self.assertRaisesRegex(girih.Refused, "neither"):
                girih.verify(other)
        with self.assertRaises(girih.Refused):
            girih.verify("a\0b")

    def test_options_are_what_they_say(self):
        for wrong in ({"index_width": 7}, {"index_width": 65},
                      {"index_width": True}, {"index_width": 32.0},
                      {"steps": -1}, {"steps": 2 ** 64 + 1},
                      {"steps": "150000"}, {"steps": 1.9},
                      {"threads": 0}, {"threads": 2 ** 32},
                      {"search": 1}, {"stored": None}, {"suggest": "no"},
                      {"cross_check": 0}, {"certificates": 3},
                      {"certificates": "\ud800"}):
            with self.assertRaises(girih.Refused, msg=wrong):
                girih.verify(ADD, **wrong)
        with self.assertRaises(girih.Malformed):
            girih.verify(ADD, certificates="no certificates")
        with self.assertRaises(TypeError):
            girih.verify(ADD, width=8)

    def test_threads(self):
        verdicts = []
        threads = [threading.Thread(target=lambda: verdicts.append(
            girih.verify(shipped("add")).verdict)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(verdicts, [girih.Verdict.VERIFIED] * 4)

    def test_one_line(self):
        said = subprocess.run(
            [sys.executable, "-I", "-c",
             f"import girih; print(girih.verify({str(shipped('add'))!r}))"],
            capture_output=True, text=True)
        self.assertRegex(said.stdout, r"^VERIFIED .*/add\.mlir: ")
        self.assertEqual(said.stderr, "")


if __name__ == "__main__":
    unittest.main()
