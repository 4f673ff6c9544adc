# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of our own for forms that the published ones do not have; compile.py
compiles them, values.py says what they compute."""

import cuda.tile as ct


@ct.kernel
def parts(x, y, z):
    """The second half of the rows and the first of the columns of each tile,
    and the tile with its halves changed."""
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (8, 16))
    ct.store(y, (i, 0), ct.extract(t, (1, 0), (4, 8)))
    left = ct.extract(t, (0, 0), (8, 8))
    right = ct.extract(t, (0, 1), (8, 8))
    ct.store(z, (i, 0), ct.cat((right, left), 1))


@ct.kernel
def scans(x, y, z):
    i = ct.bid(0)
    t = ct.load(x, (i, 0), (4, 16), padding_mode=ct.PaddingMode.ZERO)
    ct.store(y, (i, 0), ct.cumsum(t, 1))
    ct.store(z, (i, 0), ct.cumsum(t, 1, reverse=True))


@ct.kernel
def turned(x, y):
    i = ct.bid(0)
    j = ct.bid(1)
    ct.store(y, (i, j), ct.load(x, (i, j), (16, 8), order=(1, 0)))


@ct.kernel
def integers(x, y, z):
    i = ct.bid(0)
    a = ct.load(x, (i,), (16,))
    b = ct.load(y, (i,), (16,))
    c = ct.maximum(a, b) - ct.minimum(a, -b)
    c = (c ^ (a & 12)) | ((b << 3) >> 1)
    ct.store(z, (i,), ct.where(a < b, c, abs(a) * 5))


@ct.kernel
def choices(x, y, n):
    """Lanes behind the end are 7; rows behind n are negated."""
    i = ct.bid(0)
    k = ct.arange(16, dtype=ct.int32)
    v = ct.gather(x, (i, k), padding_value=7.0)
    if i < n:
        w = v + 1.0
    else:
        w = -v
    ct.store(y, (i, 0), w.reshape((1, 16)))


@ct.kernel
def total(x, s):
    i = ct.bid(0)
    t = ct.load(x, (i,), (16,), padding_mode=ct.PaddingMode.ZERO)
    ct.atomic_add(s, 0, ct.sum(t))


@ct.kernel
def product8(x, y, z):
    acc = ct.full((16, 16), 0, dtype=ct.int32)
    a = ct.load(x, (0, 0), (16, 32))
    b = ct.load(y, (0, 0), (32, 16))
    ct.store(z, (0, 0), ct.mma(a, b, acc))
