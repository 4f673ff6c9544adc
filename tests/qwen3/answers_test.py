#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine itself, with the small trained model, on the simulated driver, whose
kernels run on the reference executor: logits and tokens beside those of transformers
and of NumPy, for one sequence and for several.

  answers_test.py PACKAGES LIBRARY KERNELS

With GIRIH_DRAWS more prompts, and longer ones.
"""

import ctypes
import json
import os
import pathlib
import random
import shutil
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
PACKAGES, LIBRARY, KERNELS = sys.argv[1:4]
sys.path[:0] = [str(HERE.parents[1] / "bench/qwen3/python"), PACKAGES]
import numpy as np  # noqa: E402
from qwen3.engine import (HANDLE, PROGRESS, Engine, Event, Options,  # noqa: E402
                          Sampling, load)
from qwen3.errors import Error  # noqa: E402
import random_model  # noqa: E402
from reference import Reference  # noqa: E402

TINY = HERE / "tiny"
RECORDED = json.loads((HERE / "tiny.json").read_text())
LOGITS = np.load(HERE / "tiny.npz")["logits"]
#: What bf16 moves logits of transformers at most.
ROUNDING = RECORDED["rounding"]["bf16"]
DRAWS = int(os.environ.get("GIRIH_DRAWS", "1"))
#: Tokens of a prompt: each costs the executor a token.
LONGEST = 32 if DRAWS == 1 else 400
PROMPTS = [(prompt["tokens"], logits)
           for prompt, logits in zip(RECORDED["prompts"], LOGITS, strict=True)
           if len(prompt["tokens"]) <= LONGEST]


def answer(request):
    """Its tokens and how it ended."""
    tokens = []
    while True:
        event, token = request.next()
        if event != Event.TOKEN:
            return tokens, event
        tokens.append(token)


def spoil(model, folder, row):
    """Gives a folder the model's weights with a NaN in a row of the embedding, which
    is the head, too: a logit of all."""
    data = bytearray((model / "model.safetensors").read_bytes())
    size = int.from_bytes(data[:8], "little")
    header = json.loads(data[8:8 + size])
    first, _ = header["model.embed_tokens.weight"]["data_offsets"]
    at = 8 + size + first + row * 256 * 2
    data[at:at + 2] = b"\xc0\x7f"
    (folder / "model.safetensors").write_bytes(data)


class Answers:
    """Of an engine for so many sequences."""

    SEQUENCES = 1
    DEVICES, RANKS, OPT_OUTS = (), 1, []
    LOGITS_OF = PROMPTS

    @classmethod
    def setUpClass(cls):
        cls.engine = Engine(LIBRARY, TINY, KERNELS, positions=8 + LONGEST,
                            sequences=cls.SEQUENCES, devices=cls.DEVICES)
        cls.reference = Reference(TINY, np.float32)

    @classmethod
    def tearDownClass(cls):
        cls.engine.close()

    def ask(self, prompt, count, **how):
        return answer(self.engine.submit(prompt, count, Sampling(**how)))

    def behind(self, tokens):
        """f32[vocabulary] by NumPy."""
        self.reference.forget()
        return self.reference.logits(tokens)[-1]

    def check_likely(self, prompt, tokens):
        """Each is the likeliest behind those before it, up to rounding."""
        self.reference.forget()
        rows = self.reference.logits(prompt + tokens[:-1])[len(prompt) - 1:]
        chosen = rows[np.arange(len(tokens)), tokens]
        self.assertLessEqual((rows.max(-1) - chosen).max(), 2 * ROUNDING)

    def test_logits(self):
        self.assertGreater(len(PROMPTS), 3)
        for prompt, logits in self.LOGITS_OF:
            for by_step in (False, True):
                found = np.array(self.engine.logits(prompt, by_step))
                self.assertLessEqual(np.abs(found - logits).max(), ROUNDING)

    def test_tokens(self):
        for prompt, _ in PROMPTS[-2:]:
            tokens, end = self.ask(prompt, 6)
            self.assertEqual((len(tokens), end), (6, Event.LENGTH))
            self.check_likely(prompt, tokens)

    def test_recorded_tokens(self):
        """The token behind the first of an answer that transformers gave, where the
        two best logits differ by more than rounding moves them."""
        draw = random.Random(5)
        asked = 0
        for recorded in RECORDED["prompts"][:len(PROMPTS)]:
            for _ in range(DRAWS):
                at = draw.randrange(min(len(recorded["greedy"]), 40))
                best, second = recorded["best"][at]
                if best - second > 2 * ROUNDING:
                    prompt = (recorded["tokens"] + recorded["greedy"][:at])[-LONGEST:]
                    if len(prompt) < len(recorded["tokens"]) + at:
                        continue
                    tokens, _ = self.ask(prompt, 1)
                    self.assertEqual(tokens, [recorded["greedy"][at]])
                    asked += 1
        self.assertGreater(asked, 1)

    def test_drawn_tokens(self):
        prompt = PROMPTS[2][0]
        greedy, _ = self.ask(prompt, 4)
        # One token is left: by its rank, by its weight, by a low temperature.
        for how in ({"top_k": 1}, {"top_p": 1e-6}, {"temperature": 1e-3}):
            how = {"temperature": 2.0, "seed": 3} | how
            self.assertEqual(self.ask(prompt, 4, **how)[0], greedy)
        hot = {"temperature": 5.0, "top_k": 40}
        answers = [tuple(self.ask(prompt, 3, seed=seed, **hot)[0])
                   for seed in (1, 2, 1, 2**40 + 1)]
        self.assertEqual(answers[0], answers[2])
        self.assertEqual(len(set(answers)), 3)
        logits = self.behind(prompt)
        least = np.sort(logits)[-40]
        for tokens in answers:
            self.assertGreaterEqual(logits[tokens[0]], least - 2 * ROUNDING)

    @unittest.skipIf(DRAWS == 1, "takes minutes")
    def test_probabilities(self):
        """How often a token is drawn is its probability, of those that are left."""
        prompt, how = PROMPTS[0][0], {"temperature": 1.5, "top_k": 12, "top_p": 0.8}
        count = 60 * DRAWS
        drawn = np.zeros(2048)
        for seed in range(count):
            drawn[self.ask(prompt, 1, seed=seed, **how)[0][0]] += 1
        logits = np.array(self.engine.logits(prompt), np.float64) / 1.5
        order = np.argsort(-logits, kind="stable")[:12]
        weights = np.exp(logits[order] - logits[order[0]])
        weights /= weights.sum()
        left = np.concatenate(([0], weights.cumsum()[:-1])) < 0.8
        expected = weights[left] / weights[left].sum() * count
        self.assertEqual(drawn[order[left]].sum(), count)
        chi = ((drawn[order[left]] - expected) ** 2 / expected).sum()
        freedom = left.sum() - 1
        self.assertLess(chi, freedom + 6 * np.sqrt(2 * freedom))

    def test_positions(self):
        """An answer ends where the positions do: the last token takes none."""
        positions = self.engine.report()["model"]["positions"]
        with self.assertRaisesRegex(Error, "positions"):
            self.engine.submit([1] * (positions + 1), 1)
        prompt = (PROMPTS[-1][0] * 9)[:positions - 3]
        tokens, end = self.ask(prompt, 1000)
        self.assertEqual((len(tokens), end), (4, Event.LENGTH))
        self.check_likely(prompt, tokens)

    def test_ends(self):
        prompt = PROMPTS[1][0]
        tokens, _ = self.ask(prompt, 3)
        first = tokens.index(tokens[2])
        with self.engine.submit(prompt, 30, stop_tokens=[5, tokens[2]]) as request:
            self.assertEqual(answer(request), (tokens[:first], Event.STOP))
            self.assertEqual(request.next(), (Event.STOP, None))
        with self.engine.submit(prompt, 40) as request:
            self.assertEqual(request.next()[0], Event.TOKEN)
            request.cancel()
            self.assertEqual(answer(request)[1], Event.CANCELLED)
        self.assertEqual(self.ask(prompt, 3)[0], tokens)

    def test_refusals(self):
        for prompt, count, how in (
                ([], 1, {}), ([2048], 1, {}), ([-1], 1, {}), ([1], 0, {}),
                ([1], -5, {}), ([1], 1, {"temperature": -1.0}),
                ([1], 1, {"temperature": float("nan")}), ([1], 1, {"top_k": -1}),
                ([1], 1, {"top_p": 0.0}), ([1], 1, {"top_p": 1.5})):
            with self.assertRaises(Error) as raised:
                self.engine.submit(prompt, count, Sampling(**how))
            self.assertEqual(raised.exception.code, 3)
        with self.assertRaises(Error):
            self.engine.logits([1, 2048])
        self.assertEqual(self.ask([1], 1)[1], Event.LENGTH)

    def test_report(self):
        report = self.engine.report()
        self.assertEqual(report["model"]["sequences"], self.SEQUENCES)
        self.assertEqual(report["model"]["ranks"], self.RANKS)
        self.assertEqual(report["opt_outs"], self.OPT_OUTS)
        self.assertEqual({kernel["verdict"] for kernel in report["kernels"]},
                         {"VERIFIED"})
        self.assertIn("paged_heads", {kernel["name"] for kernel in report["kernels"]})


class One(Answers, unittest.TestCase):
    pass


class Several(Answers, unittest.TestCase):
    SEQUENCES = 3

    def test_at_once(self):
        """More requests than sequences, of different lengths, some drawn and some
        cancelled: each answer is the one that it gets alone."""
        draw = random.Random(11)
        asked = []
        for seed in range(7 * DRAWS):
            prompt = [draw.randrange(2048) for _ in range(draw.randrange(1, 12))]
            how = {"temperature": 3.0, "seed": seed} if seed % 3 == 1 else {}
            asked.append((prompt, draw.randrange(1, 5), how))
        alone = [self.ask(prompt, count, **how) for prompt, count, how in asked]
        before = self.engine.counters()
        requests = [self.engine.submit(prompt, count, Sampling(**how))
                    for prompt, count, how in asked]
        cancelled = [self.engine.submit(prompt, 40) for prompt, _, _ in asked[:4]]
        for request in cancelled:
            request.cancel()
        self.assertEqual([answer(request) for request in requests], alone)
        for request in cancelled:
            self.assertEqual(answer(request)[1], Event.CANCELLED)
        after = self.engine.counters()
        self.assertEqual(after["finished"] - before["finished"], len(asked))
        self.assertEqual(after["cancelled"] - before["cancelled"], 4)
        self.assertEqual((after["active"], after["queued"]), (0, 0))


class Splits(unittest.TestCase):
    """Where the splits of attention change: the graphs are others, and go on with
    the same caches."""

    def test_likely(self):
        borders = (128,) if DRAWS == 1 else (128, 512, 1024)
        reference = Reference(TINY, np.float32)
        with Engine(LIBRARY, TINY, KERNELS, positions=borders[-1] + 8,
                    sequences=1) as engine:
            for border in borders:
                # The first token, behind the prompt, is no step's.
                prompt = [k * 37 % 2048 for k in range(border - 2)]
                tokens, end = answer(engine.submit(prompt, 5))
                self.assertEqual((len(tokens), end), (5, Event.LENGTH))
                reference.forget()
                rows = reference.logits(prompt + tokens[:-1])[len(prompt) - 1:]
                chosen = rows[np.arange(len(tokens)), tokens]
                self.assertLessEqual((rows.max(-1) - chosen).max(), 2 * ROUNDING)
                # As a prompt, too, behind steps of the last graph.
                found = np.array(engine.logits(prompt + tokens[:1]))
                self.assertLessEqual(np.abs(found - rows[1]).max(), ROUNDING)


class Ends(unittest.TestCase):
    """Prompts of more tokens than the rows that the last layer has behind its keys and
    values: at once, and in parts, whose graph is replayed at other positions."""
    DEVICES = ()

    def test_prompts(self):
        draw = random.Random(20)
        lengths = [129, 256] + [draw.randint(130, 400) for _ in range(2 * DRAWS - 1)]
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            random_model.write(
                folder, 20, hidden_size=64, intermediate_size=96, num_hidden_layers=2,
                num_attention_heads=4, num_key_value_heads=2, vocab_size=96)
            reference = Reference(folder, np.float32)
            for k, length in enumerate(lengths):
                prompt = [draw.randrange(96) for _ in range(length)]
                reference.forget()
                want = reference.logits(prompt)[-1]
                bound = 0.03 * np.abs(want).max()
                chunk = draw.randint(max(129, length // 3), length)
                sequences = 2 if k % 3 == 1 else 1
                with Engine(LIBRARY, folder, KERNELS, positions=length + 4,
                            sequences=sequences, chunk=chunk,
                            devices=self.DEVICES) as engine:
                    found = np.array(engine.logits(prompt))
                    self.assertLessEqual(np.abs(found - want).max(), bound)
                    tokens, _ = answer(engine.submit(prompt, 3))
                    reference.forget()
                    rows = reference.logits(prompt + tokens[:-1])[length - 1:]
                    chosen = rows[np.arange(len(tokens)), tokens]
                    self.assertLessEqual((rows.max(-1) - chosen).max(), 2 * bound,
                                         (length, chunk, sequences))


class Narrow(unittest.TestCase):
    def check_logits(self, weights, used):
        """Beside NumPy with the same weights; by kernels that take them."""
        reference = Reference(TINY, np.float32, weights)
        for sequences in (1, 3) if DRAWS > 1 else (1,):
            told = []
            with Engine(LIBRARY, TINY, KERNELS, positions=8 + LONGEST,
                        sequences=sequences, weights=weights,
                        progress=lambda *numbers: told.append(numbers)) as engine:
                self.assertEqual(told, sorted(told))
                self.assertEqual(*told[-1])
                for prompt, _ in PROMPTS if DRAWS > 1 else PROMPTS[1:3]:
                    reference.forget()
                    logits = reference.logits(prompt)[-1]
                    for by_step in (False, True):
                        found = np.array(engine.logits(prompt, by_step))
                        self.assertLessEqual(np.abs(found - logits).max(), ROUNDING)
                tokens, end = answer(engine.submit(PROMPTS[-1][0], 6))
                self.assertEqual((len(tokens), end), (6, Event.LENGTH))
                reference.forget()
                prompt = PROMPTS[-1][0]
                rows = reference.logits(prompt + tokens[:-1])[len(prompt) - 1:]
                chosen = rows[np.arange(len(tokens)), tokens]
                self.assertLessEqual((rows.max(-1) - chosen).max(), 2 * ROUNDING)
                report = engine.report()
                self.assertEqual(report["model"]["weights"], weights)
                names = {kernel["name"] for kernel in report["kernels"]}
                self.assertLessEqual(used, names)
                self.assertFalse({"gemv_norm", "skinny"} & names)

    def check_rows(self, weights, sequences, prompt):
        """By steps of as many rows as a graph for so many sequences has, and at once."""
        reference = Reference(TINY, np.float32, weights)
        with Engine(LIBRARY, TINY, KERNELS, positions=4 + len(prompt),
                    sequences=sequences, invariant=True, weights=weights) as engine:
            for tokens, by_step in ((prompt[:2], True), (prompt, False)):
                reference.forget()
                found = np.array(engine.logits(tokens, by_step))
                want = reference.logits(tokens)[-1]
                self.assertLessEqual(np.abs(found - want).max(), ROUNDING)

    def test_more_rows_f8(self):
        """16 rows are one launch of skinny_f8; weights in bf16 are for 385 rows."""
        length = 12 if DRAWS == 1 else 385
        self.check_rows("f8", 9, [k * 37 % 2048 for k in range(length)])

    def test_more_rows_int4(self):
        """32 rows are four launches of skinny_int4, 64 take weights in bf16."""
        self.check_rows("int4", 17, [k * 37 % 2048 for k in range(40)])

    def test_f8(self):
        self.check_logits("f8", {"gemv_norm_f8", "linear_f8", "weights_of_f8"})

    def test_int4(self):
        """The inner size is none of whole groups."""
        self.check_logits("int4", {"gemv_add_int4", "gemv_norm_int4",
                                   "gemv_norm_silu_int4", "linear_int4",
                                   "gemv_norm_f8", "weights_of_int4"})

    def test_refusals(self):
        for weights in (3, -1):
            options = Options(weights=weights)
            library, handle = load(LIBRARY), HANDLE()
            status = library.qwen3_open(str(TINY).encode(), str(KERNELS).encode(),
                                        options, PROGRESS(), None, handle)
            self.assertEqual(status, 3)
            self.assertIn(f"weights is {weights}".encode(), library.qwen3_error())
        with self.assertRaisesRegex(Error, "weights is 'f9', not one of bf16, f8, int4"):
            Engine(LIBRARY, TINY, KERNELS, weights="f9")
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "kernels")
            shutil.copytree(KERNELS, folder)
            for weights in ("f8", "int4"):
                shutil.rmtree(folder / f"linear_{weights}")
                Engine(LIBRARY, TINY, folder, positions=32).close()
                with self.assertRaisesRegex(Error,
                                            f"of .* missing: linear_{weights}"):
                    Engine(LIBRARY, TINY, folder, weights=weights)
            # Sizes that rows of 16-byte copies do not have; bf16 comes further.
            model = pathlib.Path(name, "model")
            shutil.copytree(TINY, model)
            config = json.loads((TINY / "config.json").read_text())
            for weights, key, size in (
                    ("f8", "hidden_size", 264), ("f8", "intermediate_size", 584),
                    ("f8", "vocab_size", 2044), ("int4", "hidden_size", 320),
                    ("int4", "intermediate_size", 584), ("int4", "vocab_size", 2044),
                    ("int4", "intermediate_size", 26640)):
                (model / "config.json").write_text(json.dumps(config | {key: size}))
                with self.assertRaisesRegex(
                        Error, f"{key} is {size}.*weights in {weights}"):
                    Engine(LIBRARY, model, KERNELS, weights=weights)
                with self.assertRaisesRegex(Error, "of another kind"):
                    Engine(LIBRARY, model, KERNELS)


class Chunks(unittest.TestCase):
    def test_prompts(self):
        """Taken some tokens at a time, as at once up to rounding; what runs goes on
        meanwhile, and what is cancelled ends between two chunks."""
        prompt, reference = PROMPTS[3][0], Reference(TINY, np.float32)
        logits = reference.logits(prompt)[-1]
        for sequences in (1, 2):
            with Engine(LIBRARY, TINY, KERNELS, positions=64, sequences=sequences,
                        chunk=5) as engine:
                tokens, _ = answer(engine.submit(prompt, 1))
                self.assertLessEqual(logits.max() - logits[tokens[0]], 2 * ROUNDING)
                if sequences == 1:
                    continue
                with (engine.submit([1], 40) as first,
                      engine.submit(prompt, 1) as second):
                    self.assertEqual(first.next()[0], Event.TOKEN)
                    self.assertEqual(second.next(), (Event.TOKEN, tokens[0]))
                    # Six steps are between seven chunks, the last one with its token.
                    for _ in range(len(prompt) // 5):
                        self.assertEqual(first.next(0)[0], Event.TOKEN)
                before = engine.counters()["prompt_tokens"]
                with (engine.submit([1], 60) as first,
                      engine.submit(prompt, 1) as second):
                    self.assertEqual(first.next()[0], Event.TOKEN)
                    second.cancel()
                    self.assertEqual(second.next(), (Event.CANCELLED, None))
                self.assertLess(engine.counters()["prompt_tokens"] - before,
                                len(prompt))
        with self.assertRaises(Error):
            Engine(LIBRARY, TINY, KERNELS, chunk=-1)

    def test_borders(self):
        """A prompt is cut where it would be alone, whoever fills a part of the chunk:
        so it takes two of them, and there are two steps before its token."""
        with (Engine(LIBRARY, TINY, KERNELS, positions=64, sequences=3,
                     chunk=8) as engine,
              engine.submit([1], 50) as first):
            self.assertEqual(first.next()[0], Event.TOKEN)
            with (engine.submit([2] * 5, 1) as short,
                  engine.submit([3] * 11, 1) as longer):
                self.assertEqual(short.next()[0], Event.TOKEN)
                while first.next(0)[0] == Event.TOKEN:
                    pass
                self.assertEqual(longer.next()[0], Event.TOKEN)
                for _ in range(2):
                    self.assertEqual(first.next(0)[0], Event.TOKEN)


class Closing(unittest.TestCase):
    def test_kernels(self):
        """One that was changed, and one in the place of another."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "kernels")
            shutil.copytree(KERNELS, folder)
            cubin = folder / "step_argmax/sm_90.cubin"
            whole = cubin.read_bytes()
            for changed in (whole[:-1], whole[:700],
                            whole[:1500] + b"\0" + whole[1501:]):
                cubin.write_bytes(changed)
                with self.assertRaisesRegex(Error, "step_argmax: sm_90.cubin") as raised:
                    Engine(LIBRARY, TINY, folder)
                self.assertEqual(raised.exception.code, 3)
            shutil.rmtree(folder / "linear")
            shutil.copytree(folder / "gemv_add", folder / "linear")
            with self.assertRaisesRegex(Error, "is the kernel gemv_add"):
                Engine(LIBRARY, TINY, folder)

    def test_device(self):
        """Another one than the first gives the same answers."""
        drawn = Sampling(2.0, 30, 0.9, 5)
        for sequences in (1, 2):
            found = []
            for device in (0, 1):
                with Engine(LIBRARY, TINY, KERNELS, device=device, positions=32,
                            sequences=sequences) as engine:
                    found.append([answer(engine.submit([5, 6, 7], 3, how))
                                  for how in (Sampling(), drawn)])
            self.assertEqual(*found)

    def test_nan(self):
        """Ends the request that meets it, and the engine serves on."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name, "model")
            shutil.copytree(TINY, folder)
            spoil(TINY, folder, 7)
            for sequences in (1, 2):
                with Engine(LIBRARY, folder, KERNELS, positions=64,
                            sequences=sequences) as engine:
                    for how in (Sampling(), Sampling(1.0, 5, 0.9, 3)):
                        with self.assertRaisesRegex(Error, "a logit is NaN"):
                            answer(engine.submit([3, 8], 4, how))
                    self.assertEqual(engine.counters()["active"], 0)

    def test_device_that_fails(self):
        """Ends the engine, also where a token is waited for in memory."""
        driver = ctypes.CDLL("libcuda.so.1")
        for call in (b"cuStreamQuery", b"cuGraphLaunch"):
            with Engine(LIBRARY, TINY, KERNELS, positions=64) as engine:
                with engine.submit([5, 6], 60) as request:
                    self.assertEqual(request.next()[0], Event.TOKEN)
                    driver.simFailCall(call, 2, 719)
                    with self.assertRaisesRegex(Error, call.decode()):
                        answer(request)
                driver.simStopFailing()
                with self.assertRaisesRegex(Error, "serves no more"):
                    engine.submit([5], 1)

    def test_null(self):
        """Is refused."""
        library = load(LIBRARY)
        for status in (
                library.qwen3_open(None, b"", None, PROGRESS(), None, None),
                library.qwen3_submit(None, None, 0, 1, None, None, 0, None),
                library.qwen3_logits(None, None, 0, 0, None)):
            self.assertEqual(status, 3)
            self.assertIn(b"null", library.qwen3_error())
        self.assertEqual(library.qwen3_next(None, 0, None), Event.BROKEN)
        self.assertEqual(library.qwen3_counters(None, None, 5), 0)
        self.assertEqual(library.qwen3_report(None), b"")
        library.qwen3_cancel(None)
        library.qwen3_release(None)
        library.qwen3_close(None)

    def test_what_is_left(self):
        """Requests that are left end when the engine is closed, and can be asked."""
        engine = Engine(LIBRARY, TINY, KERNELS, positions=64, sequences=2)
        requests = [engine.submit([seed + 1], 60) for seed in range(5)]
        self.assertEqual(requests[0].next()[0], Event.TOKEN)
        engine.close()
        for request in requests:
            self.assertEqual(answer(request)[1], Event.CANCELLED)
            request.release()

    def test_what_cannot_be_opened(self):
        for arguments, what in (
                ({"model": HERE / "nothing"}, "config.json"),
                ({"kernels": TINY}, "kernels are missing"),
                ({"positions": 1 << 20}, "positions"),
                ({"sequences": 65}, "sequences"), ({"device": 99}, "device")):
            with self.assertRaisesRegex(Error, what):
                Engine(LIBRARY, **{"model": TINY, "kernels": KERNELS} | arguments)


class Panels(unittest.TestCase):
    """Prompts whose products fill an H200 in panels: the engine takes kernels for
    them there (bench/qwen3/kernels/Panels.h)."""

    def check(self, length, **sizes):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            random_model.write(folder, 31, hidden_size=128, vocab_size=64, **sizes)
            prompt = [k * 7 % 64 for k in range(length)]
            want = Reference(folder, np.float32).logits(prompt)[-1]
            with Engine(LIBRARY, folder, KERNELS, positions=length + 8) as engine:
                found = np.array(engine.logits(prompt))
            error = np.abs(found - want).max()
            self.assertLessEqual(error, 0.03 * np.abs(want).max())

    def test_rows_of_heads(self):
        for heads, of_keys, width in ((16, 4, 96), (42, 14, 160), (23, 23, 192)):
            self.assertEqual((heads + 2 * of_keys) * 128 % width, 0)
            self.check(67, intermediate_size=128, num_hidden_layers=1,
                       num_attention_heads=heads, num_key_value_heads=of_keys)

    def test_gates(self):
        # Panels of 80 and of 160 columns, whose last one reaches beyond; the second
        # layer writes what the first one has read.
        for length in 67, 130:
            self.check(length, intermediate_size=8456, num_hidden_layers=2,
                       num_attention_heads=2, num_key_value_heads=1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
