# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A third executor, by brute force and by the words of spec/tile.md: memory is
a dictionary, a block stops before every element that it touches, and each
launch is run block after block, backwards, and in random interleavings, which
must all end alike. Reads and answers what spec/coq/CoqExec.ml does."""

import itertools
import math
import pathlib
import random
import re
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "tileir"))
import formats  # noqa: E402
from terms import (COMPARE, Refused, Stuck, bits_of, demand,  # noqa: E402
                   element, evaluate, from_numbers, parse, share_bytes,
                   to_number, wrap)

INTERLEAVINGS = 2


class Tensor:
    def __init__(self, term, symbols, width):
        _, mode, kind, dims, strides, _ = term
        self.mode, self.kind = mode, element(kind)
        value = lambda d: d[1] if d[0] == "Fixed" else symbols[d[1]]
        self.extents = [value(d) for d in dims]
        strides = ([math.prod(self.extents[k + 1:]) for k in range(len(dims))]
                   if strides[0] == "None" else [value(d) for d in strides[1]])
        for extent, stride in zip(self.extents, strides):
            demand(0 <= extent <= power(40, width))
            size = max(1, bits_of(self.kind, width) // 8)
            demand(0 <= stride * extent * size <= power(47, width))
            demand(stride >= 0)
        if mode[0] != "Shared" and 0 not in self.extents:
            reach = 0
            for stride, extent in sorted(zip(strides, self.extents)):
                demand(extent == 1 or stride > reach)
                reach += stride * (extent - 1)


def power(exponent, width):
    return 1 << -(-exponent * width // 64)


class Launch:
    def __init__(self, kernel, width, symbols):
        (_, _, arguments, declared, grid, requires, givens, _,
         self.body) = kernel
        self.width, self.symbols = width, symbols
        for name, kind in declared:
            bits = 0 if kind[0] == "Index" else kind[1]
            low = -(1 << (bits - 1)) if bits > 1 else 0
            high = power(40, width) if bits == 0 else (1 << max(bits - 1, 1)) - 1
            demand(low <= symbols[name] <= high)
        self.arguments = [
            Tensor(a[1], symbols, width) if a[0] == "TensorArg" else None
            for a in arguments]
        self.kinds = [element(a[1]) if a[0] == "FloatArg" else None
                      for a in arguments]
        for _, relation, a, b in requires:
            demand(COMPARE[relation[0]](evaluate(a, symbols),
                                        evaluate(b, symbols)))
        self.grid = []
        for e in grid:
            dim = evaluate(e, symbols)
            if dim < 0:
                raise Stuck("launch.grid")
            demand(dim < power(31, width))
            self.grid.append(dim)
        demand(math.prod(self.grid) < power(31, width))
        self.givens = [(tensor, what[0], [evaluate(e, symbols)
                                          for e in what[1:]])
                       for _, tensor, what in givens]

    def keeps(self, contents):
        """Whether what is given of contents holds of them."""
        for tensor, what, numbers in self.givens:
            t = self.arguments[tensor]
            values = [contents[(tensor,) + at] for at in itertools.product(
                *map(range, t.extents))]
            if t.kind == "i1":
                values = [-v for v in values]
            ordered = all(a <= b for a, b in zip(values, values[1:]))
            if not {"Within": lambda: all(numbers[0] <= v < numbers[1]
                                          for v in values),
                    "Sorted": lambda: ordered,
                    "Splits": lambda: ordered and values != [] and
                    values[0] == 0 and values[-1] == numbers[0],
                    "AllDistinct": lambda: len(set(values)) == len(values)
                    }[what]():
                return False
        return True

    def blocks(self):
        if 0 in self.grid:
            return []
        return list(itertools.product(*map(range, self.grid)))


# The code of a block. Vectors are arrays, integer scalars are Python's.

class Block:
    def __init__(self, launch, ids, scalars, memory, owners):
        self.launch, self.ids, self.width = launch, ids, launch.width
        self.memory, self.owners = memory, owners
        self.values = {n + 1: x for n, x in scalars.items()}

    def run(self):
        yield from self.region(self.launch.body)

    def region(self, term):
        if term[0] == "Yield":
            return [self.values[v] for v in term[1]]
        for s in term[1]:
            yield from getattr(self, s[0])(*s[1:])
        return [self.values[v] for v in term[2]]

    def define(self, names, values):
        self.values.update(zip(names, values))

    def fitting(self, x, kind):
        if kind == "index":
            half = 1 << self.width - 1
            if not all(-half <= int(n) < half for n in np.ravel(x)):
                raise Stuck("index.width")
            return x
        return wrap(x, bits_of(kind, self.width))

    def Let(self, name, type_, op):
        shape, kind = type_[1], element(type_[2])
        x = getattr(self, op[0])(shape, kind, *op[1:])
        if not formats.is_float(kind):
            x = self.fitting(x, kind)
        self.values[name] = x
        return
        yield

    def Constant(self, shape, kind, x):
        if formats.is_float(kind):
            return np.full(shape, from_numbers(kind, [x])[0])
        return np.full(shape, x, np.int64) if shape else x

    def Dense(self, shape, kind, numbers):
        return from_numbers(kind, numbers).reshape(shape)

    def Symbol(self, shape, kind, name):
        return self.launch.symbols[name]

    def BlockId(self, shape, kind, axis):
        return self.ids[axis]

    def GridDim(self, shape, kind, axis):
        return self.launch.grid[axis]

    def NumTiles(self, shape, kind, partition, axis):
        return self.tiles(partition)[axis]

    def Binary(self, shape, kind, f, a, b):
        a, b = self.values[a], self.values[b]
        if shape and kind == "index":  # in Python's integers
            a, b = a.astype(object), b.astype(object)
        if f[0] in ("Div", "Rem", "CeilDiv"):
            if np.any(b < 1) or np.any(a < 0):
                raise Stuck("index.division")
            return {"Div": a // b, "Rem": a % b, "CeilDiv": -(-a // b)}[f[0]]
        low, high = (np.minimum, np.maximum) if shape else (min, max)
        with np.errstate(all="ignore"):
            return {"Add": lambda: a + b, "Sub": lambda: a - b,
                    "Mul": lambda: a * b, "Min": lambda: low(a, b),
                    "Max": lambda: high(a, b), "And": lambda: a & b,
                    "Or": lambda: a | b, "Xor": lambda: a ^ b}[f[0]]()

    def Compare(self, shape, kind, relation, a, b):
        holds = COMPARE[relation[0]](self.values[a], self.values[b])
        return -(holds.astype(np.int64) if shape else int(holds))

    def Select(self, shape, kind, c, a, b):
        c, a, b = self.values[c], self.values[a], self.values[b]
        if isinstance(c, np.ndarray):
            return np.where(c != 0, a, b)
        return a if c else b

    def Cast(self, shape, kind, unsigned, source, a):
        x = self.values[a]
        bits = bits_of(element(source), self.width)
        x = x % (1 << bits) if unsigned[0] == "true" else x
        if shape and kind != "index":
            return wrap(x, bits_of(kind, self.width)).astype(np.int64)
        return x

    def Iota(self, shape, kind, axis):
        line = np.arange(shape[axis], dtype=np.int64)
        return np.broadcast_to(line.reshape(
            [n if k == axis else 1 for k, n in enumerate(shape)]), shape)

    def Move(self, shape, kind, how, source, a):
        x = np.asarray(self.values[a])
        if how[0] == "Transpose":
            return x.transpose(how[1])
        return (np.broadcast_to if how[0] == "Broadcast" else np.reshape)(
            x, shape)

    def Alias(self, shape, kind, a):
        return self.values[a]

    def Prove(self, shape, kind, rule, condition):
        if self.values[condition] == 0:
            words = re.findall("[A-Z][a-z]+", rule[0])
            raise Stuck(".".join(words).lower())
        return self.values[condition]

    def Opaque(self, shape, kind, place, name, attributes, operands):
        attributes = dict(attributes)
        xs = [self.values[v] for v, _ in operands]
        of = [element(t[2]) for _, t in operands]
        with np.errstate(all="ignore"):
            out = opaque(name, attributes, shape, kind, of, xs)
        return out if formats.is_float(kind) or shape else int(out)

    # Views: a root, extents, and where in the root an element lies.

    def view(self, base):
        if base[0] == "Seen":
            return self.values[base[1]]
        return base[1], self.launch.arguments[base[1]].extents, lambda at: at

    def number(self, amount):
        if amount[0] == "Exactly":
            return self.fitting(amount[1], "index")
        if amount[0] == "OfSymbol":
            return self.launch.symbols[amount[1]]
        return self.values[amount[1]]

    def View(self, name, base, step):
        view = getattr(self, step[0])(*self.view(base), *step[1:])
        self.values[name] = view
        return
        yield

    def Slice(self, root, extents, place, offsets, sizes):
        offsets = [self.number(x) for x in offsets]
        sizes = [self.number(x) for x in sizes]
        if any(o < 0 or n < 0 or o + n > e
               for o, n, e in zip(offsets, sizes, extents)):
            raise Stuck("view.slice")
        return root, sizes, lambda at: place(
            [x + o for x, o in zip(at, offsets)])

    def Permute(self, root, extents, place, axes):
        return root, [extents[k] for k in axes], lambda at: place(
            [at[axes.index(k)] for k in range(len(axes))])

    def Unfold(self, root, extents, place, axis, factors):
        factors = [self.number(x) for x in factors]
        if math.prod(factors) != extents[axis]:
            raise Stuck("view.unfold")

        def folded(at):
            x = 0
            for digit, factor in zip(at[axis:], factors):
                x = x * factor + digit
            return place(list(at[:axis]) + [x] +
                         list(at[axis + len(factors):]))
        return (root, extents[:axis] + factors + extents[axis + 1:], folded)

    def FixAt(self, root, extents, place, axis, at_):
        x = self.number(at_)
        if not 0 <= x < extents[axis]:
            raise Stuck("view.fix")
        return (root, extents[:axis] + extents[axis + 1:],
                lambda at: place(list(at[:axis]) + [x] + list(at[axis:])))

    # Memory.

    def tiles(self, partition):
        return [-(-e // (t[1] if t[0] == "Some" else 1))
                for e, t in zip(self.view(partition[1])[1], partition[2])]

    def tile(self, partition, index, rule):
        index = [self.values[v] for v in index]
        if not all(0 <= i < n for i, n in zip(index, self.tiles(partition))):
            raise Stuck(rule)
        return self.view(partition[1]), partition[2], index

    def elements(self, view, sizes, index):
        """Coordinates of the elements of a tile, as the root has them, and
        where each lies in the vector."""
        root, extents, place = view
        wide = [t[1] if t[0] == "Some" else 1 for t in sizes]
        ranges = [range(i * t, min((i + 1) * t, e))
                  for i, t, e in zip(index, wide, extents)]
        for at in itertools.product(*ranges):
            lane = tuple(x % t[1] for x, t in zip(at, sizes)
                         if t[0] == "Some")
            yield (root,) + tuple(place(at)), lane

    def Claim(self, name, partition, index):
        piece = self.tile(partition, index, "claim.bounds")
        pairs = share_bytes(self.launch.arguments[piece[0][0]].kind)
        for at, _ in self.elements(*piece):
            yield
            byte = at[:-1] + (at[-1] // 2,) if pairs else at
            if self.owners.setdefault(byte, self.ids) != self.ids:
                raise Stuck("claim.disjoint")
        self.values[name] = piece

    def Load(self, name, source, pad):
        piece = (self.values[source[1]] if source[0] == "Piece" else
                 self.tile(source[1], source[2], "load.bounds"))
        kind = self.launch.arguments[piece[0][0]].kind
        shape = [t[1] for t in piece[1] if t[0] == "Some"]
        elements = list(self.elements(*piece))
        if pad[0] == "None" and len(elements) < math.prod(shape):
            raise Stuck("load.pad")
        out = blank(kind, shape, pad)
        for at, lane in elements:
            yield
            if at not in self.memory:
                raise Stuck("load.defined")
            out[lane] = self.memory[at]
        self.values[name] = (out if shape or formats.is_float(kind)
                             else int(out))

    def Store(self, value, piece):
        x = np.asarray(self.values[value])
        for at, lane in self.elements(*self.values[piece]):
            yield
            self.memory[at] = x[lane]

    def Combine(self, value, partition, index):
        piece = self.tile(partition, index, "atomic.bounds")
        tensor = self.launch.arguments[piece[0][0]]
        x = np.asarray(self.values[value])
        for at, lane in self.elements(*piece):
            yield
            self.memory[at] = combine(tensor, self.memory[at], x[lane])

    def lanes(self, number, shape, index, mask, rule):
        """The lanes that are not masked out, each with its element."""
        tensor = self.launch.arguments[number]
        rows = [np.ravel(self.values[v]) for v in index]
        lanes = [tuple(int(row[k]) for row in rows)
                 for k in range(math.prod(shape))]
        active = [True] * len(lanes) if mask[0] == "None" else [
            bool(b) for b in np.ravel(self.values[mask[1]])]
        for at, on in zip(lanes, active):
            if on and not all(0 <= x < n for x, n in zip(at, tensor.extents)):
                raise Stuck(rule)
        return [(k, (number,) + at)
                for k, (at, on) in enumerate(zip(lanes, active)) if on]

    def Gather(self, name, number, shape, index, mask, pad):
        lanes = self.lanes(number, shape, index, mask, "gather.bounds")
        kind = self.launch.arguments[number].kind
        out = blank(kind, [math.prod(shape)], pad)
        for k, at in lanes:
            yield
            out[k] = self.memory[at]
        self.values[name] = out.reshape(shape)

    def Scatter(self, value, number, shape, index, mask):
        lanes = self.lanes(number, shape, index, mask, "scatter.bounds")
        if len({at for _, at in lanes}) < len(lanes):
            raise Stuck("scatter.lanes")
        for _, at in lanes:
            yield
            if self.owners.setdefault(at, self.ids) != self.ids:
                raise Stuck("claim.disjoint")
        x = np.ravel(self.values[value])
        for k, at in lanes:
            yield
            self.memory[at] = x[k]

    def CombineLanes(self, value, number, shape, index, mask):
        lanes = self.lanes(number, shape, index, mask, "atomic_scatter.bounds")
        tensor = self.launch.arguments[number]
        x = np.ravel(self.values[value])
        for k, at in lanes:
            yield
            self.memory[at] = combine(tensor, self.memory[at], x[k])

    # Control.

    def For(self, results, counts, lower, upper, step, counter, carried,
            initial, body):
        lower, upper, step = (self.values[v] for v in (lower, upper, step))
        if step < 1:
            raise Stuck("loop.step")
        bits = bits_of(element(counts), self.width)
        values = [self.values[v] for v in initial]
        while lower < upper:
            self.define([counter] + carried, [lower] + values)
            values = yield from self.region(body)
            lower += step
            if lower >= 1 << (bits - 1):
                raise Stuck("loop.width")
        self.define(results, values)

    def If(self, results, condition, yes, no):
        values = yield from self.region(yes if self.values[condition] else no)
        self.define(results, values)


# Floats and ops between lanes.

def maximum(a, b):
    # -0 is below +0.
    out = np.where((a > b) | ((a == b) & ~np.signbit(a)), a, b)
    return np.where(np.isnan(a) | np.isnan(b), np.nan, out)


def minimum(a, b):
    return -maximum(-a, -b)


def number_first(f):
    return lambda a, b: np.where(np.isnan(a), b, np.where(np.isnan(b), a,
                                                          f(a, b)))


FLOATS = {"addf": np.add, "subf": np.subtract, "mulf": np.multiply,
          "divf": np.divide, "negf": np.negative, "absf": np.abs,
          "maximumf": maximum, "minimumf": minimum,
          "maxnumf": number_first(maximum), "minnumf": number_first(minimum),
          "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "exp": np.exp,
          "exp2": np.exp2, "log": np.log, "log2": np.log2, "tanh": np.tanh,
          "sin": np.sin, "cos": np.cos, "erf": np.vectorize(math.erf, "d"),
          "expm1": np.expm1, "log1p": np.log1p, "powf": np.power,
          "tan": np.tan, "sinh": np.sinh, "cosh": np.cosh,
          "atan2": np.arctan2, "remf": np.fmod,
          "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc,
          "round": lambda x: np.where(np.abs(x) < 2.0**52, np.copysign(
              np.floor(np.abs(x)) + (np.abs(x) % 1 >= 0.5), x), x),
          "roundeven": np.rint, "extf": np.positive, "truncf": np.positive}
# By number: which of less, equal, greater and unordered hold.
ADMITS = ["", "=", ">", "=>", "<", "<=", "<>", "<=>", "?=", "?>", "?=>", "?<",
          "?<=", "?<>", "?", "?<=>"]


def nearest(kind, exact):
    return formats.nearest(kind, np.atleast_1d(exact)).reshape(np.shape(exact))


INTEGERS = {8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}


def each(shape, f, xs):
    """Lane by lane in Python's integers, modulo 2^64."""
    lanes = zip(*(np.asarray(x).reshape(-1).tolist() for x in xs))
    return np.array([wrap(int(f(*x)), 64) for x in lanes],
                    np.int64).reshape(shape)


def plain_nan(x):
    x = np.atleast_1d(x)
    return np.where(np.isnan(x), np.array(np.nan, x.dtype), x)


def opaque(name, attributes, shape, kind, of, xs):
    op = name.split(".")[1]
    if op == "broadcast":
        return np.broadcast_to(xs[0], shape)
    if op == "shape_cast":
        return xs[0].reshape(shape)
    if op == "transpose":
        return xs[0].transpose(attributes["permutation"])
    if op == "extract":
        return xs[0][tuple(slice(n * size, (n + 1) * size) for n, size in
                           zip(attributes["position"], shape))]
    if op == "cat":
        return np.concatenate(xs, attributes["axis"][0])
    if op in ("sitofp", "uitofp"):
        numbers = np.asarray(xs[0]).reshape(-1).tolist()
        if op == "uitofp":
            numbers = [n % (1 << bits_of(of[0], 64)) for n in numbers]
        # To odd where 64 bits are too many, so that rounding twice is once.
        odd = [n if abs(n) < 1 << 53 else n >> 11 << 11 | (n % 2048 > 0) << 11
               for n in numbers]
        exact = list(map(float, numbers)) if kind == "f64" else odd
        return nearest(kind, np.array(exact, np.float64).reshape(shape))
    if op in ("fptosi", "fptoui"):
        bits = bits_of(kind, 64)
        low, high = ((0, (1 << bits) - 1) if op == "fptoui" else
                     (-(1 << bits - 1), (1 << bits - 1) - 1))
        return each(shape, lambda x: 0 if math.isnan(x) else
                    low if x < low else high if x > high else
                    min(int(x), high), xs)
    if op == "bitcast":
        raw = [formats.to_bytes(of[0], plain_nan(xs[0]))
               if formats.is_float(of[0]) else
               np.asarray(xs[0]).astype(INTEGERS[bits_of(of[0], 64)]).tobytes()]
        if formats.is_float(kind):
            return plain_nan(formats.from_bytes(kind, raw[0])).reshape(shape)
        return np.frombuffer(raw[0], INTEGERS[bits_of(kind, 64)]).astype(
            np.int64).reshape(shape)
    if op == "absi":
        return each(shape, abs, xs)
    if op in ("shli", "shrsi", "shrui", "maxui", "minui", "mulhi"):
        bits = bits_of(kind, 64)
        whole = lambda x: int(x) % (1 << bits)
        return each(shape, {
            "shli": lambda x, n: x << n, "shrsi": lambda x, n: x >> n,
            "mulhi": lambda x, y: whole(x) * whole(y) >> bits,
            "shrui": lambda x, n: whole(x) >> n,
            "maxui": lambda x, y: max(whole(x), whole(y)),
            "minui": lambda x, y: min(whole(x), whole(y))}[op], xs)
    if op == "scan":
        what, axis = (attributes[a][0] for a in ("reduceKind", "axis"))
        backwards = "reverse" in attributes
        floats = formats.is_float(kind)
        f = [np.add, np.multiply, maximum if floats else np.maximum,
             minimum if floats else np.minimum][what]
        lines = np.moveaxis(xs[0].astype(np.float64) if floats else xs[0],
                            axis, 0)
        out = [None] * len(lines)
        order = range(len(lines))
        sofar = None
        for k in reversed(order) if backwards else order:
            sofar = lines[k] if sofar is None else f(sofar, lines[k])
            out[k] = sofar
        out = np.moveaxis(np.stack(out), 0, axis)
        return nearest(kind, out) if floats else out
    if op in ("argmax", "argmin"):
        # NumPy's are those of the language: NaN wins, the first one counts.
        f = np.argmax if op == "argmax" else np.argmin
        return f(xs[0], axis=attributes["axis"][0],
                 keepdims=len(shape) == xs[0].ndim).astype(np.int64)
    if op == "convert" and attributes:
        x = np.abs(np.asarray(xs[0], np.float64))
        below = np.asarray(nearest(kind, x), np.float64)
        up = (attributes["rounding"][0] == 1) & (below < x) & (below < 2.0 ** 127)
        return np.where(up, 2 * below, below).astype(np.float32)
    if op == "convert":
        most = np.nanmax(np.where(np.isinf(formats.SMALL[kind]), np.nan,
                                  formats.SMALL[kind]))
        return nearest(kind, np.clip(plain_nan(
            np.asarray(xs[0], np.float64)), -most, most)).reshape(shape)
    if op == "cmpf":
        a, b = xs
        sign = ADMITS[attributes["predicate"][0]]
        holds = (("<" in sign) & (a < b)) | (("=" in sign) & (a == b)) | (
            (">" in sign) & (a > b)) | (
                ("?" in sign) & (np.isnan(a) | np.isnan(b)))
        return -np.asarray(holds).astype(np.int64)
    if op == "fma":
        out = formats.fma(kind, *map(np.atleast_1d, xs))
        return out.reshape(shape)
    if op == "reduce":
        what, axis = (attributes[a][0] for a in ("reduceKind", "axis"))
        keep = len(shape) == xs[0].ndim
        if not formats.is_float(kind):
            f = [np.sum, np.prod, np.max, np.min][what]
            return f(xs[0], axis=axis, keepdims=keep)
        x = xs[0].astype(np.float64)
        if what >= 2:
            lines = np.moveaxis(x, axis, 0)
            out = lines[0]
            for line in lines[1:]:
                out = (maximum if what == 2 else minimum)(out, line)
            out = np.expand_dims(out, axis) if keep else out
        else:
            f = [np.sum, np.prod][what]
            out = f(x, axis=axis, keepdims=keep, initial=[-0.0, 1.0][what])
        return nearest(kind, out)
    if op == "mma":
        if not formats.is_float(kind):
            return xs[0] @ xs[1] + xs[2]
        a, b, out = (x.astype(np.float64) for x in xs)
        for k in range(len(b)):
            out = out + a[:, k, None] * b[k]
        return nearest(kind, out)
    if op == "mma_scaled":
        a, b, out, by_a, by_b = (x.astype(np.float64) for x in xs)
        block = a.shape[1] // by_a.shape[1]
        a = a * np.abs(by_a).repeat(block, 1)
        b = b * np.abs(by_b).repeat(block, 0)
        for k in range(len(b)):
            out = out + a[:, k, None] * b[k]
        return nearest(kind, out)
    wide = [np.asarray(x).astype(np.float64) for x in xs]
    return nearest(kind, FLOATS[op](*wide))


def combine(tensor, y, x):
    kind = tensor.kind
    if formats.is_float(kind):
        return opaque("arith.addf", {}, [], kind, [kind] * 2, [y, x])
    y, x = int(y), int(x)
    return wrap({"Add": y + x, "Min": min(y, x), "Max": max(y, x),
                 "And": y & x, "Or": y | x, "Xor": y ^ x}[
                     tensor.mode[1][0]], bits_of(kind, 0))


def blank(kind, shape, pad):
    word = pad[1][0] if pad[0] == "Some" else "Zero"
    if word == "PadWith":
        fill = pad[1][1]
        if formats.is_float(kind):
            raw = fill.to_bytes(8, "little")[:len(formats.to_bytes(kind, np.ones(1)))]
            fill = formats.from_bytes(kind, raw)[0]
    else:
        fill = {"Zero": 0, "NegZero": -0.0, "NegInf": -np.inf,
                "PosInf": np.inf, "NaN": np.nan}[word]
        fill = formats.POWERS[0] if kind == "f8E8M0FNU" else fill
    return np.full(shape, fill, formats.ARRAYS[kind]
                   if formats.is_float(kind) else np.int64)


# Launches in several orders.

class Run:
    def __init__(self, launch, scalars, given):
        self.launch, self.memory, self.owners = launch, dict(given), {}
        self.blocks = [Block(launch, ids, scalars, self.memory, self.owners)
                       for ids in launch.blocks()]

    def missing(self):
        for number, t in enumerate(self.launch.arguments):
            if t and t.mode == ("Out", ("false",)):
                for at in itertools.product(*map(range, t.extents)):
                    if (number,) + at not in self.memory:
                        return True
        return False

    def interleaved(self, pick):
        """`pick` says which of the blocks under way goes on to its next
        element. How the launch ends, and the memory."""
        ways = [(n, b.run()) for n, b in enumerate(self.blocks)]
        while ways:
            way = pick(ways)
            try:
                next(way[1])
            except StopIteration:
                ways.remove(way)
            except Stuck as e:
                return f"{e} {way[0]}", self.memory
        return "out.covered" if self.missing() else "clean", self.memory


def alike(launch, a, b):
    """But for sums of floats, which round in the order of the blocks."""
    sums = {n for n, t in enumerate(launch.arguments)
            if t and t.mode[0] == "AtomicBy" and formats.is_float(t.kind)}
    return a.keys() == b.keys() and all(
        x == b[at] or (x != x and b[at] != b[at]) for at, x in a.items()
        if at[0] not in sums)


def launch_all(launch, scalars, given, rng):
    orders = [lambda ways: ways[0], lambda ways: ways[-1]]
    orders += [rng.choice] * INTERLEAVINGS
    if len(launch.blocks()) < 2:
        orders = orders[:1]
    runs = [Run(launch, scalars, given).interleaved(o) for o in orders]
    how, memory = runs[0]
    for other, left in runs[1:]:
        if (how == "clean") != (other == "clean") or (
                how == "clean" and not alike(launch, memory, left)):
            return f"{how}, but {other} in another order", memory
    return how, memory


def answer(kernel, words, lines, rng):
    width = int(words[0])
    symbols = {n: int(v) for n, v in (w.split("=") for w in words[1:])}
    try:
        launch = Launch(kernel, width, symbols)
    except Refused:
        return print("refused")
    except Stuck as e:
        return print(e)
    scalars, given, known = {}, {}, set()
    for line in lines:
        what, number, *numbers = line.split()
        number, numbers = int(number), [int(n) for n in numbers]
        if what == "scalar":
            scalars[number] = from_numbers(launch.kinds[number], numbers)[0]
            continue
        known.add(number)
        t = launch.arguments[number]
        lanes = from_numbers(t.kind, numbers)
        given.update(zip(((number,) + at for at in itertools.product(
            *map(range, t.extents))), lanes.tolist()
            if not formats.is_float(t.kind) else lanes))
    if not launch.keeps(given):
        return print("refused")
    how, memory = launch_all(launch, scalars, given, rng)
    print(how)
    for number, t in enumerate(launch.arguments):
        if how == "clean" and t and (t.mode[0] == "Out" or (
                t.mode[0] in ("Own", "AtomicBy") and number in known)):
            lanes = [memory.get((number,) + at)
                     for at in itertools.product(*map(range, t.extents))]
            print("tensor", number, *("_" if x is None else
                                      to_number(t.kind, x) for x in lanes))


def main():
    rng = random.Random(1)
    lines = (line.rstrip("\n") for line in sys.stdin)
    kernel = None
    for line in lines:
        block = list(itertools.takewhile(lambda s: s != "end", lines))
        if line == "kernel":
            kernel = parse("\n".join(block))
            print("\n".join(block))
        else:
            answer(kernel, line.split()[1:], block, rng)
        print("end")


if __name__ == "__main__":
    main()
