#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine with a model that is cut over several devices, on the simulated driver
with its stand-in for NCCL: the answers of one device, up to rounding.

  ranks_test.py PACKAGES LIBRARY KERNELS
"""

import ctypes
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import answers_test as answers
import numpy as np
import random_model
from answers_test import KERNELS, LIBRARY, ROUNDING, TINY, answer
from qwen3.engine import Engine, Event, Sampling
from qwen3.errors import Error
from reference import Reference

DRIVER = ctypes.CDLL("libcuda.so.1")
DRIVER.simDevices(4)


class Two(answers.Answers, unittest.TestCase):
    DEVICES, RANKS, OPT_OUTS = (0, 1), 2, ["nccl.allGather", "nccl.allReduce"]
    LOGITS_OF = answers.PROMPTS[1:3]
    # They are of the thread in front of all decoders, and of the sampler.
    test_positions = test_refusals = test_recorded_tokens = test_ends = None
    test_drawn_tokens = None

    def test_prompts_in_pieces(self):
        """Graphs of prompts are replayed at other positions, and made for other numbers
        of tokens."""
        prompts = [prompt for prompt, _ in answers.PROMPTS[:3]]
        for chunk in (5, 20):
            found = []
            for devices in ((), (0, 1)):
                with Engine(LIBRARY, TINY, KERNELS, positions=64, devices=devices,
                            chunk=chunk) as engine:
                    found.append([answer(engine.submit((prompt * 4)[:39], 3))
                                  for prompt in prompts])
            self.assertEqual(*found)

    def test_the_same_as_one(self):
        """Logits differ by the order of the sums alone, and draws by no more."""
        prompt = answers.PROMPTS[1][0]
        with Engine(LIBRARY, TINY, KERNELS, positions=64) as one:
            for by_step in (False, True):
                difference = np.subtract(self.engine.logits(prompt, by_step),
                                         one.logits(prompt, by_step))
                self.assertLessEqual(np.abs(difference).max(), ROUNDING)
            cold = Sampling(0.01, seed=7)
            self.assertEqual(answer(one.submit(prompt, 3, cold)),
                             answer(self.engine.submit(prompt, 3, cold)))


class Several(answers.Several):
    DEVICES = (0, 1)
    LOGITS_OF = answers.PROMPTS[2:3]
    test_positions = test_refusals = test_recorded_tokens = test_ends = None
    test_report = test_drawn_tokens = None  # test_at_once draws


class Ends(answers.Ends):
    DEVICES = (0, 1)


class Placed(unittest.TestCase):
    def test_devices(self):
        """May be on any devices, with equal bits, and may be one."""
        prompt = answers.PROMPTS[1][0]
        found = []
        for devices in ((0, 1), (3, 2), (2,)):
            with Engine(LIBRARY, TINY, KERNELS, positions=32,
                        devices=devices) as engine:
                found.append(answer(engine.submit(prompt, 2, Sampling(2.0, seed=4))))
        self.assertEqual(found[0], found[1])
        self.assertEqual(len(found[2][0]), 2)


    def test_chunks(self):
        """A prompt some tokens at a time, whose answer is the likeliest."""
        prompt = answers.PROMPTS[2][0][:12]
        logits = Reference(TINY, np.float32).logits(prompt)[-1]
        for sequences in (1, 2):
            with Engine(LIBRARY, TINY, KERNELS, positions=32, sequences=sequences,
                        chunk=5, devices=(0, 1)) as engine:
                tokens, _ = answer(engine.submit(prompt, 1))
                self.assertLessEqual(logits.max() - logits[tokens[0]], 2 * ROUNDING)

    def test_nan(self):
        """Ends the request that meets it, whichever rank has the logit."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "model")
            shutil.copytree(TINY, folder)
            for sequences, row in ((1, 2040), (2, 7)):
                answers.spoil(TINY, folder, row)
                with Engine(LIBRARY, folder, KERNELS, positions=32,
                            sequences=sequences, devices=(0, 1)) as engine:
                    with self.assertRaisesRegex(Error, "a logit is NaN"):
                        answer(engine.submit([3, 8], 2))


class Four(unittest.TestCase):
    def test_random_weights(self):
        """Of 4 heads of keys, over 1, 2 and 4 devices beside NumPy, and one another."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            random_model.write(
                folder, 12, hidden_size=64, intermediate_size=96,
                num_hidden_layers=2, num_attention_heads=8, num_key_value_heads=4,
                vocab_size=96)
            reference = Reference(folder, np.float32)
            prompt = [3, 90, 41, 7, 66]
            want = reference.logits(prompt)[-1]
            bound = 0.03 * np.abs(want).max()
            for devices in ((0,), (0, 1), (0, 1, 2, 3)):
                with Engine(LIBRARY, folder, KERNELS, positions=32,
                            devices=devices) as engine:
                    for by_step in (False, True):
                        found = np.array(engine.logits(prompt, by_step))
                        self.assertLessEqual(np.abs(found - want).max(), bound)
                    tokens, end = answer(engine.submit(prompt, 3))
                    self.assertEqual(end, Event.LENGTH)
                    self.assertLessEqual(want.max() - want[tokens[0]], 2 * bound)


class Refusals(unittest.TestCase):
    def test_what_cannot_be_cut(self):
        for devices, what, code, more in (
                ((0, 1, 2), "num_key_value_heads is 2: 3 devices take multiples of 3",
                 3, {}),
                ((0, 0), "device 0 is two ranks", 3, {}),
                ((0, 9), "sees no device 9", 4, {}),
                ((0, 1), "65 sequences", 3, {"sequences": 65}),
                ((0, 1, 2), "invariant answers on 3 devices", 3,
                 {"sequences": 2, "invariant": True})):
            with self.assertRaisesRegex(Error, what) as raised:
                Engine(LIBRARY, TINY, KERNELS, devices=devices, **more)
            self.assertEqual(raised.exception.code, code)

    def test_kernels_of_ranks(self):
        """Are asked for where there are ranks."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "kernels")
            shutil.copytree(KERNELS, folder)
            shutil.rmtree(folder / "rank_gemv")
            with self.assertRaisesRegex(Error, "missing: rank_gemv"):
                Engine(LIBRARY, TINY, folder, devices=(0, 1))
            Engine(LIBRARY, TINY, folder, positions=8).close()

    def test_collectives_of_graphs_alone(self):
        """The tools say so to NCCL, unless the user has said something."""
        nccl = ctypes.CDLL("libnccl.so.2")
        name = "NCCL_GRAPH_MIXING_SUPPORT"
        before = os.environ.pop(name, None)
        try:
            for said, expected in ((None, 0), ("1", 1)):
                if said:
                    os.environ[name] = said
                outside = dict(os.environ)
                Engine(LIBRARY, TINY, KERNELS, positions=8, devices=(0, 1)).close()
                self.assertEqual(nccl.fakeNcclMixing(), expected)
                done = subprocess.run(
                    [pathlib.Path(LIBRARY).parents[1] / "bin/qwen3", "tokens", TINY,
                     KERNELS, "1", "5", "--devices=0,1"], capture_output=True,
                    text=True, env=outside | {"FAKE_NCCL_SAYS": "1"})
                self.assertIn(f"{name} {expected}\n", done.stderr)
        finally:
            os.environ.pop(name, None)
            if before is not None:
                os.environ[name] = before

    def test_rank_that_fails(self):
        """Ends the engine, and the others do not wait for it: one that is not queued,
        and one whose token is waited for in memory."""
        for call, code in ((b"cuGraphLaunch", 999), (b"cuStreamQuery", 719)):
            with Engine(LIBRARY, TINY, KERNELS, positions=32, devices=(0, 1)) as engine:
                with engine.submit([5, 6], 20) as request:
                    self.assertEqual(request.next()[0], Event.TOKEN)
                    DRIVER.simFailCall(call, 2, code)
                    with self.assertRaisesRegex(Error, call.decode()):
                        answer(request)
                DRIVER.simStopFailing()
                with self.assertRaisesRegex(Error, "serves no more"):
                    engine.submit([5], 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
