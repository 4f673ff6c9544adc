#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reference.py beside what transformers computed of the tiny model, and random
weights of larger shapes.

  reference_test.py PACKAGES
"""

import contextlib
import io
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import fake
import numpy as np
from qwen3.text import Tokenizer
from reference import E4M3, Reference, in_f8, in_int4, nearest_f8, tensors_of

RECORDED = json.loads((fake.HERE / "tiny.json").read_text())
LOGITS = np.load(fake.HERE / "tiny.npz")["logits"]
#: What f32 may move logits: more is a mistake, not rounding.
MAX_ROUNDING = 1e-3


class Tiny(unittest.TestCase):
    def test_size(self):
        files = list(fake.TINY.iterdir())
        self.assertLessEqual(sum(file.stat().st_size for file in files), 8_000_000)
        self.assertLess(RECORDED["rounding"]["f32"], MAX_ROUNDING)
        self.assertLess(RECORDED["rounding"]["f32"], RECORDED["rounding"]["bf16"])

    def test_logits(self):
        """In f64 within f32's rounding; in f32 within twice that: both round."""
        for dtype, times in ((np.float64, 1), (np.float32, 2)):
            model = Reference(fake.TINY, dtype)
            for prompt, logits in zip(RECORDED["prompts"], LOGITS, strict=True):
                model.forget()
                found = model.logits(prompt["tokens"])[-1]
                self.assertEqual(found.dtype, dtype)
                self.assertLessEqual(np.abs(found - logits).max(),
                                     times * RECORDED["rounding"]["f32"])

    def test_greedy(self):
        """Equal tokens wherever the two best logits differ by more than rounding
        moves them; there are places where they do."""
        model = Reference(fake.TINY, np.float32)
        for prompt in RECORDED["prompts"]:
            tokens = prompt["greedy"]
            best = np.array(prompt["best"])
            sure = best[:, 0] - best[:, 1] > 4 * RECORDED["rounding"]["f32"]
            self.assertGreater(sure.mean(), 0.9)
            model.forget()
            rows = model.logits(prompt["tokens"] + tokens[:-1])
            found = rows[len(prompt["tokens"]) - 1:].argmax(-1)
            np.testing.assert_array_equal(found[sure], np.array(tokens)[sure])
        self.assertEqual(max(len(p["greedy"]) for p in RECORDED["prompts"]), 256)

    def test_narrow(self):
        """What weights in f8 and in int4 cost, in nats a token of a text that the model has not
        seen: the README of the engine has it."""
        text = (fake.ROOT / "lower/tune/space.py").read_text()
        tokens = Tokenizer(fake.TINY).encode(text)[:2048]
        nats = {}
        for weights in ("bf16", "f8", "int4"):
            model, found = Reference(fake.TINY, np.float32, weights), []
            for at in range(0, len(tokens), 256):
                piece = tokens[at:at + 256]
                model.forget()
                logits = model.logits(piece[:-1]).astype(np.float64)
                logits -= logits.max(-1, keepdims=True)
                chosen = logits[np.arange(len(piece) - 1), piece[1:]]
                found.append(np.log(np.exp(logits).sum(-1)) - chosen)
            nats[weights] = np.concatenate(found).mean()
        self.assertAlmostEqual(nats["bf16"], 3.323, 2)
        self.assertAlmostEqual(nats["f8"] - nats["bf16"], 0.0026, 3)
        self.assertAlmostEqual(nats["int4"] - nats["bf16"], 0.0184, 3)

    def test_rounding_to_f8(self):
        np.testing.assert_array_equal(nearest_f8(E4M3), E4M3)
        np.testing.assert_array_equal(nearest_f8(np.array([-460.0, 1.0625, 1.1875])),
                                      [-448, 1, 1.25])
        matrix = np.array([[0.5, -0.25, 0.126], [0, 0, 0]], np.float32)
        np.testing.assert_allclose(in_f8(matrix), [[0.5, -0.25, 0.125], [0, 0, 0]],
                                   rtol=1e-6)

    def test_rounding_to_int4(self):
        matrix = np.zeros((2, 192), np.float32)
        matrix[0, :4], matrix[0, 130:132] = [7, -3.4, 2.5, 3.5], [-0.875, 0.2]
        found = in_int4(matrix)
        np.testing.assert_array_equal(found[0, :4], [7, -3, 2, 4])
        np.testing.assert_array_equal(found[0, 130:132], [-0.875, 0.25])
        self.assertEqual(np.count_nonzero(found), 6)

    def test_step_by_step(self):
        """Token by token, with what is kept, as all at once."""
        model = Reference(fake.TINY, np.float64)
        tokens = RECORDED["prompts"][5]["tokens"]
        whole = model.logits(tokens)
        model.forget()
        steps = np.concatenate([model.logits([token]) for token in tokens])
        np.testing.assert_allclose(steps, whole, rtol=0, atol=1e-9)
        self.assertEqual(model.greedy(tokens, 8),
                         RECORDED["prompts"][5]["greedy"][:8])


class RandomWeights(unittest.TestCase):
    SCRIPT = fake.ROOT / "bench/qwen3/random_weights.py"

    def setUp(self):
        sys.path.insert(0, str(self.SCRIPT.parent))
        import random_weights
        self.module = random_weights

    def run_script(self, *arguments):
        return subprocess.run([sys.executable, "-B", str(self.SCRIPT),
                               *map(str, arguments)], capture_output=True, text=True)

    def test_rounding(self):
        values = np.array([1, 1 + 2**-8, 1 + 3 * 2**-8, 1 + 2**-8 + 2**-20, -0.0, 3e38,
                           1e-40], np.float32)
        bits = np.array([0x3F80, 0x3F80, 0x3F82, 0x3F81, 0x8000, 0x7F62, 0x0001],
                        np.uint16)
        np.testing.assert_array_equal(self.module.rounded(values), bits)

    def test_sizes(self):
        """Parameters as the models' names have them, and files of a gigabyte."""
        for like, parameters, files in (("0.6B", 596_049_920, 2),
                                        ("4B", 4_022_468_096, 8),
                                        ("32B", 32_762_123_264, 66)):
            shapes = self.module.shapes_of(self.module.config_of(like, None))
            self.assertEqual(sum(map(math.prod, shapes.values())), parameters)
            self.assertEqual(len(self.module.files_of(shapes)), files)

    def test_a_model(self):
        """Of fewer tokens, in several files."""
        with (tempfile.TemporaryDirectory() as name,
              mock.patch.multiple(self.module, VOCABULARY=3000, MAX_FILE=1 << 23)):
            folder = pathlib.Path(name, "model")
            arguments = ["", str(folder), "--like=0.6B", "--layers=2", "--seed=3"]
            with (mock.patch.object(sys, "argv", arguments),
                  contextlib.redirect_stdout(io.StringIO())):
                self.module.main()
            self.assertGreater(len(list(folder.glob("*.safetensors"))), 5)
            tensors = tensors_of(folder)
            self.assertEqual(len(tensors), 24)
            q = tensors["model.layers.1.self_attn.q_proj.weight"]
            self.assertEqual(q.shape, (2048, 1024))
            self.assertAlmostEqual(float(q.std()), 0.02, 4)
            logits = Reference(folder).logits([1, 2, 2999])
            self.assertTrue(np.isfinite(logits).all())
            self.assertLess(np.abs(logits).max(), 100)
            again = self.run_script(folder, "--like=0.6B", "--layers=1")
            self.assertEqual(again.returncode, 3)
            self.assertIn("exists", again.stderr)
            self.assertEqual([path.name for path in pathlib.Path(name).iterdir()],
                             ["model"])

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "model")
            for arguments, message in [
                    (["--like=7B"], "invalid choice"), ([], "--like"),
                    (["--like=4B", "--layers=0"], "--layers is 0"),
                    (["--like=4B", "--seed=-1"], "--seed is -1"),
                    (["--like=4B", "--layers=1", "--tokenizer=/nonexistent"],
                     "No such file")]:
                done = self.run_script(folder, *arguments)
                self.assertEqual(done.returncode, 3, done.stderr)
                self.assertIn(message, done.stderr)
                self.assertNotIn("Traceback", done.stderr)
                self.assertEqual(list(pathlib.Path(name).iterdir()), [])


if __name__ == "__main__":
    unittest.main()
