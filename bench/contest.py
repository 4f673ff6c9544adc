# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the works of peers.py share: contestants, and how sizes are drawn."""

import math

import torch

import bench
from sizes import is_prime


def half(*shape):
    return bench.normal(*shape, dtype=bench.HALF)


def empty_half(*shape):
    return bench.empty(*shape, dtype=bench.HALF)


def work(unit, amount, make, ours, peers, expected, tolerance, copy=None,
         read=None):
    """`peers`: functions from a set to a call."""
    contestants = {"girih": (amount, ours)}
    contestants |= {name: (amount, peer) for name, peer in peers.items()}
    if copy:
        contestants["device copy"] = (amount, bench.copy(*copy))
    return bench.Work(unit, bench.rotating(make), contestants, expected, tolerance,
                      read)


def in_turn(*contestants, result=None):
    """Several launches as one call; `result`: which tensor of a set it is, if not
    the last."""
    def ready(s):
        calls = [contestant(s) for contestant in contestants]

        def call():
            for each in calls:
                each()
            return None if result is None else s[result]
        return call
    return ready


def both(function):
    """The function by torch, and compiled."""
    compiled = torch.compile(function, dynamic=False)
    return {"torch": lambda s: lambda: function(*s),
            "torch.compile": lambda s: lambda: compiled(*s)}


def drawn(source, low, high):
    """Evenly by magnitude; of one of the kinds."""
    n = round(math.exp(source.uniform(math.log(low), math.log(high))))
    kind = source.choice(["prime", "multiple of 8", "tile - 1", "tile + 1"])
    if kind == "prime":
        return next(p for p in range(n, 2 * n + 2) if is_prime(p))
    if kind == "multiple of 8":
        return max(8, n // 8 * 8)
    return max(128, n // 128 * 128) + (1 if kind == "tile + 1" else -1)
