# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of the front share: where things are, and what fake_engine.cpp
answers. A test is called with the wheels' folder and, where it needs one, the fake
engine's library."""

import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
TINY = HERE / "tiny"
COMMAND = ROOT / "bench/qwen3/qwen3"
VOCABULARY, POSITIONS = 2048, 2048
PACKAGES = pathlib.Path(sys.argv[1]).resolve()
LIBRARY = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
# unittest reads the rest.
sys.argv[1:3] = []
sys.path[:0] = [str(ROOT / "bench/qwen3/python"), str(PACKAGES)]


def next_token(tokens, sampling_seed=None):
    """Of fake_engine.cpp; sampling_seed where the temperature is above 0."""
    value = 14695981039346656037
    seeds = [] if sampling_seed is None else [sampling_seed]
    for part in [*tokens[-3:], *seeds]:
        value = (value ^ part) * 1099511628211 % 2**64
    return (value >> 33) % VOCABULARY


def answer(tokens, count, sampling_seed=None, stops=()):
    """(tokens, how it ended)"""
    tokens, out = list(tokens), []
    while len(out) < count and len(tokens) < POSITIONS:
        token = next_token(tokens, sampling_seed)
        if token in stops:
            return out, "stop"
        tokens.append(token)
        out.append(token)
    return out, "length"


def environment(**others):
    """Of the command, on the fake engine."""
    return {**os.environ, "QWEN3_LIBRARY": str(LIBRARY), "QWEN3_KERNELS": str(TINY),
            **others}


def text_of(tokenizer, tokens):
    """All at once, as `tokenizers` decodes."""
    return tokenizer._tokenizer.decode(tokens, skip_special_tokens=True)
