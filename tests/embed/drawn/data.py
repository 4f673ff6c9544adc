# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as plain data, which is printed as C++ and as text.

A type is (element, shape); a shape is a tuple, () of a single number. Statements are
tuples, their first entry says which:

  ("let", name, E)  ("set", name, E)  ("array", name, type, [E, ...])
  ("for", element, counter, low, high, step, [statement, ...])
  ("if", E, [...], [...] or None)  ("unroll", name, count, [...])
  ("view", Tensor, kind, Tensor, numbers)
  ("store", Tensor, by, [E, ...], E)   by is None where the value says the tile
  ("update", Tensor, by, [E, ...], padding, name, E)   claim, load as name, store
  ("atomic", Tensor, by, [E, ...], E)
  ("scatter", Tensor, [E, ...], E, mask or None)
  ("prove", E, text)

Names of elements of arrays are `name[0]`, in an unrolled loop `name[u]`."""

import dataclasses
import math

FLOATS = {"f16": 16, "bf16": 16, "f32": 32, "f64": 64}
INTEGERS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}


@dataclasses.dataclass(frozen=True)
class E:
    """An expression: what `x` holds depends on the op."""
    op: str
    type: tuple
    args: tuple = ()
    x: tuple = ()


@dataclasses.dataclass(frozen=True)
class Tensor:
    """An argument, or a view of one. Extents are expressions on symbols: names,
    numbers; a mode is shared, own, out, out partial or atomic<op>."""
    name: str
    element: str
    mode: str
    extents: tuple
    is_view: bool = False


@dataclasses.dataclass
class Kernel:
    name: str
    arguments: list  # Tensors, and (name, element) of a scalar
    ids: list        # names of the coordinates of a block
    grid: list       # expressions on symbols
    requires: list   # (sign, expression, expression)
    givens: list     # (fact, Tensor, [expression, ...])
    body: list
    mistake: str = ""
    helpers: list = dataclasses.field(default_factory=list)


# Expressions on launch symbols: a name, a number, or (op, x, y) with op one of
# + - * div mod ceildiv min max.

def evaluate(e, values):
    if isinstance(e, int):
        return e
    if isinstance(e, str):
        return values[e]
    x, y = evaluate(e[1], values), evaluate(e[2], values)
    if e[0] in ("div", "mod", "ceildiv"):
        if y < 1 or x < 0:
            raise ZeroDivisionError
        return {"div": x // y, "mod": x % y, "ceildiv": -(-x // y)}[e[0]]
    return {"+": x + y, "-": x - y, "*": x * y, "min": min(x, y), "max": max(x, y)}[e[0]]


def symbols_of(e):
    if isinstance(e, int):
        return []
    return [e] if isinstance(e, str) else symbols_of(e[1]) + symbols_of(e[2])


def lanes(shape):
    return math.prod(shape)


def promotes(a, b):
    return a == b or (a in FLOATS and b in FLOATS and FLOATS[a] < FLOATS[b])


def meet_shapes(a, b):
    """Aligned at the last axis, as NumPy broadcasts; None where that fails."""
    rank = max(len(a), len(b))
    a, b = (1,) * (rank - len(a)) + a, (1,) * (rank - len(b)) + b
    if any(x != y and 1 not in (x, y) for x, y in zip(a, b)):
        return None
    return tuple(max(x, y) for x, y in zip(a, b))


def meet(a, b):
    shape = meet_shapes(a[1], b[1])
    if shape is None or not (promotes(a[0], b[0]) or promotes(b[0], a[0])):
        return None
    return (b[0] if promotes(a[0], b[0]) else a[0], shape)


def tile_shape(by):
    return tuple(n for n in by if n)


def assigned(statements, trips=None):
    """Names that statements assign, of variables declared inside or outside."""
    trips, found = trips or {}, set()
    for s in statements:
        if s[0] == "set":
            found.add(element_name(s[1], trips))
        elif s[0] == "for":
            found |= assigned(s[6], trips)
        elif s[0] == "if":
            found |= assigned(s[2], trips) | assigned(s[3] or [], trips)
        elif s[0] == "unroll":
            for n in range(s[2]):
                found |= assigned(s[3], {**trips, s[1]: n})
    return found


def element_name(name, trips):
    for trip, n in trips.items():
        name = name.replace(f"[{trip}]", f"[{n}]")
    return name


def walk(statements):
    """Every statement, inner ones too."""
    for s in statements:
        yield s
        for part in s:
            if isinstance(part, list) and part and isinstance(part[0], tuple):
                yield from walk(part)


def expressions(statements):
    """Every expression in statements."""
    def inside(e):
        yield e
        for a in e.args:
            yield from inside(a)
        for a in e.x:
            if isinstance(a, E):
                yield from inside(a)

    for s in walk(statements):
        for part in s:
            for e in part if isinstance(part, list) else [part]:
                if isinstance(e, E):
                    yield from inside(e)
