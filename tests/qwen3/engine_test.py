#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""qwen3.h through ctypes, on the fake engine: tokens, refusals, cancellation,
threads, and what is given back.

  engine_test.py PACKAGES FAKE_ENGINE
"""

import gc
import os
import pathlib
import random
import tempfile
import threading
import time
import unittest

import fake
from qwen3.engine import Engine, Event, Options, RawSampling, Sampling, load
from qwen3.errors import FAILED, REFUSED, Error
from qwen3.model import Model

SEED = 7


def opened(sequences=4, **options):
    return Engine(fake.LIBRARY, fake.TINY, fake.TINY, sequences=sequences, **options)


def drained(request):
    """(tokens, event) of all that comes."""
    tokens = []
    while True:
        event, token = request.next()
        if event != Event.TOKEN:
            return tokens, event
        tokens.append(token)


def wait_for(condition, seconds=10):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it does not come")
        time.sleep(0.002)


class Header(unittest.TestCase):
    def test_layout(self):
        """Structs as the header has them on this machine."""
        import ctypes
        self.assertEqual(ctypes.sizeof(Options), 24)
        self.assertEqual(Options.weights.offset, 20)
        self.assertEqual(ctypes.sizeof(RawSampling), 24)
        self.assertEqual(RawSampling.seed.offset, 16)

    def test_each_function(self):
        """SIGNATURES has the functions of the header and no others."""
        import re
        from qwen3.engine import SIGNATURES
        text = (fake.ROOT / "bench/qwen3/qwen3.h").read_text()
        text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        declared = {name: parameters.strip() for name, parameters in
                    re.findall(r"\b(qwen3_\w+)\(([^()]*)\);", text)}
        self.assertEqual(set(declared), set(SIGNATURES))
        for name, (_, arguments) in SIGNATURES.items():
            count = 0 if declared[name] == "void" else declared[name].count(",") + 1
            self.assertEqual(len(arguments), count, name)


class Requests(unittest.TestCase):
    def test_tokens(self):
        with opened() as engine:
            for prompt, seed in [([1], None), ([5, 6, 7, 8], 3), ([0] * 100, 2**64 - 1)]:
                sampling = Sampling(1.0, 20, 0.5, seed) if seed else Sampling()
                with engine.submit(prompt, 50, sampling) as request:
                    tokens, event = drained(request)
                    self.assertEqual(tokens, fake.answer(prompt, 50, seed)[0])
                    self.assertEqual(event, Event.LENGTH)
                    self.assertEqual(request.next(), (Event.LENGTH, None))

    def test_stop_tokens(self):
        prompt = [3, 4]
        stop = fake.answer(prompt, 10)[0][9]
        first = fake.answer(prompt, 10, stops=[stop])[0]
        with opened() as engine, engine.submit(prompt, 50, stop_tokens=[1, stop]) as r:
            tokens, event = drained(r)
        self.assertEqual((tokens, event), (first, Event.STOP))

    def test_all_positions(self):
        with opened(positions=20) as engine, engine.submit([1] * 15, 50) as request:
            self.assertEqual(len(drained(request)[0]), 5)

    def test_refusals(self):
        with opened() as engine:
            for arguments, message in [
                    (([], 1), "no token"), (([2048], 1), "2048 is outside"),
                    (([-1], 1), "-1 is outside"), (([2**31], 1), "no number"),
                    (([True], 1), "no number"), ((["a"], 1), "the prompt"),
                    ((None, 1), "the prompt"), (([1], 0), "max_tokens is 0"),
                    (([1], 2**31), "max_tokens is 2147483648"),
                    (([1] * 2049, 1), "2048 positions"),
                    (([1], 1, Sampling(-1.0)), "sampling"),
                    (([1], 1, Sampling(float("nan"))), "sampling"),
                    (([1], 1, Sampling(1.0, -1)), "sampling"),
                    (([1], 1, Sampling(1.0, 0, 0.0)), "sampling"),
                    (([1], 1, Sampling(seed=-1)), "seed is -1"),
                    (([1], 1, Sampling(), [2**40]), "the stop tokens")]:
                with self.assertRaisesRegex(Error, message) as raised:
                    engine.submit(*arguments)
                self.assertEqual(raised.exception.code, REFUSED)
            self.assertEqual(engine.counters()["requests"], 0)

    def test_cancel(self):
        os.environ["FAKE_ENGINE_DELAY_US"] = "1000"
        try:
            with opened(sequences=1) as engine:
                runs, waits = (engine.submit([1], 2000) for _ in range(2))
                self.assertEqual(waits.next(10), (Event.WAIT, None))
                waits.cancel()
                self.assertEqual(drained(waits), ([], Event.CANCELLED))
                self.assertEqual(runs.next()[0], Event.TOKEN)
                runs.cancel()
                self.assertEqual(drained(runs)[1], Event.CANCELLED)
                self.assertEqual(engine.counters()["cancelled"], 2)
        finally:
            del os.environ["FAKE_ENGINE_DELAY_US"]

    def test_logits(self):
        with opened() as engine:
            for by_step in (False, True):
                logits = engine.logits([1, 2, 3], by_step)
                self.assertEqual(len(logits), fake.VOCABULARY)
                self.assertEqual(logits.index(max(logits)),
                                 fake.next_token([1, 2, 3]))
            with self.assertRaisesRegex(Error, "no token"):
                engine.logits([])

    def test_given_back(self):
        with opened() as engine:
            request = engine.submit([1], 5)
            request.release()
            request.release()
            request.cancel()
            with self.assertRaisesRegex(Error, "released"):
                request.next()
            engine.submit([1], 5)  # nobody keeps it
            gc.collect()
            self.assertEqual(engine.counters()["held"], 0)

    def test_release_from_another_thread(self):
        """While `next` waits, the handle stays until it is back."""
        os.environ["FAKE_ENGINE_DELAY_US"] = "200000"
        try:
            with opened(sequences=1) as engine:
                first, second = engine.submit([1], 3), engine.submit([1], 3)
                seen = []
                thread = threading.Thread(target=lambda: seen.append(second.next(2000)))
                thread.start()
                wait_for(lambda: second._in_next)
                with self.assertRaisesRegex(Error, "another thread"):
                    second.next(0)
                second.release()
                thread.join()
                self.assertEqual(seen, [(Event.CANCELLED, None)])
                first.release()
                self.assertEqual(engine.counters()["held"], 0)
        finally:
            del os.environ["FAKE_ENGINE_DELAY_US"]

    def test_closed(self):
        engine = opened()
        request = engine.submit([1], 2000)
        engine.close()
        engine.close()
        drained(request)  # handles outlive the engine
        request.release()
        with self.assertRaisesRegex(Error, "closed"):
            engine.submit([1], 1)
        with self.assertRaisesRegex(Error, "closed"):
            engine.counters()

    def test_broken(self):
        os.environ["FAKE_ENGINE_BREAK_AT"] = "3"
        try:
            with opened() as engine:
                request = engine.submit([1], 100)
                with self.assertRaisesRegex(Error, "as it was asked to") as raised:
                    drained(request)
                self.assertEqual(raised.exception.code, FAILED)
                with self.assertRaisesRegex(Error, "is broken") as raised:
                    engine.submit([1], 1)
                self.assertEqual(raised.exception.code, FAILED)
        finally:
            del os.environ["FAKE_ENGINE_BREAK_AT"]

    def test_many_threads(self):
        """Each thread's tokens and messages are its own."""
        wrong = []

        def work(number):
            source = random.Random(SEED + number)
            for _ in range(20):
                prompt = source.choices(range(fake.VOCABULARY), k=source.randint(1, 9))
                count = source.randint(1, 40)
                with engine.submit(prompt, count) as request:
                    if source.random() < 0.2:
                        continue
                    if drained(request)[0] != fake.answer(prompt, count)[0]:
                        wrong.append(prompt)
                try:
                    engine.submit([fake.VOCABULARY + number], 1)
                except Error as error:
                    if f"token {fake.VOCABULARY + number} " not in str(error):
                        wrong.append(str(error))

        with opened(sequences=8) as engine:
            threads = [threading.Thread(target=work, args=(k,)) for k in range(16)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            counters = engine.counters()
        self.assertEqual(wrong, [])
        self.assertEqual((counters["requests"], counters["held"]), (320, 0))


class Opening(unittest.TestCase):
    def test_progress_and_report(self):
        told = []
        with opened(progress=lambda *two: told.append(two)) as engine:
            self.assertEqual(told[-1], (4 << 20, 4 << 20))
            report = engine.report()
        self.assertEqual(report["model"]["vocabulary"], fake.VOCABULARY)
        self.assertEqual({k["verdict"] for k in report["kernels"]}, {"VERIFIED"})

    def test_progress_that_raises(self):
        def tell(done, total):
            raise KeyboardInterrupt
        with self.assertRaises(KeyboardInterrupt):
            opened(progress=tell)

    def test_refusals(self):
        nowhere = pathlib.Path("/nonexistent")
        for arguments, options, message in [
                ((fake.LIBRARY, nowhere, fake.TINY), {}, "config.json"),
                ((fake.LIBRARY, fake.TINY, nowhere), {}, "not a folder"),
                ((nowhere, fake.TINY, fake.TINY), {}, "cannot be loaded"),
                (("libm.so.6", fake.TINY, fake.TINY), {}, "cannot be loaded"),
                ((fake.LIBRARY, fake.TINY, fake.TINY), {"device": -1}, "device is -1"),
                ((fake.LIBRARY, fake.TINY, fake.TINY), {"positions": 2**31},
                 "positions is"),
                ((fake.LIBRARY, fake.TINY, fake.TINY), {"positions": 4096},
                 "the model has 2048")]:
            with self.assertRaisesRegex(Error, message) as raised:
                Engine(*arguments, **options)
            self.assertEqual(raised.exception.code, REFUSED)

    def test_cut_off_counters(self):
        import ctypes
        with opened() as engine:
            library = load(fake.LIBRARY)
            text = ctypes.create_string_buffer(8)
            size = library.qwen3_counters(engine._handle, text, 8)
            self.assertEqual(text.value, b'{"reque')
            self.assertGreater(size, 8)


class Models(unittest.TestCase):
    def opened(self, **files):
        """A Model of tiny with some files changed."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            for path in fake.TINY.glob("*.json"):
                text = files.get(path.stem, path.read_text())
                (folder / path.name).write_text(text)
            return Model(folder, fake.LIBRARY, fake.TINY)

    def test_defaults(self):
        with self.opened() as model:
            self.assertEqual(model.stop_tokens, [2047, 2045])
            sampling = model.sampling(seed=5)
            self.assertEqual(sampling, Sampling(0.6, 20, 0.95, 5))
            self.assertEqual(model.sampling(0, 0, 1, 5), Sampling(0, 0, 1, 5))
            self.assertNotEqual(model.sampling().seed, model.sampling().seed)
        with self.opened(generation_config="{}") as model:
            self.assertEqual(model.stop_tokens, [2047])
            self.assertEqual(model.sampling(seed=1), Sampling(seed=1))

    def test_refusals(self):
        for files, message in [
                ({"generation_config": '{"eos_token_id": "x"}'}, "eos_token_id is x"),
                ({"generation_config": '{"do_sample": true, "top_k": 0.5}'},
                 "top_k is not a number"),
                ({"generation_config": "[]"}, "is not an object"),
                ({"config": '{"vocab_size": 2000, "max_position_embeddings": 9}'},
                 "has 2048 tokens, and the model 2000")]:
            with self.assertRaisesRegex(Error, message):
                self.opened(**files)

    def test_answers(self):
        with self.opened() as model:
            prompt = model.tokenizer.encode("import os")
            tokens, _ = fake.answer(prompt, 60, stops=model.stop_tokens)
            text = fake.text_of(model.tokenizer, tokens)
            greedy = model.sampling(temperature=0)
            answer = model.start(prompt, 60, greedy)
            self.assertEqual("".join(answer.pieces()), text)
            stop = text[40:43]
            answer = model.start(prompt, 60, greedy, [stop])
            self.assertEqual("".join(answer.pieces()), text[:text.index(stop)])
            self.assertEqual(answer.reason, "stop")
            pieces = model.start(prompt, 60, greedy).pieces()
            next(pieces)
            pieces.close()
            self.assertEqual(model.engine.counters()["held"], 0)
            with self.assertRaisesRegex(Error, "positions for prompt and answer"):
                model.start([1] * 2048)


if __name__ == "__main__":
    unittest.main()
