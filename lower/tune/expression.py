# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integer expressions of contracts: a number, the name of a symbol, or a tuple
(operator, left, right). A condition is such a tuple with a comparison."""

import functools
import operator
import re

_TOKEN = re.compile(r"\s*(==|<=|>=|[-+*()<>,\[\]]|\d+|[A-Za-z_]\w*)")
_FUNCTIONS = {"div", "mod", "ceildiv", "min", "max"}
_COMPARISONS = {"==": operator.eq, "<": operator.lt, "<=": operator.le,
                ">": operator.gt, ">=": operator.ge}
LIMIT = 1 << 127  # contracts are evaluated in 128 bits


class BadExpression(ValueError):
    """The text is none, or has no value at this launch."""


class _Parser:
    def __init__(self, text):
        self.text, self.tokens, at = text, [], 0
        while text[at:].strip():
            match = _TOKEN.match(text, at)
            if not match:
                raise BadExpression(f"'{text[at:].strip()}' in '{text}'")
            self.tokens.append(match[1])
            at = match.end()
        self.tokens.append("")

    def next(self, *wanted):
        if wanted and self.tokens[0] not in wanted:
            found = self.tokens[0] or "the end"
            raise BadExpression(f"expected '{wanted[0]}' and not {found} in "
                                f"'{self.text}'")
        return self.tokens.pop(0)

    def sum(self):
        left = self.product()
        while self.tokens[0] in ("+", "-"):
            left = (self.next(), left, self.product())
        return left

    def product(self):
        left = self.factor()
        while self.tokens[0] == "*":
            left = (self.next(), left, self.factor())
        return left

    def factor(self):
        token = self.next()
        if token.isdigit():
            return int(token)
        if token == "-":
            return ("-", 0, self.factor())
        if token == "(":
            inside = self.sum()
            self.next(")")
            return inside
        if token in _FUNCTIONS and self.tokens[0] == "(":
            self.next("(")
            left = self.sum()
            self.next(",")
            right = self.sum()
            self.next(")")
            return (token, left, right)
        if token and (token[0].isalpha() or token[0] == "_"):
            return token
        raise BadExpression(f"expected a number or a symbol and not "
                            f"{token or 'the end'} in '{self.text}'")

    def condition(self):
        left = self.sum()
        return (self.next("<", "<=", "==", ">", ">="), left, self.sum())


def parse(text):
    parser = _Parser(text)
    found = parser.sum()
    parser.next("")
    return found


@functools.cache
def parse_condition(text):
    parser = _Parser(text)
    found = parser.condition()
    parser.next("")
    return found


def symbols(expression):
    """The symbols that an expression or condition names."""
    if isinstance(expression, int):
        return set()
    if isinstance(expression, str):
        return {expression}
    return symbols(expression[1]) | symbols(expression[2])


def evaluate(expression, values):
    """An integer, or the truth of a condition."""
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        if expression not in values:
            raise BadExpression(f"{expression} has no value")
        return values[expression]
    op, left, right = expression
    a, b = evaluate(left, values), evaluate(right, values)
    if op in _COMPARISONS:
        return _COMPARISONS[op](a, b)
    if op in ("div", "mod", "ceildiv") and (b < 1 or a < 0):
        raise BadExpression(f"{op}({a}, {b})")
    result = {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b,
              "div": lambda: a // b, "mod": lambda: a % b,
              "ceildiv": lambda: -(-a // b), "min": lambda: min(a, b),
              "max": lambda: max(a, b)}[op]()
    if not -LIMIT <= result < LIMIT:
        raise BadExpression(f"{op} leaves 128 bits")
    return result


_WEIGHT = {"+": 1, "-": 1, "*": 2}


def show(expression, weight=0):
    """The text of an expression or condition; weight: of what it stands in."""
    if not isinstance(expression, tuple):
        return str(expression)
    op, left, right = expression
    if op in _FUNCTIONS:
        return f"{op}({show(left)}, {show(right)})"
    own = _WEIGHT.get(op, 0)
    text = f"{show(left, own)} {op} {show(right, own + 1)}"
    return f"({text})" if own < weight else text


def magnitude(expression, values):
    """What no part of an expression or condition exceeds in magnitude, of symbols
    from 0 to these values."""
    if isinstance(expression, int):
        return abs(expression)
    if isinstance(expression, str):
        return values[expression]
    op, left, right = expression
    a, b = magnitude(left, values), magnitude(right, values)
    if op in ("+", "-"):
        return a + b
    if op == "*":
        return a * b
    if op in ("div", "ceildiv") and isinstance(right, int):
        return max(-(-a // max(right, 1)), b)
    return max(a, b)


def split(text, opening="([{", closing=")]}"):
    """The parts of a list between commas that stand outside of brackets."""
    parts, depth, begin = [], 0, 0
    for at, mark in enumerate(text):
        depth += (mark in opening) - (mark in closing)
        if mark == "," and not depth:
            parts.append(text[begin:at].strip())
            begin = at + 1
    parts.append(text[begin:].strip())
    return [part for part in parts if part]


def split_types(text):
    """The same of types, which have angle brackets."""
    return split(text, "([{<", ")]}>")
