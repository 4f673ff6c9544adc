# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Contents of tensors that keep what a manifest says is given of them."""

import numpy as np


def evaluate(expression, symbols):
    if isinstance(expression, int):
        return expression
    if "symbol" in expression:
        return symbols[expression["symbol"]]
    a, b = (evaluate(e, symbols) for e in expression["args"])
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
            "div": lambda: a // b, "mod": lambda: a % b,
            "ceildiv": lambda: -(-a // b), "min": lambda: min(a, b),
            "max": lambda: max(a, b)}[expression["op"]]()


def facts(manifest, name, symbols):
    """(fact, numbers) of what is given of a tensor."""
    return [(g["fact"], [evaluate(e, symbols) for e in g["args"]])
            for g in manifest["variants"][0]["given"] if g["tensor"] == name]


def holds(fact, numbers, array):
    flat = [int(v) for v in array.ravel()]
    ordered = all(a <= b for a, b in zip(flat, flat[1:]))
    return {"within": lambda: all(numbers[0] <= v < numbers[1] for v in flat),
            "sorted": lambda: ordered,
            "splits": lambda: ordered and flat[:1] == [0] and
            flat[-1:] == numbers,
            "distinct": lambda: len(set(flat)) == len(flat)}[fact]()


def keep(manifest, name, symbols, array, random):
    """The array, changed so that it keeps what is given of the tensor; nothing
    where that could not be done."""
    wanted = facts(manifest, name, symbols)
    if not wanted:
        return array
    limits = np.iinfo(array.dtype)
    low, high = int(limits.min), int(limits.max)
    for fact, numbers in wanted:
        if fact in ("within", "splits"):
            low = max(low, numbers[0] if fact == "within" else 0)
            high = min(high, numbers[1] - 1 if fact == "within" else numbers[0])
    if array.size and low > high:
        return None
    names = {fact for fact, _ in wanted}
    flat = [low + (int(v) - low) % (high - low + 1) for v in array.ravel()]
    if "distinct" in names:
        if len(flat) > high - low + 1:
            return None
        step = (high - low + 1) // max(len(flat), 1)
        flat = [low + step * int(k) for k in random.permutation(len(flat))]
    if names & {"sorted", "splits"}:
        flat.sort()
    for fact, numbers in wanted:
        if fact == "splits" and flat:
            flat[0], flat[-1] = 0, numbers[0]
    out = np.array(flat, array.dtype).reshape(array.shape)
    return out if all(holds(*fact, out) for fact in wanted) else None
