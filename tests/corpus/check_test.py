# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests what refuses kernels of the corpus, on small ones of its own.

  check_test.py BIN_DIR
"""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

import check
import corpus
import verify

BIN = pathlib.Path(sys.argv.pop(1)).resolve()
TREE = corpus.ROOT
RULE = corpus.HERE / "girih/rules/claim.bounds"
BAD, GOOD = ((RULE / f"{name}.mlir").read_text() for name in ("bad", "good"))
BODY = GOOD.split("\n", 1)[1]


class Form(unittest.TestCase):
    def refused(self, text, why):
        with self.assertRaises(corpus.Wrong) as caught:
            corpus.expectation(corpus.header(text)["expect"])
        self.assertIn(why, str(caught.exception))

    def test_fields(self):
        self.assertEqual(
            corpus.header("// expect: VERIFIED\n// twin: a.mlir\n// Text.\n"),
            {"expect": "VERIFIED", "twin": "a.mlir"})
        self.assertEqual(
            corpus.expectation("REFUTED claim.disjoint out.covered"),
            ("REFUTED", ["claim.disjoint", "out.covered"]))

    def test_none(self):
        self.refused(BODY, "the first line is no `// expect:")
        self.refused("// Text.\n// expect: VERIFIED\n", "the first line")

    def test_words(self):
        self.refused("// expect: FINE\n", "no verdict is called `FINE`")
        self.refused("// expect: REFUTED no.rule\n", "no rule is called `no.rule`")
        self.refused("// expect: REFUTED\n", "rules stand behind every verdict")
        self.refused("// expect: VERIFIED claim.bounds\n", "rules stand behind")

    def test_order(self):
        self.refused("// expect: VERIFIED\n// source: a\n// twin: a.mlir\n",
                     "another order")
        self.refused("// source: a\n// expect: VERIFIED\n", "the first line")


class Tree(unittest.TestCase):
    """A tree with a corpus of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name)
        self.bin = root / "build/bin"
        self.bin.mkdir(parents=True)
        for tool in ("tile-verify", "tile-exec"):
            (self.bin / tool).symlink_to(BIN / tool)
        (root / "spec").symlink_to(TREE / "spec")
        self.corpus = root / "tests/corpus"
        self.corpus.mkdir(parents=True)
        (self.corpus / "verify.py").write_text("")
        results = root / "outside.json"
        results.write_text('{"suites": {}}')
        for where, name, value in ((corpus, "ROOT", root),
                                   (corpus, "HERE", self.corpus),
                                   (check, "RESULTS", results)):
            patch = mock.patch.object(where, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def write(self, path, text):
        (self.corpus / path).parent.mkdir(parents=True, exist_ok=True)
        (self.corpus / path).write_text(text)

    def headers(self, update=False):
        with contextlib.redirect_stdout(io.StringIO()):
            return check.headers(update)

    def verify(self):
        said = io.StringIO()
        arguments = ["verify.py", str(self.bin), "girih"]
        with mock.patch.object(sys, "argv", arguments), \
                contextlib.redirect_stdout(said):
            verify.main()
        return said.getvalue()


class Headers(Tree):
    def setUp(self):
        super().setUp()
        self.write("girih/rules/x/bad.mlir", BAD)
        self.write("girih/rules/x/good.mlir", GOOD)

    def refused(self, why):
        wrong = self.headers()
        self.assertEqual(len(wrong), 1, wrong)
        self.assertIn(why, wrong[0])

    def test_whole(self):
        self.assertEqual(self.headers(), [])

    def test_no_header(self):
        self.write("girih/rules/x/good.mlir", BODY)
        self.write("girih/rules/x/bad.mlir", GOOD)
        self.refused("x/good.mlir: the first line is no `// expect:")

    def test_no_twin(self):
        self.write("girih/rules/x/bad.mlir",
                   BAD.replace("// twin: good.mlir\n", ""))
        self.refused("x/bad.mlir: no `// twin: NAME.mlir`")

    def test_twin_that_is_not_there(self):
        (self.corpus / "girih/rules/x/good.mlir").unlink()
        self.refused("x/bad.mlir: its twin good.mlir does not exist")

    def test_twin_that_is_not_verified(self):
        self.write("girih/rules/x/good.mlir", BAD)
        wrong = self.headers()
        self.assertEqual(len(wrong), 2)
        self.assertIn("its twin good.mlir is not VERIFIED", wrong[0])

    def test_outside_of_a_topic(self):
        self.write("good.mlir", GOOD)
        self.refused("good.mlir: not in a topic")

    def test_suite(self):
        table = {"title": "T", "repository": "a/b", "commit": "0123456789",
                 "cases": [{"case": "one", "kernels": ["a"]},
                           {"case": "two", "excluded": "why"}]}
        source = "// source: a/b@0123456 one\n"
        verified = "// expect: VERIFIED\n" + source + BODY
        self.write("s/t/a.mlir", verified)
        self.write("s/t.json", json.dumps(table))
        self.refused("has other counts")
        self.assertEqual(self.headers(update=True), [])
        row, = json.loads(check.RESULTS.read_text())["suites"].values()
        self.assertEqual(row, {"title": "T", "cases": 2, "excluded": 1,
                               "kernels": 1, "verified": 1, "refuted": 0,
                               "unknown": []})
        self.write("s/t/a.mlir", "// expect: VERIFIED\n" + BODY)
        self.refused("s/t/a.mlir: no `// source: a/b@0123456 ...`")
        self.write("s/t/a.mlir", verified)
        table["cases"][1] = {"case": "two"}
        self.write("s/t.json", json.dumps(table))
        self.assertIn("s/t: two: kernels or a reason, please", self.headers())
        table["cases"][1] = {"case": "two", "kernels": ["b"]}
        self.write("s/t.json", json.dumps(table))
        self.assertIn("s/t/b: no such file", self.headers())
        table["cases"].pop()
        self.write("s/t.json", json.dumps(table))
        self.write("s/t/b.mlir", verified)
        self.assertIn("s/t/b: not in the table", self.headers())


class Verdicts(Tree):
    def setUp(self):
        super().setUp()
        self.write("girih/rules/bad.mlir", BAD)
        self.write("girih/rules/good.mlir", GOOD)

    def wrong(self):
        return check.verdicts(self.bin, "girih")

    def test_each_once(self):
        self.assertEqual(self.verify(), "girih: 2 of 2 kernels verified\n")
        self.assertEqual(self.wrong(), [])
        self.assertEqual(self.verify(), "girih: 0 of 2 kernels verified\n")
        self.write("girih/rules/good.mlir", GOOD + "\n")
        with self.assertRaisesRegex(SystemExit, "is of other kernels"):
            self.wrong()
        self.assertEqual(self.verify(), "girih: 1 of 2 kernels verified\n")
        self.assertEqual(self.wrong(), [])
        with mock.patch.object(corpus, "tools", lambda _: {"tile-verify": "new"}):
            with self.assertRaisesRegex(SystemExit, "is of other tools"):
                self.wrong()
            self.assertEqual(self.verify(),
                             "girih: 2 of 2 kernels verified\n")

    def test_nothing_was_said(self):
        with self.assertRaisesRegex(SystemExit, "does not exist"):
            self.wrong()

    def refused(self, why, count=1):
        self.verify()
        wrong = self.wrong()
        self.assertEqual(len(wrong), count, wrong)
        self.assertIn(why, wrong[0])

    def test_another_verdict(self):
        self.write("girih/rules/bad.mlir",
                   "// expect: VERIFIED\n" + BAD.split("\n", 1)[1])
        self.refused("bad.mlir: expected VERIFIED, got ['REFUTED']", 2)
        self.write("girih/rules/bad.mlir", BAD)
        self.write("girih/rules/good.mlir",
                   "// expect: REFUTED claim.bounds\n" + BODY)
        self.refused("good.mlir: expected REFUTED, got ['VERIFIED']", 2)

    def test_another_rule(self):
        self.write("girih/rules/bad.mlir",
                   BAD.replace("claim.bounds", "claim.disjoint", 1))
        self.refused("expected ['claim.disjoint'], got ['claim.bounds']")

    def test_one_rule_of_two(self):
        self.write("girih/rules/bad.mlir",
                   BAD.replace("claim.bounds", "claim.bounds out.covered", 1))
        self.refused("expected ['claim.bounds', 'out.covered'], "
                     "got ['claim.bounds']")

    def test_no_kernel(self):
        self.write("girih/rules/good.mlir", "// expect: VERIFIED\nkernel\n")
        self.refused("good.mlir: expected VERIFIED, got none", 2)

    def changed(self, change, why):
        self.verify()
        kernel = corpus.Kernel(self.corpus / "girih/rules/bad.mlir")
        record = corpus.verdicts(self.bin, "girih")[kernel.name]
        self.assertEqual(list(check.compare(kernel, record)), [])
        change(record["replays"][0])
        wrong, = check.compare(kernel, record)
        self.assertIn(why, wrong)

    def test_replay(self):
        self.changed(lambda r: r.update(code=0), "does not show claim.bounds")
        self.changed(lambda r: r.update(text="error: [claim.disjoint]"),
                     "does not show claim.bounds")


if __name__ == "__main__":
    unittest.main()
