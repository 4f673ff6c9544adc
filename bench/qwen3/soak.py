#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Many requests of many clients at once, on a GPU.

  soak.py LIBRARY KERNELS MODEL [--requests=N] [--clients=N] [--sequences=N]
          [--invariant] [--again=N] [--seed=N]

Each client asks again and again: prompts and answers of random lengths, one in three
drawn, one in four cancelled at a random token. Afterwards some are asked again,
alone: with --invariant, or up to 16 sequences, answers have to be the same; of what
was cancelled, the beginning. Memory of the device is read before and after. Prints
JSON; exit code 1 for another answer, a request without an end, or memory that is
not given back.
"""

import argparse
import json
import pathlib
import random
import sys
import threading
import time

import torch

sys.path.append(str(pathlib.Path(__file__).resolve().parent / "python"))
from qwen3.engine import Engine, Event, Sampling  # noqa: E402


def order_of(draw, vocabulary):
    """(prompt, max_tokens, sampling, the token at which it is cancelled)"""
    prompt = [draw.randrange(vocabulary) for _ in range(draw.randrange(1, 200))]
    count = draw.randrange(1, 60)
    how = (Sampling(0.8, 20, 0.95, draw.randrange(2**64))
           if draw.random() < 1 / 3 else Sampling())
    return prompt, count, how, (draw.randrange(count) if draw.random() < 1 / 4
                                else None)


def answer(engine, prompt, count, how, cancelled=None):
    tokens = []
    with engine.submit(prompt, count, how) as request:
        while True:
            if len(tokens) == cancelled:
                request.cancel()
            event, token = request.next()
            if event != Event.TOKEN:
                return tokens, event
            tokens.append(token)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("kernels")
    parser.add_argument("model")
    parser.add_argument("--requests", type=int, default=10000)
    parser.add_argument("--clients", type=int, default=64)
    parser.add_argument("--sequences", type=int, default=64)
    parser.add_argument("--invariant", action="store_true")
    parser.add_argument("--again", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    draw = random.Random(asked.seed)
    with Engine(asked.library, asked.model, asked.kernels, positions=320,
                sequences=asked.sequences, invariant=asked.invariant) as engine:
        vocabulary = engine.report()["model"]["vocabulary"]
        orders = [order_of(draw, vocabulary) for _ in range(asked.requests)]
        answers = [None] * len(orders)
        for order in orders[:asked.clients]:
            answer(engine, *order)
        todo = iter(range(len(orders)))
        lock = threading.Lock()

        def client():
            while True:
                with lock:
                    k = next(todo, None)
                if k is None:
                    return
                answers[k] = answer(engine, *orders[k])

        before, start = torch.cuda.mem_get_info()[0], time.perf_counter()
        clients = [threading.Thread(target=client) for _ in range(asked.clients)]
        for each in clients:
            each.start()
        for each in clients:
            each.join()
        seconds = time.perf_counter() - start
        lost = before - torch.cuda.mem_get_info()[0]
        ends = {event.name: sum(end == event for _, end in answers)
                for event in (Event.LENGTH, Event.CANCELLED)}
        counters = engine.counters()
        # What was cancelled may have had some tokens more on their way.
        others = 0
        for k in draw.sample(range(len(orders)), min(asked.again, len(orders))):
            prompt, count, how, _ = orders[k]
            tokens, _ = answer(engine, prompt, count, how)
            others += tokens[:len(answers[k][0])] != answers[k][0]
    done = {"requests": len(orders), "clients": asked.clients,
            "sequences": asked.sequences, "invariant": asked.invariant,
            "ends": ends, "seconds": round(seconds, 1),
            "tokens": sum(len(tokens) for tokens, _ in answers),
            "again": asked.again, "others": others, "bytes": lost,
            "counters": counters}
    print(json.dumps(done))
    return int(sum(ends.values()) != len(orders) or lost > 0
               or counters["active"] + counters["queued"] > 0
               or (others > 0 and (asked.invariant or asked.sequences <= 16)))


if __name__ == "__main__":
    sys.exit(main())
