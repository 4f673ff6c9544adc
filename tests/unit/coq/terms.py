# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Terms of the theory as text, and the numbers in them: for brute_force.py."""

import pathlib
import re
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tileir"))
import formats  # noqa: E402

TOKEN = re.compile(r'"[^"]*"|-?\d+|\w+|%\w+|[\[\]();,]')


class Refused(Exception):
    pass


class Stuck(Exception):
    pass


# Terms: a constructor with operands is a tuple that begins with its name.

def parse(text):
    tokens = [t for t in TOKEN.findall(text) if t[0] != "%"]
    tokens.reverse()

    def atom():
        t = tokens.pop()
        if t == "(":
            inner = term()
            if tokens.pop() == ")":
                return inner
            pair = (inner, term())
            tokens.pop()
            return pair
        if t == "[":
            items = []
            while tokens[-1] != "]":
                if tokens[-1] == ";":
                    tokens.pop()
                items.append(term())
            tokens.pop()
            return items
        if t[0] == '"':
            return t[1:-1]
        return int(t) if t.lstrip("-").isdigit() else (t,)

    def term():
        named = tokens[-1][0].isalpha()
        out = atom()
        while named and tokens and tokens[-1] not in ("]", ")", ";", ","):
            out += (atom(),)
        return out

    return term()


def element(term):
    if term[0] == "Float":
        return {2: "f4E2M1FN", 4: "f8E4M3FN", 5: "f8E5M2",
                8: "f8E8M0FNU"}[term[1]]
    return {"Index": "index", "Int": "i%d" % (term + (0,))[1]}.get(
        term[0], term[0].lower())


def bits_of(kind, width):
    if kind == "index":
        return width
    return formats.bits_of(kind) if formats.is_float(kind) else int(kind[1:])


def share_bytes(kind):
    return kind in ("i4", "f4E2M1FN")


def wrap(x, bits):
    half = 1 << (bits - 1)
    return x if bits == 64 and isinstance(x, np.ndarray) else (
        (x + half) % (1 << bits) - half)


# Numbers of files: signed integers, or the bits of floats.

def from_numbers(kind, numbers):
    if not formats.is_float(kind):
        return np.array(numbers, np.int64)
    size = formats.SIZES[kind]
    raw = b"".join(n.to_bytes(size, "little") for n in numbers)
    return formats.from_bytes(kind, raw)


def to_number(kind, lane):
    if not formats.is_float(kind):
        return int(lane)
    raw = formats.to_bytes(kind, np.array([lane], formats.ARRAYS[kind]))
    return int.from_bytes(raw, "little")


# The contract.

def evaluate(e, symbols):
    if e[0] == "Const":
        return e[1]
    if e[0] == "Sym":
        return symbols[e[1]]
    a, b = evaluate(e[2], symbols), evaluate(e[3], symbols)
    if e[1][0] in ("Div", "Rem", "CeilDiv"):
        if b < 1 or a < 0:
            raise Stuck("contract.division")
        return {"Div": a // b, "Rem": a % b, "CeilDiv": -(-a // b)}[e[1][0]]
    out = {"Add": a + b, "Sub": a - b, "Mul": a * b, "Min": min(a, b),
           "Max": max(a, b)}[e[1][0]]
    demand(-(1 << 127) <= out < 1 << 127)
    return out


COMPARE = {"Eq": lambda a, b: a == b, "Ne": lambda a, b: a != b,
           "Lt": lambda a, b: a < b, "Le": lambda a, b: a <= b,
           "Gt": lambda a, b: a > b, "Ge": lambda a, b: a >= b}


def demand(holds):
    if not holds:
        raise Refused
