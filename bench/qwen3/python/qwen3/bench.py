# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast prompt and answer of one request are, as its caller sees it."""

import json
import random
import statistics
import time

from .engine import Event, Sampling
from .errors import Error

SEED = 7


def once(engine, tokens, count):
    """(seconds until the first token, seconds of the others)."""
    began = time.perf_counter()
    with engine.submit(tokens, count, Sampling()) as request:
        event, _ = request.next()
        first, got = time.perf_counter(), 1
        while event == Event.TOKEN:
            event, _ = request.next()
            got += event == Event.TOKEN
    if got != count:
        raise Error(f"an answer of {count} tokens ended after {got}")
    return first - began, time.perf_counter() - first


def measure(model, arguments):
    """Prints medians. No token ends an answer; the prompt is drawn."""
    wanted = arguments.prompt_tokens + arguments.max_tokens
    if wanted > model.sizes["positions"]:
        raise Error(f"{wanted} tokens of prompt and answer, and the engine has "
                    f"{model.sizes['positions']} positions")
    source = random.Random(SEED)
    tokens = [source.randrange(model.tokenizer.vocabulary)
              for _ in range(arguments.prompt_tokens)]
    once(model.engine, tokens, arguments.max_tokens)  # what only the first one does
    runs = [once(model.engine, tokens, arguments.max_tokens)
            for _ in range(arguments.repeat)]
    first, others = (statistics.median(times) for times in zip(*runs))
    out = {"model": model.name, "prompt_tokens": arguments.prompt_tokens,
           "answer_tokens": arguments.max_tokens, "runs": arguments.repeat,
           "first_token_s": first,
           "prompt_tokens_per_s": arguments.prompt_tokens / first}
    if arguments.max_tokens > 1:
        out["answer_tokens_per_s"] = (arguments.max_tokens - 1) / others
    if arguments.json:
        print(json.dumps(out))
        return
    for key, value in out.items():
        print(f"{key:20} {value:.6g}" if isinstance(value, float)
              else f"{key:20} {value}")
