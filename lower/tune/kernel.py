# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel's contract as plain data, read from the form that tile-opt prints,
and edits of a kernel's own text: hints, and names."""

import re
from dataclasses import dataclass

from . import expression
from .errors import Malformed
from .expression import BadExpression, split, split_types

BITS = {"i1": 8, "i4": 4, "f4E2M1FN": 4, "i8": 8, "f8E4M3FN": 8, "f8E5M2": 8,
        "f8E8M0FNU": 8, "i16": 16, "f16": 16, "bf16": 16, "i32": 32, "f32": 32,
        "i64": 64, "f64": 64, "index": 64}
MAX_GRID = (1 << 31) - 1


@dataclass(frozen=True)
class Tensor:
    name: str
    element: str
    mode: str  # "shared", "own", "out", "raw", "atomic<add>"
    dims: tuple
    strides: tuple  # packed where the type has none
    align: int

    @property
    def is_written(self):
        return self.mode != "shared"


@dataclass(frozen=True)
class Contract:
    name: str
    arguments: str  # as printed: the signature, with the symbols
    tensors: tuple
    scalars: tuple  # names of float scalars
    symbols: tuple  # (name, type) of the clause
    grid: tuple
    requires: tuple  # (text, condition)
    given: tuple  # texts
    hints: dict  # by target
    body: str  # canonical text of the kernel

    @property
    def signature(self):
        return self.arguments, self.symbols

    def extents(self):
        """Symbols that have their values from the tensors, and the others."""
        found = set()
        for tensor in self.tensors:
            found |= {d for d in tensor.dims if isinstance(d, str)}
        strides = {s for t in self.tensors for e in t.strides
                   for s in expression.symbols(e)}
        return found, (strides | {n for n, _ in self.symbols}) - found

    def launch_symbols(self):
        extents, others = self.extents()
        return extents | others

    def packed_strides(self):
        """Of symbols that are strides alone what they are where tensors are
        packed, as expressions of extents."""
        extents, found = self.extents()[0], {}
        for tensor in self.tensors:
            packed = 1
            for dim, stride in zip(reversed(tensor.dims),
                                   reversed(tensor.strides)):
                if isinstance(stride, str) and stride not in extents:
                    stride = found.setdefault(stride, packed)
                packed = dim if stride == 1 else ("*", dim, stride)
        return found


def closing(text, at):
    """Behind the bracket that closes the one at `at`."""
    pairs, stack = {"(": ")", "[": "]", "{": "}"}, []
    while at < len(text):
        if text.startswith("//", at):
            at = text.find("\n", at)
            if at < 0:
                break
            continue
        mark = text[at]
        if mark == '"':
            at = re.compile(r'"(?:\\.|[^"\\])*"').match(text, at).end()
            continue
        if mark in pairs:
            stack.append(pairs[mark])
        elif stack and mark == stack[-1]:
            stack.pop()
            if not stack:
                return at + 1
        at += 1
    raise BadExpression("a bracket is not closed")


def _packed(dims):
    strides, product = [], 1
    for dim in reversed(dims):
        strides.insert(0, product)
        product = dim if product == 1 else ("*", dim, product)
    return tuple(strides)


def _tensor(name, text):
    inside = re.fullmatch(r"!tile\.tensor<(.*)>", text, re.S)[1]
    end = closing(inside, 0)
    dims = tuple(expression.parse(d) for d in split(inside[1:end - 1]))
    element, mode, *rest = split_types(inside[end:].strip()[2:])
    strides, align = _packed(dims), 16
    for part in rest:
        if part.startswith("strides"):
            listed = part[part.index("[") + 1:part.rindex("]")]
            strides = tuple(expression.parse(s) for s in split(listed))
        elif part.startswith("align"):
            align = int(part.split("=")[1])
    return Tensor(name, element, mode, dims, strides, align)


def parse_hints(text):
    """The dictionary by target."""
    found = {}
    for part in split(text.strip()[1:-1]):
        target, _, hints = part.partition("=")
        found[target.strip()] = {
            name.strip(): int(value) for name, value in
            (h.split("=") for h in split(hints.strip()[1:-1]))}
    return found


def print_hints(hints):
    return "{" + ", ".join(
        f"{target} = {{" + ", ".join(f"{n} = {v}" for n, v in
                                     sorted(values.items())) + "}"
        for target, values in sorted(hints.items()) if values) + "}"


def clauses(text, at):
    """Of a header, behind the name: what stands where, by its word. Gives
    {word: (begin, end of the bracket)}, and where the body begins."""
    found, word = {}, re.compile(r"\s*(?://[^\n]*\n\s*)*([a-z]*)\s*")
    begin = at
    while True:
        match = word.match(text, at)
        start = match.start(1) if match[1] else begin
        at = match.end()
        if at >= len(text) or text[at] not in "([{":
            raise BadExpression("the header of the kernel is not closed")
        if text[at] == "{" and match[1] != "hints":
            return found, at
        end = closing(text, at)
        found[match[1] or "arguments"] = (start, at, end)
        at = end


_LISTED = re.compile(r"^\s*tile\.variants\s+@\w+\s*", re.M)


def choices(text):
    """What a list of variants says, in its order: (name, texts of the comparisons
    behind `when`). Empty where there is no list."""
    listed = _LISTED.search(text)
    if not listed:
        return []
    inside = re.sub(r"//[^\n]*", "", text[listed.end():closing(
        text, listed.end())])
    found = []
    for part in split(inside[1:-1]):
        name, _, conditions = part.partition("when")
        found.append((name.strip().lstrip("@"),
                      tuple(split(conditions.strip()[1:-1]))))
    return found


def singles(text):
    """The kernels of a list of variants, the one for all others first: (name,
    text of the file with that kernel alone). Empty where there is no list."""
    listed = _LISTED.search(text)
    if not listed:
        return []
    kernels = [(m[1], m.start(), closing(text, clauses(text, m.end())[1]))
               for m in re.finditer(r"^\s*tile\.kernel @(\w+)", text, re.M)]
    spans = [(listed.start(), closing(text, listed.end()))]
    spans += [(begin, end) for _, begin, end in kernels]
    found = []
    for name, kept, _ in reversed(kernels):
        alone, at = "", 0
        for begin, end in sorted(spans):
            if begin != kept:
                alone, at = alone + text[at:begin], end
        found.append((name, alone + text[at:]))
    return found


def read(text, name):
    """The contract of the one kernel in tile-opt's form."""
    found = re.search(r"tile\.kernel @(\w+)", text)
    if not found:
        raise Malformed(f"{name}: error: it holds no kernel")
    try:
        parts, body = clauses(text, found.end())

        def inside(word):
            if word not in parts:
                return ""
            _, begin, end = parts[word]
            return text[begin + 1:end - 1]
        tensors, scalars = [], []
        arguments = " ".join(inside("arguments").split())
        for argument in split_types(arguments):
            which, _, kind = argument.partition(":")
            which, kind = which.strip().lstrip("%"), kind.strip()
            if kind.startswith("!tile.tensor"):
                tensors.append(_tensor(which, kind))
            else:
                scalars.append(which)
        symbols = tuple(tuple(w.strip() for w in s.split(":"))
                        for s in split(inside("symbols")))
        return Contract(
            found[1], arguments, tuple(tensors), tuple(scalars), symbols,
            tuple(expression.parse(e) for e in split(inside("grid"))),
            tuple((c, expression.parse_condition(c))
                  for c in split(inside("requires"))),
            tuple(split(inside("given"))),
            parse_hints("{" + inside("hints") + "}"), text[body:])
    except (BadExpression, TypeError, ValueError) as error:
        raise Malformed(f"{name}: error: the header of @{found[1]} is not "
                        f"understood: {error}") from None


def blocks(contract, values):
    """How many blocks a launch has."""
    product = 1
    for dim in contract.grid:
        product *= expression.evaluate(dim, values)
    return product


def refusal(contract, values):
    """Why the contract does not admit the launch, or None."""
    try:
        for text, condition in contract.requires:
            if not expression.evaluate(condition, values):
                return f"it requires {text}"
        grid = [expression.evaluate(d, values) for d in contract.grid]
        count = blocks(contract, values)
    except BadExpression as error:
        return str(error)
    if any(not 0 <= d <= MAX_GRID for d in grid) or count > MAX_GRID:
        return f"a grid of {grid}"
    return None


def extent_values(tensor, values):
    return [expression.evaluate(d, values) for d in tensor.dims]


def span(tensor, values):
    """Bytes from the first element to behind the last one."""
    dims = extent_values(tensor, values)
    if 0 in dims:
        return 0
    last = sum((d - 1) * expression.evaluate(s, values)
               for d, s in zip(dims, tensor.strides))
    return -(-(last + 1) * BITS[tensor.element] // 8)


def with_hints(text, hints):
    """The text of a kernel's file with these hints in place of its own."""
    found = re.search(r"^\s*tile\.kernel @\w+", text, re.M)
    parts, body = clauses(text, found.end())
    clause = f"hints {print_hints(hints)}" if any(hints.values()) else ""
    if "hints" in parts:
        begin, _, end = parts["hints"]
        return text[:begin] + clause + text[end:]
    return text[:body] + clause + " " * bool(clause) + text[body:]


_DEFINED = re.compile(
    r"^\s*(?:tile\.kernel|tile\.map|func\.func(?:\s+private)?)\s+(@\w+)"
    r"|^\s*([!#]\w+)\s*=", re.M)


def renamed(text, kernel, suffix):
    """The text with its kernel called `kernel`, and `suffix` behind every
    other name that the file defines, so that it can stand beside others."""
    names = {}
    for symbol, alias in _DEFINED.findall(text):
        names[symbol or alias] = (symbol or alias) + suffix
    names["@" + re.search(r"^\s*tile\.kernel @(\w+)", text, re.M)[1]] = (
        "@" + kernel)
    parts = re.split(r'("(?:\\.|[^"\\\n])*"|//[^\n]*)', text)
    for at in range(0, len(parts), 2):
        parts[at] = re.sub(r"[@!#]\w+", lambda m: names.get(m[0], m[0]),
                           parts[at])
    return "".join(parts)
