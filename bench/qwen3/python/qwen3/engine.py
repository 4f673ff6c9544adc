# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engine of ../../qwen3.h through ctypes: tokens in and out."""

import array
import contextlib
import ctypes
import dataclasses
import enum
import json
import os
import threading

from .errors import FAILED, REFUSED, Error

#: The code of a status that is none of qwen3_status.
UNKNOWN_STATUS = 1


class Event(enum.IntEnum):
    """qwen3_event."""

    TOKEN = 0
    STOP = 1
    LENGTH = 2
    CANCELLED = 3
    BROKEN = 4
    WAIT = 5


class Options(ctypes.Structure):
    """qwen3_options."""

    _fields_ = [("device", ctypes.c_int32), ("positions", ctypes.c_int32),
                ("sequences", ctypes.c_int32), ("invariant", ctypes.c_int32),
                ("chunk", ctypes.c_int32), ("weights", ctypes.c_int32)]


#: qwen3_weights, by name.
WEIGHTS = {"bf16": 0, "f8": 1, "int4": 2}


class RawSampling(ctypes.Structure):
    """qwen3_sampling."""

    _fields_ = [("temperature", ctypes.c_float), ("top_k", ctypes.c_int32),
                ("top_p", ctypes.c_float), ("seed", ctypes.c_uint64)]


@dataclasses.dataclass(frozen=True)
class Sampling:
    """How a token is chosen. temperature 0: the likeliest; top_k 0 and top_p 1: among
    all. Equal seeds give equal answers to equal prompts."""

    temperature: float = 0.0
    top_k: int = 0
    top_p: float = 1.0
    seed: int = 0


PROGRESS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)
TOKENS = ctypes.POINTER(ctypes.c_int32)
HANDLE = ctypes.c_void_p

#: By function: what it answers, and of what.
SIGNATURES = {
    "qwen3_open": (ctypes.c_int, [ctypes.c_char_p, ctypes.c_char_p,
                                  ctypes.POINTER(Options), PROGRESS,
                                  ctypes.c_void_p, ctypes.POINTER(HANDLE)]),
    "qwen3_open_ranks": (ctypes.c_int, [ctypes.c_char_p, ctypes.c_char_p,
                                        ctypes.POINTER(Options), TOKENS,
                                        ctypes.c_size_t, PROGRESS,
                                        ctypes.c_void_p, ctypes.POINTER(HANDLE)]),
    "qwen3_close": (None, [HANDLE]),
    "qwen3_report": (ctypes.c_char_p, [HANDLE]),
    "qwen3_submit": (ctypes.c_int, [HANDLE, TOKENS, ctypes.c_size_t, ctypes.c_int32,
                                    ctypes.POINTER(RawSampling), TOKENS,
                                    ctypes.c_size_t, ctypes.POINTER(HANDLE)]),
    "qwen3_next": (ctypes.c_int, [HANDLE, ctypes.c_int32, TOKENS]),
    "qwen3_cancel": (None, [HANDLE]),
    "qwen3_release": (None, [HANDLE]),
    "qwen3_logits": (ctypes.c_int, [HANDLE, TOKENS, ctypes.c_size_t, ctypes.c_int32,
                                    ctypes.POINTER(ctypes.c_float)]),
    "qwen3_counters": (ctypes.c_size_t, [HANDLE, ctypes.c_char_p, ctypes.c_size_t]),
    "qwen3_error": (ctypes.c_char_p, []),
}


def load(path):
    """The library with the types of its functions set."""
    try:
        library = ctypes.CDLL(str(path))
        for name, (result, arguments) in SIGNATURES.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError) as error:
        raise Error(f"the engine's library cannot be loaded: {error}") from None
    return library


def array_of(tokens, what):
    """i32[n] of ints."""
    try:
        made = ctypes.c_int32 * len(tokens)
        # Number by number only where one is wrong: it takes longer than a token.
        with contextlib.suppress(OverflowError):
            if {int}.issuperset(map(type, tokens)):
                return made.from_buffer(array.array("i", list(tokens)))
        wide = [number for number in tokens
                if isinstance(number, bool) or not -2**31 <= number < 2**31]
        if wide:
            raise Error(f"{what}: {wide[0]} is no number of a token")
        return made(*tokens)
    except TypeError as error:
        raise Error(f"{what}: {error}") from None


def in_range(name, value, low, high):
    """What ctypes would cut off is refused."""
    if not low <= value < high:
        raise Error(f"{name} is {value}, not from {low} to {high - 1}")
    return value


class Request:
    """One answer in the making. `next` is for one thread at a time; `cancel` and
    `release` may come from any."""

    def __init__(self, engine, handle):
        self._engine, self._handle = engine, handle
        self._lock = threading.Lock()
        self._in_next, self._dropped = False, False

    def next(self, timeout_ms=-1):
        """(event, token): the token is None but with Event.TOKEN. Raises Error where
        the engine is broken, and after `release`."""
        with self._lock:
            if self._dropped or self._in_next:
                raise Error("the request is released" if self._dropped else
                            "the request is waited for by another thread")
            self._in_next = True
        try:
            token = ctypes.c_int32(0)
            event = Event(self._engine.library.qwen3_next(
                self._handle, timeout_ms, ctypes.byref(token)))
            if event == Event.BROKEN:
                raise Error(self._engine.message(), FAILED)
        finally:
            with self._lock:
                self._in_next = False
                self._free()
        return event, token.value if event == Event.TOKEN else None

    def cancel(self):
        with self._lock:
            if self._handle is not None:
                self._engine.library.qwen3_cancel(self._handle)

    def release(self):
        """Gives its memory back, when no thread is in `next` any more."""
        with self._lock:
            if self._handle is not None:
                self._engine.library.qwen3_cancel(self._handle)
            self._dropped = True
            self._free()

    def _free(self):
        if self._dropped and not self._in_next and self._handle is not None:
            handle, self._handle = self._handle, None
            self._engine.library.qwen3_release(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.release()

    def __del__(self):
        self.release()


class Engine:
    """A model that is loaded, on one device or cut over the `devices`.
    `progress(done, total)` is told of bytes while it is loaded; what it raises ends
    nothing there and is raised afterwards. All may be called from any thread, but
    `close` when no other call is under way."""

    def __init__(self, library, model, kernels, device=0, positions=0, sequences=0,
                 invariant=False, chunk=0, weights="bf16", progress=None, devices=()):
        self.library = load(library)
        self._handle = None
        raised = []

        def tell(_, done, total):
            try:
                if progress and not raised:
                    progress(done, total)
            except BaseException as error:  # a callback of C lets nothing through
                raised.append(error)

        if weights not in WEIGHTS:
            raise Error(f"weights is {weights!r}, not one of {', '.join(WEIGHTS)}")
        handle = HANDLE()
        options = Options(in_range("device", device, 0, 2**31),
                          in_range("positions", positions, 0, 2**31),
                          in_range("sequences", sequences, 0, 2**31),
                          int(invariant), in_range("chunk", chunk, 0, 2**31),
                          WEIGHTS[weights])
        ranks = [in_range("devices", number, 0, 2**31) for number in devices]
        if ranks:
            # Before NCCL is loaded: see bench/qwen3/README.md.
            os.environ.setdefault("NCCL_GRAPH_MIXING_SUPPORT", "0")
        self._check(self.library.qwen3_open_ranks(
            os.fsencode(model), os.fsencode(kernels), ctypes.byref(options),
            (ctypes.c_int32 * len(ranks))(*ranks), len(ranks),
            PROGRESS(tell), None, ctypes.byref(handle)))
        self._handle = handle.value
        if raised:
            self.close()
            raise raised[0]

    def message(self):
        """Of this thread's last call that failed."""
        return self.library.qwen3_error().decode("utf-8", "replace")

    def _check(self, status):
        if status:
            known = status in (REFUSED, FAILED)
            raise Error(self.message(), status if known else UNKNOWN_STATUS)

    def _open(self):
        if self._handle is None:
            raise Error("the engine is closed")
        return self._handle

    def report(self):
        """{"model": {...}, "kernels": [{"name", "verdict", ...}]}"""
        return json.loads(self.library.qwen3_report(self._open()))

    def submit(self, tokens, max_tokens, sampling=Sampling(), stop_tokens=()):
        """Queues a request for at most max_tokens tokens behind tokens."""
        prompt = array_of(tokens, "the prompt")
        stops = array_of(stop_tokens, "the stop tokens")
        raw = RawSampling(sampling.temperature,
                          in_range("top_k", sampling.top_k, -2**31, 2**31),
                          sampling.top_p,
                          in_range("seed", sampling.seed, 0, 2**64))
        handle = HANDLE()
        self._check(self.library.qwen3_submit(
            self._open(), prompt, len(prompt),
            in_range("max_tokens", max_tokens, -2**31, 2**31), ctypes.byref(raw),
            stops, len(stops), ctypes.byref(handle)))
        return Request(self, handle.value)

    def logits(self, tokens, by_step=False):
        """Of the last of tokens: a list of as many floats as the vocabulary has."""
        prompt = array_of(tokens, "the prompt")
        out = (ctypes.c_float * self.report()["model"]["vocabulary"])()
        self._check(self.library.qwen3_logits(self._open(), prompt, len(prompt),
                                              int(by_step), out))
        return list(out)

    def counters(self):
        """Since it was opened, by name."""
        size = 512
        while True:
            text = ctypes.create_string_buffer(size)
            needed = self.library.qwen3_counters(self._open(), text, size)
            if needed < size:
                return json.loads(text.value)
            size = 2 * needed

    def close(self):
        """Ends the requests that are left with Event.CANCELLED."""
        if self._handle is not None:
            handle, self._handle = self._handle, None
            self.library.qwen3_close(handle)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
