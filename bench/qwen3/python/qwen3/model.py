# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model that takes text: its folder's tokenizer and what the folder says of
sampling, on an engine."""

import pathlib
import secrets

from .engine import Engine, Event, Sampling
from .errors import Error
from .text import TextStream, Tokenizer, read_json

#: How each end of an answer is called, as OpenAI's interface has it.
REASONS = {Event.STOP: "stop", Event.LENGTH: "length", Event.CANCELLED: "cancelled"}


class Answer:
    """A request whose tokens become text. One thread calls `poll`; any may call
    `cancel`. `reason` says how it ended: stop, length or cancelled."""

    def __init__(self, request, stream, prompt_tokens):
        self._request, self._stream = request, stream
        self.prompt_tokens, self.answer_tokens = prompt_tokens, 0
        self.reason = None

    def poll(self, timeout_ms):
        """The text that came within timeout_ms, often none; sets `reason` at the
        end, when all memory is given back. Raises Error of a broken engine."""
        if self.reason is not None:
            return ""
        try:
            event, token = self._request.next(timeout_ms)
        except Error:
            self.reason = "failed"
            self._request.release()
            raise
        if event == Event.WAIT:
            return ""
        if event == Event.TOKEN:
            self.answer_tokens += 1
            text = self._stream.add(token)
            return self._end("stop", text) if self._stream.stopped else text
        text = self._stream.finish()
        return self._end("stop" if self._stream.stopped else REASONS[event], text)

    def _end(self, reason, text):
        self.reason = reason
        self._request.release()
        return text

    def cancel(self):
        self._request.cancel()

    def release(self):
        """Cancels it and gives its memory back, wherever it is."""
        self._request.release()

    def pieces(self, timeout_ms=100):
        """Texts until the end. Interrupted, it is cancelled and given back."""
        try:
            while self.reason is None:
                if text := self.poll(timeout_ms):
                    yield text
        finally:
            self.release()


class Model:
    """The folder of a model with an engine that has loaded it."""

    def __init__(self, folder, library, kernels, **options):
        """options: device, devices, positions, sequences and progress of Engine. What can be
        refused without weights is refused before they are loaded."""
        folder = pathlib.Path(folder)
        if not folder.is_dir():
            raise Error(f"{folder}: is not a folder")
        self.name = folder.resolve().name
        self.tokenizer = Tokenizer(folder)
        generation = read_json(folder / "generation_config.json", missing={})
        config = read_json(folder / "config.json")
        self.stop_tokens = stop_tokens_of(folder, {**config, **generation})
        self.defaults = defaults_of(folder, generation)
        self.engine = Engine(library, folder, kernels, **options)
        self.sizes = self.engine.report()["model"]
        if self.tokenizer.vocabulary > self.sizes["vocabulary"]:
            count = self.tokenizer.vocabulary
            self.close()
            raise Error(f"{folder}: the tokenizer has {count} tokens, and the model "
                        f"{self.sizes['vocabulary']}")

    def sampling(self, temperature=None, top_k=None, top_p=None, seed=None):
        """What is None is as generation_config.json has it; a seed is drawn."""
        given = {"temperature": temperature, "top_k": top_k, "top_p": top_p}
        given = {key: value for key, value in given.items() if value is not None}
        return Sampling(**{**self.defaults, **given},
                        seed=secrets.randbits(64) if seed is None else seed)

    def start(self, tokens, max_tokens=None, sampling=None, stops=()):
        """An Answer to tokens, of at most max_tokens, by default as many as there
        are positions for."""
        room = self.sizes["positions"] - len(tokens)
        if room < 1:
            raise Error(f"the prompt has {len(tokens)} tokens, and the engine "
                        f"{self.sizes['positions']} positions for prompt and answer")
        stream = TextStream(self.tokenizer, stops)
        request = self.engine.submit(
            tokens, room if max_tokens is None else min(max_tokens, 2**31 - 1),
            sampling or self.sampling(), self.stop_tokens)
        return Answer(request, stream, len(tokens))

    def close(self):
        self.engine.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def is_number(value, kinds):
    return isinstance(value, kinds) and not isinstance(value, bool)


def stop_tokens_of(folder, config):
    """eos_token_id: a number or several."""
    value = config.get("eos_token_id")
    numbers = value if isinstance(value, list) else [value] * (value is not None)
    if not all(is_number(number, int) for number in numbers):
        raise Error(f"{folder}: eos_token_id is {value}, no number of a token")
    return numbers


def defaults_of(folder, generation):
    """How a folder wants its tokens to be chosen: greedily without do_sample."""
    if not generation.get("do_sample"):
        return {}
    out = {key: generation[key] for key in ("temperature", "top_k", "top_p")
           if generation.get(key) is not None}
    for key, value in {"temperature": 1.0, **out}.items():
        if not is_number(value, int if key == "top_k" else (int, float)):
            raise Error(f"{folder}/generation_config.json: {key} is not a number")
    return {"temperature": 1.0, **out}
