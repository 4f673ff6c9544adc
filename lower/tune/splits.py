# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What launches can be told apart by: comparisons that the candidates name, and
quantities against a bound that is found. Quantities are symbols and their
products, numbers of tiles, and rounds: how often the multiprocessors are filled
with the tiles of a candidate, of which the last round may be nearly empty."""

import functools
import itertools
import re
from dataclasses import dataclass
from fractions import Fraction

from . import cost, expression
from .expression import show

# Of extents and symbols of type index, and of two extents of one tensor, of
# which one may be of elements of 4 bits; and what is largest where several
# tensors share extents: of sums of products the largest value is at one of these.
LARGEST, TOGETHER = 1 << 40, 1 << 48
CORNERS = (1 << 40, 1 << 24, 1 << 8, 1)
MAX_MULTIPLE = 7  # multiples of 2 to 128
MAX_FACTOR = 1 << 16  # of sides that are compared
# A launch is refused where a comparison leaves 128 bits.
MAX_MAGNITUDE = expression.LIMIT // (2 * MAX_FACTOR)


@dataclass(frozen=True)
class Quantity:
    """left / right, of which right is above 0; bounds: of `left <= b` that a
    candidate names."""
    left: object
    right: object = 1
    bounds: tuple = ()

    def value(self, values):
        left = expression.evaluate(self.left, values)
        if self.right == 1:
            return left
        return Fraction(left, max(1, expression.evaluate(self.right, values)))

    def at_most(self, low, high):
        """The comparison that holds at `low` and below, and no more at `high`."""
        if self.right != 1:
            low, high = Fraction(low), Fraction(high)
        if self.right == 1:
            return show(("<=", self.left, _whole(low, high, self.bounds)))
        fifth = (high - low) / 5  # not where it barely holds
        middle = _simplest(low + fifth, high - fifth)
        return show(("<=", _times(middle.denominator, self.left),
                     _times(middle.numerator, self.right)))


def _times(factor, side):
    return side if factor == 1 else ("*", factor, side)


def _whole(low, high, bounds):
    """The bound between them that a candidate names, or the number with the
    fewest digits, in base 2, near the middle by magnitude."""
    named = [b for b in bounds if low <= b < high]
    if named:
        return named[0]
    low, middle = int(low), int((max(low, 1) * max(high, 1)) ** 0.5)
    for shift in range(int(high).bit_length(), 0, -1):
        found = ((middle >> shift) << shift, ((middle >> shift) + 1) << shift)
        for number in found:
            if low <= number < high:
                return number
    return low


def _simplest(low, high):
    """The fraction of the least denominator that lies between them."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:  # 1 / n below what is left
        return whole + Fraction(1, int(1 / (high - whole)) + 1)
    return whole + 1 / _simplest(1 / (high - whole), 1 / (low - whole))


def fits(contract, symbols):
    """A function that says whether expressions of these symbols stay far enough
    below 128 bits at every launch."""
    pairs = {pair for t in contract.tensors for pair in itertools.combinations(
        sorted({d for d in t.dims if isinstance(d, str)}), 2)}
    corners = [c for c in (dict(zip(symbols, values)) for values in
                           itertools.product(CORNERS, repeat=len(symbols)))
               if all(c[a] * c[b] <= TOGETHER for a, b in pairs
                      if a in c and b in c)]

    @functools.cache
    def found(expression_):
        return max(expression.magnitude(expression_, c)
                   for c in corners) < MAX_MAGNITUDE
    return found


@dataclass(frozen=True)
class Fixed:
    """Comparisons that all hold, or not."""
    texts: tuple


def tiles(contract):
    """How many tiles a kernel writes: by the partition of a written tensor, as
    its grid may have more blocks; else its grid."""
    for tensor in contract.tensors:
        found = re.search(rf"tile\.partition %{tensor.name} by \[([^\]]*)\]",
                          contract.body) if tensor.is_written else None
        if not found:
            continue
        sizes = [s.strip() for s in found[1].split(",")]
        if len(sizes) != len(tensor.dims) or not all(
                s == "_" or s.isdigit() for s in sizes):
            continue
        factors = [d if s in ("_", "1") else ("ceildiv", d, int(s))
                   for d, s in zip(tensor.dims, sizes) if isinstance(d, str)]
        if factors:
            return product(factors)
    return product(contract.grid) if contract.grid else 1


def product(factors):
    found = factors[0]
    for factor in factors[1:]:
        found = ("*", found, factor)
    return found


def rounds(contract, arch, count=None):
    """How often its tiles, or so many blocks, fill the multiprocessors of the
    target."""
    if arch not in cost.TARGETS:
        return None
    together = contract.hints.get(arch, {}).get("occupancy", 1)
    return ("ceildiv", count or tiles(contract),
            cost.TARGETS[arch].processors * max(1, together))


def sizes(contract, name):
    """Sizes of tiles along a symbol's axes."""
    found = set()
    for tensor in contract.tensors:
        for match in re.finditer(
                rf"tile\.partition %{tensor.name} by \[([^\]]*)\]",
                contract.body):
            for dim, size in zip(tensor.dims, match[1].split(",")):
                if dim == name and size.strip().isdigit():
                    found.add(int(size))
    return found


def _atoms(texts):
    return [(t, expression.parse_condition(t)) for t in texts]


def listed(contracts, whens, arch):
    """All of them. whens: the texts behind `when` of sources; contracts: of
    candidates."""
    first = contracts[0]
    extents, others = first.extents()
    kinds = dict(first.symbols)
    # Launches are mostly of packed tensors, whose strides say nothing more.
    symbols = sorted(n for n in extents | others - set(first.packed_strides())
                     if kinds.get(n, "index") == "index")
    own = {t for t, _ in first.requires}  # holds wherever something is chosen
    groups = [tuple(t for t, _ in c.requires if t not in own)
              for c in contracts] + list(whens)
    fixed = {}  # a dict keeps the order
    bounds = {}
    quantities = {n: None for n in symbols}
    for count in (2, 3):
        for names in itertools.combinations(symbols, count):
            quantities[product(names)] = None
    for texts in groups:
        if len(texts) > 1:
            fixed[texts] = None
        for text, (op, left, right) in _atoms(texts):
            if expression.symbols(left) | expression.symbols(right) <= set(
                    symbols):
                fixed[(text,)] = None
                if isinstance(right, int) and op in ("<", "<=", ">", ">="):
                    quantities[left] = None
                    bounds.setdefault(left, set()).add(
                        right - (op in ("<", ">=")))
    for name in symbols:
        for power in range(1, MAX_MULTIPLE + 1):
            fixed[(f"mod({name}, {1 << power}) == 0",)] = None
        for contract in contracts:
            for size in sorted(sizes(contract, name)):
                fixed[(f"mod({name}, {size}) == 0",)] = None
    counts = {tiles(c): None for c in contracts}
    filled = {rounds(c, arch): None for c in contracts}
    filled.pop(None, None)
    quantities.update(counts)
    quantities.update(filled)
    found = [Quantity(q, 1, tuple(sorted(bounds.get(q, ()))))
             for q in quantities if not isinstance(q, int)]
    found += [Quantity(a, b) for a, b in itertools.combinations(filled, 2)]
    found += [Quantity(a[1], a) for a in filled if isinstance(a[1], tuple)]
    small = fits(first, symbols)
    return [q for q in found if small(q.left) and small(q.right)] + [
        Fixed(texts) for texts in fixed]
