# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The space file: which kernels, which hints, which launches. Its form is
spec/schemas/space.schema.json."""

import math
import pathlib
import random
import re
from dataclasses import dataclass, replace

from . import expression, kernel, located
from .errors import Malformed
from .expression import BadExpression, split

KEYS = {"name", "sources", "hints", "classes", "launches", "draw", "tolerance"}
DRAW_KEYS = {"seed", "count", "elements"}
MAX_CANDIDATES = 10_000
MAX_DRAWN = 10_000
MAX_SYMBOL = 1 << 40
OTHERS = "all others"
STEPS = (1, 8, 64)  # of what a drawn extent is a multiple


@dataclass(frozen=True)
class Draw:
    seed: int
    count: int
    elements: int
    ranges: dict  # by symbol: (low, high); a number twice where it is fixed
    derived: dict  # by symbol: an expression of those


@dataclass(frozen=True)
class Space:
    path: str
    name: str
    sources: tuple  # paths
    hints: dict  # by target: {name: list of values, None for "without it"}
    classes: tuple  # texts, without the last one
    launches: tuple  # {name: number}
    draw: object  # Draw or None
    tolerance: tuple  # (absolute, relative)
    places: dict

    def fail(self, path, message):
        line, column = self.places.get(tuple(path), (1, 1))
        where = "".join(f"[{p}]" if isinstance(p, int) else f".{p}"
                        for p in path).lstrip(".")
        where = f" {where}:" if where else ""
        raise Malformed(f"{self.path}:{line}:{column}: error:{where} {message}")


class _Checker:
    def __init__(self, path):
        self.path = str(path)
        self.value, self.places = located.read(self.path)
        self.space = Space(self.path, "", (), {}, (), (), None, (), self.places)
        self.fail = self.space.fail

    def of(self, path):
        found = self.value
        for part in path:
            found = found[part]
        return found

    def expect(self, path, kind, what):
        found = self.of(path)
        if not isinstance(found, kind) or (isinstance(found, bool)):
            self.fail(path, f"expected {what}")
        return found

    def integer(self, path, low, high):
        found = self.expect(path, int, "an integer")
        if not low <= found <= high:
            self.fail(path, f"{found} is not in [{low}, {high}]")
        return found

    def keys(self, path, known, needed=()):
        found = self.expect(path, dict, "an object")
        for key in found:
            if key not in known:
                self.fail((*path, key), "unknown key; known are " +
                          ", ".join(sorted(known)))
        for key in sorted(needed):
            if key not in found:
                self.fail(path, f"'{key}' is missing")
        return found

    def sources(self):
        listed = self.expect(("sources",), list, "a list of files")
        if not listed:
            self.fail(("sources",), "no source")
        found, names = [], {}
        for k in range(len(listed)):
            text = self.expect(("sources", k), str, "the path of a kernel's file")
            file = pathlib.Path(self.path).parent / text
            if not file.is_file():
                self.fail(("sources", k), f"there is no file {file}")
            if file.stem in names:
                self.fail(("sources", k), f"'{file.stem}' is the name of "
                          f"sources[{names[file.stem]}] too")
            names[file.stem] = k
            found.append(str(file))
        return tuple(found)

    def hints(self):
        found = {}
        for target, names in self.expect(("hints",), dict, "an object").items():
            if not re.fullmatch(r"sm_\d+", target):
                self.fail(("hints", target), f"'{target}' is no target as sm_90 "
                          "is one")
            found[target] = {}
            for name in self.expect(("hints", target), dict, "an object"):
                path = ("hints", target, name)
                if not re.fullmatch(r"[a-z]\w*", name):
                    self.fail(path, f"'{name}' is no name of a hint")
                values = self.expect(path, list, "a list of values")
                if not values:
                    self.fail(path, "no value")
                for k, value in enumerate(values):
                    if value is not None:
                        self.integer((*path, k), 0, 1 << 20)
                    if value in values[:k]:
                        self.fail((*path, k), f"{value} stands twice")
                found[target][name] = values
        return found

    def classes(self):
        listed = self.expect(("classes",), list, "a list of conditions")
        for k in range(len(listed)):
            path = ("classes", k)
            text = self.expect(path, str, "conditions, as in \"N <= 1024\"")
            try:
                if not [expression.parse_condition(c) for c in split(text)]:
                    self.fail(path, "no condition")
            except BadExpression as error:
                self.fail(path, str(error))
            if text in listed[:k]:
                self.fail(path, "stands twice")
        return tuple(listed)

    def launches(self):
        listed = self.expect(("launches",), list, "a list of launches")
        for k in range(len(listed)):
            for name in self.expect(("launches", k), dict, "an object"):
                self.expect(("launches", k, name), (int, float), "a number")
            if listed[k] in listed[:k]:
                self.fail(("launches", k), "stands twice")
        return tuple(listed)

    def draw(self):
        found = self.expect(("draw",), dict, "an object")
        for key in sorted(DRAW_KEYS):
            if key not in found:
                self.fail(("draw",), f"'{key}' is missing")
        ranges, derived = {}, {}
        for name in found:
            path = ("draw", name)
            if name in DRAW_KEYS:
                continue
            if isinstance(found[name], str):
                try:
                    derived[name] = expression.parse(found[name])
                except BadExpression as error:
                    self.fail(path, str(error))
            elif isinstance(found[name], list):
                if len(found[name]) != 2:
                    self.fail(path, "expected the least and the largest value")
                low = self.integer((*path, 0), 0, MAX_SYMBOL)
                ranges[name] = low, self.integer((*path, 1), low, MAX_SYMBOL)
            else:
                self.expect(path, (int, float), "a range, a number or an "
                            "expression")
                ranges[name] = found[name], found[name]
        for name, text in derived.items():
            for used in sorted(expression.symbols(text) - set(ranges)):
                self.fail(("draw", name), f"{used} is not drawn")
        return Draw(self.integer(("draw", "seed"), 0, (1 << 63) - 1),
                    self.integer(("draw", "count"), 0, MAX_DRAWN),
                    self.integer(("draw", "elements"), 1, MAX_SYMBOL), ranges,
                    derived)

    def tolerance(self):
        found = self.keys(("tolerance",), {"absolute", "relative"})
        values = []
        for key, otherwise in (("absolute", 1e-6), ("relative", 1e-3)):
            value = otherwise
            if key in found:
                value = self.expect(("tolerance", key), (int, float), "a number")
                if not 0 <= value < math.inf:
                    self.fail(("tolerance", key), f"{value} is no tolerance")
            values.append(float(value))
        return tuple(values)


def read(path):
    """The space of a file; every part checked but what the kernels say."""
    c = _Checker(path)
    found = c.keys((), KEYS, {"name", "sources"})
    name = c.expect(("name",), str, "a name")
    if not re.fullmatch(r"[A-Za-z]\w*", name, re.A):
        c.fail(("name",), f"'{name}' is no name of a kernel")
    sources = c.sources()
    optional = {key: getattr(c, key)() if key in found else otherwise
                for key, otherwise in (("hints", {}), ("classes", ()),
                                       ("launches", ()), ("draw", None),
                                       ("tolerance", (1e-6, 1e-3)))}
    if not optional["launches"] and not optional["draw"]:
        c.fail((), "neither 'launches' nor 'draw': nothing to tune on")
    return Space(c.path, name, sources, places=c.places, **optional)


def with_packed_strides(space, contract):
    """Strides of which the space says nothing are those of packed tensors."""
    def rest(named):
        return {name: e for name, e in contract.packed_strides().items()
                if name not in named}
    launches = []
    for launch in space.launches:
        try:
            launches.append({**launch, **{
                name: expression.evaluate(e, launch)
                for name, e in rest(launch).items()}})
        except expression.BadExpression:
            launches.append(launch)  # an extent is missing, which is said below
    draw = space.draw and replace(space.draw, derived={
        **space.draw.derived,
        **rest({**space.draw.ranges, **space.draw.derived})})
    return replace(space, launches=tuple(launches), draw=draw)


def check_symbols(space, contract):
    """That launches, draw and classes name what the first kernel has."""
    symbols = contract.launch_symbols()
    wanted = symbols | set(contract.scalars)
    named = [(("launches", k), launch) for k, launch in
             enumerate(space.launches)]
    if space.draw:
        named.append((("draw",), {**space.draw.ranges, **space.draw.derived}))
    for path, values in named:
        for name in sorted(set(values) - wanted):
            space.fail((*path, name), f"@{contract.name} has no symbol {name}; "
                       "it has " + ", ".join(sorted(wanted)))
        for name in sorted(wanted - set(values)):
            space.fail(path, f"{name} of @{contract.name} has no value")
        for name in sorted(symbols):
            value = values[name]
            if isinstance(value, float):
                space.fail((*path, name), f"{name} is an integer")
            if isinstance(value, int) and not -MAX_SYMBOL <= value <= MAX_SYMBOL:
                space.fail((*path, name), f"{value} is beyond 2^40")
    for k, text in enumerate(space.classes):
        for condition in split(text):
            unknown = expression.symbols(expression.parse_condition(condition))
            for name in sorted(unknown - symbols):
                space.fail(("classes", k), f"@{contract.name} has no symbol "
                           f"{name}; it has " + ", ".join(sorted(symbols)))


def class_of(space_classes, values):
    """The number of the first class of which all conditions hold."""
    for k, text in enumerate(space_classes):
        if holds(text, values):
            return k
    return len(space_classes)


def holds(text, values):
    return all(expression.evaluate(expression.parse_condition(c), values)
               for c in split(text))


def _drawn(source, low, high):
    """Evenly by magnitude; multiples of 1, 8 and 64 alike."""
    if isinstance(low, float) or low == high:
        return low
    value = math.exp(source.uniform(math.log(max(low, 1)), math.log(high)))
    step = source.choice(STEPS)
    rounded = round(value / step) * step
    return rounded if low <= rounded <= high else min(max(round(value), low),
                                                      high)


def completed(draw, values):
    """With what the draw says by expressions of other symbols."""
    values = dict(values)
    for name, e in draw.derived.items():
        values[name] = expression.evaluate(e, values)
    return values


def draw_one(draw, source):
    return completed(draw, {name: _drawn(source, *draw.ranges[name])
                            for name in sorted(draw.ranges)})


def is_possible(draw, contract, values):
    """Whether the first kernel admits it, with something to do, of a size that
    the draw allows."""
    return (sum(math.prod(kernel.extent_values(t, values))
                for t in contract.tensors) <= draw.elements and
            not kernel.refusal(contract, values) and
            kernel.blocks(contract, values) > 0)


def drawn(space, contract):
    """Launches of the draw, none of them listed, all of them admitted; as many
    as were found in a thousand tries each."""
    if not space.draw:
        return []
    source, found = random.Random(space.draw.seed), []
    for _ in range(space.draw.count):
        for _ in range(1000):
            values = draw_one(space.draw, source)
            if (values not in found and values not in space.launches and
                    is_possible(space.draw, contract, values)):
                found.append(values)
                break
    return found
