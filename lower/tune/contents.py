# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tensors hold while they are measured: random normal floats, small
integers, and integers that keep what a contract gives."""

import array
import random
import re
import struct

from . import expression
from .errors import Failed
from .kernel import BITS

PERIOD = 262_139  # a prime: rows of a tensor differ
_INTEGERS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q"}


def _bf16(values):
    singles = array.array("f", values).tobytes()
    return array.array("H", singles)[1::2].tobytes()


def _bytes(source, low, high):
    return bytes(source.randrange(low, high) for _ in range(PERIOD))


def pool(element, seed):
    """PERIOD elements as bytes; of 4 bits two in a byte."""
    source = random.Random(f"{seed} {element}")
    if element in ("f32", "f64", "f16", "bf16", "f8E5M2"):
        values = [source.gauss(0, 1) for _ in range(PERIOD)]
        if element == "bf16":
            return _bf16(values)
        if element in ("f16", "f8E5M2"):
            halves = struct.pack(f"<{PERIOD}e", *values)
            return halves if element == "f16" else halves[1::2]
        return array.array("f" if element == "f32" else "d", values).tobytes()
    if element == "f8E4M3FN":  # magnitudes from 1/4 to 2
        return bytes(source.choice((0, 128)) | source.randrange(40, 64)
                     for _ in range(PERIOD))
    if element == "f8E8M0FNU":  # from 1/4 to 4
        return _bytes(source, 125, 130)
    if element in ("i4", "f4E2M1FN"):
        return _bytes(source, 0, 256)
    return array.array(_INTEGERS[element], (
        source.randrange(-8, 8) for _ in range(PERIOD))).tobytes()


def facts(given, name, values):
    """{fact: numbers} about a tensor."""
    found = {}
    for text in given:
        match = re.fullmatch(r"(\w+)\(%(\w+)(.*)\)( assumed)?", text)
        if match and match[2] == name:
            found[match[1]] = [
                expression.evaluate(expression.parse(a), values)
                for a in expression.split(match[3])]
    return found


def integers(element, count, given, seed):
    """Contents that keep the facts, as bytes."""
    source = random.Random(f"{seed} {element} {count} {sorted(given)}")
    low, high = given.get("within", [0, max(count, 1)])
    if "splits" in given:
        total = given["splits"][0]
        numbers = [total * k // max(count - 1, 1) for k in range(count)]
    elif "distinct" in given:
        if high - low < count:
            raise Failed(f"tile-tune: error: {count} distinct numbers in "
                         f"[{low}, {high})")
        numbers = source.sample(range(low, high), count)
    else:
        numbers = [source.randrange(low, high) for _ in range(count)]
    if "sorted" in given:
        numbers.sort()
    if element not in _INTEGERS:
        raise Failed(f"tile-tune: error: facts about {element}")
    return array.array(_INTEGERS[element], numbers).tobytes()


def elements(size, element):
    return size * 8 // BITS[element]
