# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches at the bounds that the candidates name: for each comparison of each
candidate one launch on either side, as close to the bound as there is one, where
all else that the candidate asks for holds. A draw meets few of them."""

import random

from . import expression, space as space_of

# Drawn launches that a candidate admits, from which its bounds are sought, and how
# often is drawn for them.
BASES, TRIES = 4, 2000
STEPS = (0, 1, -1, 2, 4, 8, -8, 64, -64)  # beside a bound, and off a multiple


def _crossing(condition, values, name, low, high):
    """The two values of a symbol, neighbours, between which a comparison changes
    its truth, where it does so once; else none."""
    def truth(value):
        return expression.evaluate(condition, {**values, name: value})
    at_low = truth(low)
    if at_low == truth(high):
        return ()
    while high - low > 1:
        middle = (low + high) // 2
        if truth(middle) == at_low:
            low = middle
        else:
            high = middle
    return low, high


def _moved(condition, values, ranges):
    """Launches that differ in one symbol, at the bound of a comparison."""
    yield values
    for name in sorted(expression.symbols(condition)):
        if not isinstance(ranges.get(name), tuple):
            continue
        low, high = ranges[name]
        try:
            around = _crossing(condition, values, name, low, high)
        except expression.BadExpression:
            continue
        for value in dict.fromkeys((values[name], *around)):
            for step in STEPS:
                if low <= value + step <= high:
                    yield {**values, name: value + step}


def _distance(condition, values):
    left, right = (expression.evaluate(e, values) for e in condition[1:])
    return abs(left - right) / max(abs(left), abs(right), 1)


def _holds(conditions, values):
    try:
        return all(expression.evaluate(c, values) for c in conditions)
    except expression.BadExpression:
        return False


def _side(condition, others, side, bases, space, first):
    """The launch closest to the bound on a side of it, or None."""
    found = []
    for base in bases:
        for moved in _moved(condition, base, space.draw.ranges):
            values = space_of.completed(space.draw, moved)
            if _holds([condition], values) == side and _holds(
                    others, values) and space_of.is_possible(
                        space.draw, first, values):
                found.append((_distance(condition, values), len(found), values))
    return min(found)[2] if found else None


def launches(space, first, asked, drawn):
    """asked: of each candidate the texts of its comparisons. A comparison that
    several candidates name is taken with the first that reaches a side of it;
    what the ranges of the draw do not reach is left out."""
    if not space.draw:
        return []
    source = random.Random(f"bounds {space.draw.seed}")
    taken, found = set(), []
    for texts in asked:
        conditions = {t: expression.parse_condition(t) for t in texts}
        if not conditions or all((t, s) in taken for t in texts
                                 for s in (True, False)):
            continue
        bases = []
        for _ in range(TRIES):
            values = space_of.draw_one(space.draw, source)
            if _holds(conditions.values(), values):
                bases.append(values)
                if len(bases) == BASES:
                    break
        for text, condition in conditions.items():
            others = [c for t, c in conditions.items() if t != text]
            for side in (True, False):
                if (text, side) in taken:
                    continue
                values = _side(condition, others, side, bases, space, first)
                if values:
                    taken.add((text, side))
                    if values not in found and values not in drawn and \
                            values not in space.launches:
                        found.append(values)
    return found
