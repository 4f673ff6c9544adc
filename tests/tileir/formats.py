# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elements as numpy arrays: bytes to numbers and back, and rounding.

bf16 is kept in float32 arrays whose values are all of bf16."""

from fractions import Fraction

import numpy as np

ARRAYS = {"i1": np.bool_, "i4": np.int8, "i8": np.int8, "i16": np.int16, "i32": np.int32,
          "i64": np.int64, "f16": np.float16, "bf16": np.float32,
          "f32": np.float32, "tf32": np.float32, "f64": np.float64}
SIZES = {"i1": 1, "i4": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "f16": 2, "bf16": 2,
         "f32": 4, "tf32": 4, "f64": 8}
SMALLEST_NORMAL = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126,
                   "f64": 2.0**-1022}


# Formats of 8 bits by what each byte up to 0x7F means; the rest has the sign.
# E4M3FN has no infinity and one NaN.


def small_format(exponent, mantissa):
    bias = (1 << exponent - 1) - 1
    codes = np.arange(128)
    field, low = codes >> mantissa, (codes & (1 << mantissa) - 1) / 2.0**mantissa
    values = np.where(field == 0, low * 2.0**(1 - bias),
                      (1 + low) * 2.0**(field - bias))
    if exponent == 4:
        values[127] = np.nan
    else:
        values[0x7C:] = [np.inf, np.nan, np.nan, np.nan]
    return values


SMALL = {"f8E4M3FN": small_format(4, 3), "f8E5M2": small_format(5, 2),
         "f4E2M1FN": np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])}
SMALL_NAN = {"f8E4M3FN": 0x7F, "f8E5M2": 0x7E, "f4E2M1FN": 7}
# Scales: powers of two without sign and without zero.
POWERS = np.array([2.0 ** (e - 127) for e in range(255)] + [np.nan])
for _name in [*SMALL, "f8E8M0FNU"]:
    ARRAYS[_name], SIZES[_name] = np.float32, 1
# Two a byte in files. In memory a float has a byte of its own, here and nowhere
# else; integers are bytes of two, as they are lowered.
PACKED = ["f4E2M1FN", "i4"]


def small_codes(element, values):
    """The bytes of numbers, to nearest, ties to even."""
    values = np.asarray(values, np.float64)
    table = SMALL[element]
    finite = table[np.isfinite(table)]
    size = np.abs(np.where(np.isnan(values), 0, values))
    above = np.minimum(np.searchsorted(finite, size), len(finite) - 1)
    below = np.maximum(above - 1, 0)
    low, high = size - finite[below], finite[above] - size
    up = (high < low) | ((high == low) & (above % 2 == 0)) | (high < 0)
    code = np.where(up, above, below)
    code = np.where(np.isnan(values), SMALL_NAN[element], code)
    infinite = np.isinf(values)
    beyond = {"f8E5M2": 0x7C, "f8E4M3FN": 0x7F, "f4E2M1FN": 7}[element]
    code = np.where(infinite, beyond, code)
    return (code + len(table) * np.signbit(values)).astype(np.uint8)


def power_codes(values):
    """The bytes of powers of two; others are rounded down."""
    values = np.abs(np.asarray(values, np.float64))
    exponents = np.frexp(np.clip(values, POWERS[0], POWERS[254]))[1] + 126
    return np.where(np.isnan(values), 255, exponents).astype(np.uint8)


SMALL_MOST = {"f8E4M3FN": 448.0, "f8E5M2": 57344.0, "f4E2M1FN": 6.0}


def is_float(element):
    return element[0] != "i"


def bits_of(element):
    return 1 if element == "i1" else 8 * SIZES[element]


def from_bytes(element, raw):
    """An array of the elements in a bytes-like object."""
    if element == "i1":
        return np.frombuffer(raw, np.uint8) != 0
    if element == "i4":
        codes = np.frombuffer(raw, np.uint8)
        return np.where(codes & 8, codes | 0xF0, codes).astype(np.uint8).view(
            np.int8)
    if element in SMALL:
        codes = np.frombuffer(raw, np.uint8)
        half = len(SMALL[element])
        sign = np.where(codes & half, -1.0, 1.0)
        return (sign * SMALL[element][codes & half - 1]).astype(np.float32)
    if element == "f8E8M0FNU":
        return POWERS[np.frombuffer(raw, np.uint8)].astype(np.float32)
    if element == "bf16":
        high = np.frombuffer(raw, np.uint16).astype(np.uint32) << 16
        return high.view(np.float32)
    return np.frombuffer(raw, ARRAYS[element]).copy()


def to_bytes(element, values):
    if element == "i4":
        return (np.asarray(values, np.int8).view(np.uint8) & 15).tobytes()
    if element in SMALL:
        return small_codes(element, values).tobytes()
    if element == "f8E8M0FNU":
        return power_codes(values).tobytes()
    if element == "bf16":
        bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
        return (bits >> 16).astype(np.uint16).tobytes()
    return np.ascontiguousarray(values, ARRAYS[element]).tobytes()


def reread(element, other, values):
    """The same bytes as elements of another type."""
    if element == other:
        return values
    return from_bytes(other, to_bytes(element, values)).reshape(values.shape)


def pairs(codes):
    """Elements of 4 bits as files hold them, two a byte."""
    return codes[..., 0::2] | codes[..., 1::2] << 4


def halves(packed):
    codes = np.stack([packed & 15, packed >> 4], axis=-1)
    return codes.reshape(*packed.shape[:-1], 2 * packed.shape[-1])


def constant(element, raw, count):
    """`count` elements of a constant; one stands for all. Bits are packed, the
    first one lowest; a byte of ones or zeros stands for all of them."""
    if element == "i1":
        if len(raw) == 1 and (raw[0] in (0, 0xFF) or count == 1 or count > 8):
            return np.full(count, bool(raw[0] & 1))
        if len(raw) != -(-count // 8):
            return None
        return np.unpackbits(np.frombuffer(raw, np.uint8), count=count,
                             bitorder="little").astype(np.bool_)
    if len(raw) not in (SIZES[element], count * SIZES[element]):
        return None
    values = from_bytes(element, raw)
    return np.repeat(values, count) if len(values) != count else values


def wrap(element, values):
    """Integers of any size (Python's, or int64 that wrapped) cut to an
    element."""
    if element == "i1":
        return (values & 1).astype(np.bool_)
    return values.astype(ARRAYS[element])


def cut_off(digits, x):
    """float64 with so many binary digits, towards zero."""
    fraction, exponent = np.frexp(x)
    return np.ldexp(np.trunc(np.ldexp(fraction, digits)), exponent - digits)


def nearest(element, x):
    """float64 to the element, to nearest even; to tf32 towards zero."""
    if element == "f64":
        return x
    if element == "tf32":
        return cut_off(11, x).astype(np.float32)
    if element in SMALL:
        return from_bytes(element, small_codes(element, x).tobytes()).reshape(
            np.shape(x))
    if element == "f8E8M0FNU":
        return from_bytes(element, power_codes(x).tobytes()).reshape(np.shape(x))
    with np.errstate(all="ignore"):
        if element != "bf16":
            return x.astype(ARRAYS[element])
        # To odd in float32 first, so that rounding twice is rounding once.
        y = to_odd(x, x.astype(np.float32))
        bits = y.view(np.uint32)
        # A scalar and a number of Python would make 64 bits.
        odd = (bits >> np.uint32(16)) & np.uint32(1)
        rounded = (bits + np.uint32(0x7FFF) + odd) & np.uint32(0xFFFF0000)
        quiet = (bits & np.uint32(0xFFFF0000)) | np.uint32(0x400000)
        return np.where(np.isnan(y), quiet, rounded).view(np.float32)


def to_odd(exact, rounded):
    """Moves an inexact float32 to its neighbour with an odd last bit."""
    below = np.where(rounded.astype(np.float64) < exact, np.inf, -np.inf)
    even = (rounded.view(np.uint32) & 1) == 0
    inexact = (rounded.astype(np.float64) != exact) & ~np.isnan(exact)
    return np.where(inexact & even,
                    np.nextafter(rounded, below.astype(np.float32)), rounded)


def rounded(element, exact, mode):
    """float64 to the element. `exact` must be exact for directed modes."""
    near = nearest(element, exact)
    if mode == "nearest_even":
        return near
    if element not in ("f16", "f32"):
        raise NotImplementedError(f"rounding {mode} to {element}")
    wide = near.astype(np.float64)
    toward_zero = np.abs(wide) > np.abs(exact)
    wrong = {"zero": toward_zero, "negative_inf": wide > exact,
             "positive_inf": wide < exact}[mode]
    to = {"zero": np.zeros_like(near),
          "negative_inf": np.full_like(near, -np.inf),
          "positive_inf": np.full_like(near, np.inf)}[mode]
    return np.where(wrong, np.nextafter(near, to), near)


def flushed(element, values):
    """Subnormals become zeros of their sign."""
    small = np.abs(values) < SMALLEST_NORMAL[element]
    return np.where(small, np.copysign(np.zeros_like(values), values), values)


def fma64(x, y, z):
    """One lane, by exact fractions."""
    plain = x * y + z
    if not np.isfinite([x, y, z]).all():
        return plain
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    try:
        return float(exact) if exact else plain
    except OverflowError:
        return np.copysign(np.inf, float(np.sign(exact)))


def fma(element, x, y, z):
    """x * y + z rounded once."""
    if element == "f64":
        with np.errstate(all="ignore"):
            return np.vectorize(fma64, otypes=[np.float64])(x, y, z)
    with np.errstate(all="ignore"):
        p, c = x.astype(np.float64) * y.astype(np.float64), z.astype(np.float64)
        s = p + c
        # What the sum lost; the last bit becomes odd if anything.
        t = s - p
        lost = (p - (s - t)) + (c - t)
        even = (s.view(np.int64) & 1) == 0
        fix = np.isfinite(s) & (lost != 0) & even
        s = np.where(fix, np.nextafter(s, np.where(lost > 0, np.inf, -np.inf)),
                     s)
    return nearest(element, s)


PADDING_VALUES = {"zero": 0.0, "neg_zero": -0.0, "nan": np.nan,
                  "pos_inf": np.inf, "neg_inf": -np.inf}


def padding(element, name):
    if not is_float(element):
        return 0 if name == "zero" else None
    return PADDING_VALUES[name]
