# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ops do to lanes. Each takes its attributes, the element of the result,
and for each operand its element and its lanes."""

import numpy as np

import formats


class Undefined(Exception):
    pass


def same(*elements):
    if len(set(elements)) != 1:
        raise Undefined(f"operands of {', '.join(elements)}")


def integer(element):
    if formats.is_float(element):
        raise Undefined(f"an integer op on {element}")


def real(element):
    if not formats.is_float(element):
        raise Undefined(f"a float op on {element}")


def wrapping(compute):
    def op(a, to, x, y):
        same(to, x[0], y[0])
        integer(to)
        with np.errstate(all="ignore"):
            result = compute(x[1].astype(np.int64), y[1].astype(np.int64))
        if a["overflow"] == "nsw":
            exact = compute(x[1].astype(object), y[1].astype(object))
            if np.any(exact != result) or \
                    np.any(result != formats.wrap(to, result)):
                raise Undefined("a promise of no overflow is broken")
        elif a["overflow"] != "none":
            raise Undefined(f"a promise of {a['overflow']} is not expected")
        return formats.wrap(to, result)
    return op


def logical(compute):
    def op(a, to, x, y):
        same(to, x[0], y[0])
        integer(to)
        return compute(x[1], y[1])
    return op


def numbers(sign, element, lanes):
    """Lanes as integers of 64 bits that compare as the numbers do; true is -1
    when signed."""
    wide = lanes.astype(np.int64)
    if sign == "signed":
        return -wide if element == "i1" else wide
    if element == "i64":
        return wide.view(np.uint64)
    return wide & ((1 << formats.bits_of(element)) - 1)


def exactly(compute):
    """An op on Python's integers, whose result must fit."""
    def op(a, to, x, y):
        same(to, x[0], y[0])
        integer(to)
        p, q = (numbers(a["sign"], *v) for v in (x, y))
        if (q == 0).any():
            raise Undefined("a division by 0")
        bits = formats.bits_of(to)
        low = 0 if a["sign"] == "unsigned" else -1 << (bits - 1)
        out = [compute(a, m, n)
               for m, n in zip(p.reshape(-1).tolist(), q.reshape(-1).tolist())]
        if any(not low <= n < low + (1 << bits) for n in out):
            raise Undefined("a quotient that leaves its type")
        return formats.wrap(to, np.array(out, np.int64).reshape(p.shape))
    return op


def quotient(a, p, q):
    floor, rest = divmod(p, q)
    up = {"zero": (p < 0) != (q < 0), "negative_inf": False,
          "positive_inf": True}[a["rounding"]]
    return floor + (rest != 0 and up)


def remainder(a, p, q):
    return p - q * quotient({"rounding": "zero"}, p, q)


def extreme(larger):
    def op(a, to, x, y):
        same(to, x[0], y[0])
        integer(to)
        p, q = (numbers(a["sign"], *v) for v in (x, y))
        return np.where((p > q) == larger, x[1], y[1])
    return op


COMPARISONS = {"equal": np.equal, "not_equal": np.not_equal,
               "less_than": np.less, "less_than_or_equal": np.less_equal,
               "greater_than": np.greater,
               "greater_than_or_equal": np.greater_equal}


def compare_integers(a, to, x, y):
    same(x[0], y[0])
    same(to, "i1")
    integer(x[0])
    p, q = (numbers(a["sign"], *v) for v in (x, y))
    return COMPARISONS[a["compare"]](p, q).astype(np.bool_)


def compare_floats(a, to, x, y):
    same(x[0], y[0])
    same(to, "i1")
    real(x[0])
    unordered = np.isnan(x[1]) | np.isnan(y[1])
    result = COMPARISONS[a["compare"]](x[1], y[1])
    return np.where(unordered, a["ordered"] == "unordered", result)


def extend(a, to, x):
    integer(to)
    if formats.bits_of(to) <= formats.bits_of(x[0]):
        raise Undefined(f"{x[0]} extended to {to}")
    return numbers(a["sign"], *x).astype(np.int64).astype(formats.ARRAYS[to])


def truncate(a, to, x):
    integer(to)
    if formats.bits_of(to) >= formats.bits_of(x[0]):
        raise Undefined(f"{x[0]} cut off to {to}")
    if a["overflow"] != "none":
        raise Undefined("promises of no overflow are not expected")
    return formats.wrap(to, x[1])


def float_of(a, to, x):
    real(to)
    integer(x[0])
    exact = numbers(a["sign"], *x)
    # 64 bits more than fit: to odd first, so that rounding twice is once.
    wide = exact.astype(np.float64)
    more = [(n > int(w)) - (n < int(w))
            for n, w in zip(exact.reshape(-1).tolist(),
                            wide.reshape(-1).tolist())]
    more = np.array(more, np.float64).reshape(exact.shape)
    even = (wide.view(np.int64) & 1) == 0
    if to != "f64":
        wide = np.where((more != 0) & even,
                        np.nextafter(wide, np.copysign(np.inf, more)), wide)
    return formats.rounded(to, wide, a["rounding"])


def convert(a, to, x):
    real(to)
    real(x[0])
    if to in formats.SMALL and (np.abs(x[1]) > formats.SMALL_MOST[to]).any():
        raise Undefined(f"a number that {to} does not reach")
    return formats.rounded(to, x[1].astype(np.float64), a["rounding"])


def integer_of(a, to, x):
    integer(to)
    real(x[0])
    if a.get("saturating"):
        raise Undefined("a conversion that saturates is not expected")
    if a["rounding"] != "nearest_int_to_zero":
        raise Undefined(f"rounding {a['rounding']} to an integer")
    bits = formats.bits_of(to)
    low, high = ((-1 << bits - 1, 1 << bits - 1) if a["sign"] == "signed"
                 else (0, 1 << bits))
    whole = np.trunc(x[1].astype(np.float64))
    if not ((whole >= low) & (whole < high)).all():
        raise Undefined("a number that the integers lack")
    exact = np.array([int(n) for n in whole.reshape(-1)], object)
    wrapped = [(n + (1 << 63)) % (1 << 64) - (1 << 63) for n in exact]
    return formats.wrap(to, np.array(wrapped, np.int64).reshape(whole.shape))


def flush(a, element, lanes):
    return formats.flushed(element, lanes) if a.get("ftz") else lanes


def rounding(compute):
    """float64 of two narrower elements has room enough for one rounding, but
    only to nearest."""
    def op(a, to, *operands):
        same(to, *(o[0] for o in operands))
        real(to)
        lanes = [flush(a, to, o[1]).astype(np.float64) for o in operands]
        with np.errstate(all="ignore"):
            exact = compute(*lanes)
        mode = a["rounding"]
        if mode in ("approx", "full"):
            # Not more than about that is promised.
            exact, mode = exact * (1 + 2.0**-20), "nearest_even"
        return flush(a, to, formats.rounded(to, exact, mode))
    return op


def fused(a, to, x, y, z):
    same(to, x[0], y[0], z[0])
    real(to)
    if a["rounding"] != "nearest_even":
        raise NotImplementedError("fma is rounded to nearest")
    lanes = [flush(a, to, o[1]) for o in (x, y, z)]
    return flush(a, to, formats.fma(to, *lanes))


def function(compute):
    def op(a, to, *x):
        same(to, *(o[0] for o in x))
        real(to)
        with np.errstate(all="ignore"):
            y = compute(*(flush(a, to, o[1]).astype(np.float64) for o in x))
        if a.get("rounding") == "approx":
            y = y * (1 + 2.0**-11)
        elif a.get("rounding", "full") != "full":
            raise Undefined(f"rounding {a['rounding']} of a function")
        return flush(a, to, formats.nearest(to, y))
    return op


def exact_float(compute):
    def op(a, to, x, y):
        same(to, x[0], y[0])
        real(to)
        with np.errstate(all="ignore"):
            wide = compute(x[1].astype(np.float64), y[1].astype(np.float64))
        return formats.nearest(to, wide)
    return op


def sign_change(compute):
    def op(a, to, x):
        same(to, x[0])
        real(to)
        return compute(x[1])
    return op


def extreme_float(larger):
    def op(a, to, x, y):
        same(to, x[0], y[0])
        real(to)
        p, q = flush(a, to, x[1]), flush(a, to, y[1])
        with np.errstate(all="ignore"):
            # -0 is below +0.
            below = (p < q) | ((p == q) & np.signbit(p))
        result = np.where(below == larger, q, p)
        nan = np.isnan(p) | np.isnan(q)
        other = np.where(np.isnan(p), q, p)
        return np.where(nan, np.nan if a["nan"] else other,
                        result).astype(p.dtype)
    return op


def shift_left(a, to, x, y):
    return wrapping(np.left_shift)(a, to, x, in_width(to, y))


def shift_right(a, to, x, y):
    same(to, x[0])
    _, by = in_width(to, y)
    if a["sign"] == "signed":
        return x[1] >> by
    unsigned = np.dtype(f"u{x[1].dtype.name}")
    return (x[1].view(unsigned) >> by.view(unsigned)).view(x[1].dtype)


def in_width(to, y):
    same(to, y[0])
    if ((y[1] < 0) | (y[1] >= formats.bits_of(to))).any():
        raise Undefined("a shift by the width or more")
    return y


def magnitude(a, to, x):
    same(to, x[0])
    integer(to)
    return formats.wrap(to, np.abs(x[1].astype(np.int64)))


def high_half(a, to, x, y):
    same(to, x[0], y[0])
    integer(to)
    bits = formats.bits_of(to)
    p, q = (v[1].astype(object) % (1 << bits) for v in (x, y))
    half = p * q >> bits
    signed = np.asarray(half - (half >> (bits - 1) << bits))
    return formats.wrap(to, signed)


def same_bits(a, to, x):
    if formats.bits_of(to) != formats.bits_of(x[0]):
        raise Undefined("a bitcast to another width")
    return formats.from_bytes(to, formats.to_bytes(x[0], x[1])).reshape(
        x[1].shape)


OPS = {
    "shli": shift_left, "shri": shift_right, "bitcast": same_bits,
    "addi": wrapping(np.add), "subi": wrapping(np.subtract),
    "muli": wrapping(np.multiply), "divi": exactly(quotient),
    "remi": exactly(remainder),
    "maxi": extreme(True), "mini": extreme(False),
    "andi": logical(np.bitwise_and), "ori": logical(np.bitwise_or),
    "xori": logical(np.bitwise_xor),
    "cmpi": compare_integers, "cmpf": compare_floats,
    "exti": extend, "trunci": truncate, "itof": float_of, "ftof": convert,
    "ftoi": integer_of,
    "addf": rounding(np.add), "subf": rounding(np.subtract),
    "mulf": rounding(np.multiply), "divf": rounding(np.divide),
    "sqrt": rounding(np.sqrt), "fma": fused,
    "negf": sign_change(np.negative), "absf": sign_change(np.abs),
    "maxf": extreme_float(True), "minf": extreme_float(False),
    "exp": function(np.exp), "exp2": function(np.exp2),
    "log": function(np.log), "log2": function(np.log2),
    "tanh": function(np.tanh), "sin": function(np.sin),
    "cos": function(np.cos), "floor": function(np.floor),
    "ceil": function(np.ceil), "pow": function(np.power),
    "rsqrt": function(lambda x: 1 / np.sqrt(x)),
    "tan": function(np.tan), "sinh": function(np.sinh),
    "cosh": function(np.cosh), "atan2": function(np.arctan2),
    "remf": exact_float(np.fmod), "absi": magnitude,
    "mulhii": high_half,
}
