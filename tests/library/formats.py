# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Formats that NumPy does not know, as the raw bits that .npy files hold."""

import numpy as np


class Bf16:
    """An array of bf16: `bits` as in a file, `values` as float32 numbers."""

    def __init__(self, numbers):
        bits = np.ascontiguousarray(numbers, np.float32).view(np.uint32)
        self.bits = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)

    @property
    def values(self):
        return (self.bits.astype(np.uint32) << 16).view(np.float32)


def raw(array):
    """What the file of an argument holds."""
    return array.bits if isinstance(array, Bf16) else np.asarray(array)


def numbers(array):
    return array.values if isinstance(array, Bf16) else np.asarray(array)


def like(array, bits):
    """The numbers of an output's file, whose format is that of `array`."""
    if not isinstance(array, Bf16):
        return bits
    return (bits.astype(np.uint32) << 16).view(np.float32)
