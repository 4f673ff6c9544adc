# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Device memory with tensors in it, and the order in which blocks touch it.

Every address that belongs to no element of a tensor is out of bounds: gaps
between tensors, the gaps that strides leave, and all of an empty tensor.

An access is an event of its block. Tile IR orders two of them by tokens alone,
and says nothing of a conflict without an order. So no order is tried: a pair of
events on one element, one of them a store, of which neither is behind the other
on a path of tokens, is an error. A token is the set of events behind it, as the
bits of an integer."""

import numpy as np

import formats


class Fault(Exception):
    pass


class Memory:
    def __init__(self, random):
        self.random = random
        self.top = 4096
        self.bytes = np.zeros(0, np.uint8)
        self.tensor_at = np.zeros(0, np.int16)  # where an element starts
        self.tensors = []  # (name, element, base, extents, strides, mode)

    def add(self, name, element, align, extents, strides, mode):
        """Places a tensor at an address that is no more aligned than asked,
        behind a gap. Returns its number."""
        size = formats.SIZES[element]
        gap = int(self.random.integers(1, 9)) * align
        base = (self.top // align) * align + align + gap
        if base // align % 2 == 0:
            base += align
        number = len(self.tensors)
        self.tensors.append((name, element, base, tuple(extents),
                             tuple(strides), mode))
        end = base
        if all(extents):
            end += size * (1 + sum((n - 1) * s
                                   for n, s in zip(extents, strides)))
        self.top = end + 64
        grown = np.full(self.top, -1, np.int16)
        grown[:len(self.tensor_at)] = self.tensor_at
        self.tensor_at = grown
        self.tensor_at[self.addresses(number)] = number
        noise = self.random.integers(0, 256, self.top).astype(np.uint8)
        noise[:len(self.bytes)] = self.bytes
        self.bytes = noise
        return number

    def addresses(self, number, low=None, high=None):
        """Of the elements of a box, the whole tensor by default, in order."""
        _, element, base, extents, strides, _ = self.tensors[number]
        low = low or [0] * len(extents)
        high = extents if high is None else high
        at = np.zeros((), np.int64)
        for a, b, stride in zip(low, high, strides):
            at = at[..., None] + np.arange(a, b) * stride
        return (base + at.reshape(-1) * formats.SIZES[element]).astype(np.int64)

    def raw(self, addresses, size):
        return self.bytes[addresses[:, None] + np.arange(size)]

    def read(self, number):
        _, element, _, extents, _, _ = self.tensors[number]
        raw = self.raw(self.addresses(number), formats.SIZES[element])
        return formats.from_bytes(element, raw.tobytes()).reshape(extents)

    def write(self, number, values):
        element = self.tensors[number][1]
        self.store(self.addresses(number), element, values.reshape(-1))

    def store(self, addresses, element, values):
        size = formats.SIZES[element]
        raw = np.frombuffer(formats.to_bytes(element, values), np.uint8)
        self.bytes[addresses[:, None] + np.arange(size)] = raw.reshape(-1, size)

    def check(self, addresses, element, what):
        """The tensor in which all addresses lie."""
        if not len(addresses):
            return None
        inside = (addresses >= 0) & (addresses < self.top)
        numbers = np.where(inside, self.tensor_at[np.where(inside, addresses,
                                                           0)], -1)
        number = numbers[0]
        if number < 0 or (numbers != number).any():
            lost = addresses[numbers != max(number, 0)]
            raise Fault(f"{what} at address {lost[0]}, which is in no tensor "
                        f"or in two")
        name, has, *_, mode = self.tensors[number]
        if has != element:
            raise Fault(f"{what} of {element} in %{name}, which holds {has}")
        if what == "a store" and mode == "shared":
            raise Fault(f"a store to the shared %{name}")
        if (what == "an atomic") != mode.startswith("atomic"):
            raise Fault(f"{what} on %{name}, which is {mode}")
        return int(number)

    def concurrent(self, tensor):
        """Whether other blocks may touch an element while this one does."""
        mode = "shared" if tensor is None else self.tensors[tensor][-1]
        return mode == "raw" or mode.startswith("atomic")


MODES = {"and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
         "add": np.add, "max": np.maximum, "min": np.minimum}


def combined(mode, element, old, values):
    """What an atomic leaves; sums of floats take subnormal numbers for zero."""
    if (mode == "addf") != formats.is_float(element):
        raise Fault(f"atomic {mode} of {element}")
    with np.errstate(all="ignore"):
        if mode == "addf":
            x, y = (formats.flushed(element, v).astype(np.float64)
                    for v in (old, values))
            return formats.flushed(element, formats.nearest(element, x + y))
        if mode not in MODES or formats.bits_of(element) < 32:
            raise Fault(f"atomic {mode} of {element}")
        return MODES[mode](old, values)


class Block:
    """The events of one block so far."""

    def __init__(self, memory):
        self.memory = memory
        self.events = []  # (tensor, addresses, kind)
        self.of = {}  # (tensor, kind): its events, as the bits of an integer
        self.grids = 0  # the event behind which the grids before are done
        self.starts_next = False  # the grid behind, before this one is done

    def wait(self):
        """Waits for the grids before this one; returns the token behind. What
        was touched in front of it was touched too early."""
        if self.events:
            raise Fault(f"a {self.events[0][2]} in front of the wait for the "
                        "grids before")
        self.grids = 1 << len(self.events)
        self.events.append((None, np.zeros(0, np.int64), "wait"))
        return self.grids

    def event(self, tensor, addresses, kind, how, token):
        """Records an access behind `token`; returns the token behind it. `how`
        is its order and scope: what others may touch meanwhile is touched so
        that they may. Atomics need no order among each other."""
        right = (("relaxed", "device") if self.memory.concurrent(tensor)
                 else ("weak", None))
        if tensor is not None and how != right:
            raise Fault(f"a {kind} of %{self.memory.tensors[tensor][0]} is "
                        f"{how}, not {right}")
        if self.grids and not token & self.grids:
            raise Fault(f"a {kind} does not wait for the grids before")
        bit = 1 << len(self.events)
        for earlier in ("load", "store", "atomic"):
            if {kind, earlier} in ({"load"}, {"atomic"}):
                continue
            # Most are behind the token: a loop may have many events.
            others = self.of.get((tensor, earlier), 0) & ~token
            while others:
                _, at, _ = self.events[others.bit_length() - 1]
                others ^= 1 << (others.bit_length() - 1)
                if np.intersect1d(at, addresses).size:
                    name = self.memory.tensors[tensor][0] \
                        if tensor is not None else "nothing"
                    raise Fault(f"a {kind} and an earlier {earlier} of the "
                                f"same element of %{name} have no order")
        self.of[tensor, kind] = self.of.get((tensor, kind), 0) | bit
        self.events.append((tensor, addresses, kind))
        return token | bit

    def load(self, addresses, element, how, token):
        tensor = self.memory.check(addresses, element, "a load")
        token = self.event(tensor, addresses, "load", how, token)
        raw = self.memory.raw(addresses, formats.SIZES[element])
        return formats.from_bytes(element, raw.tobytes()), token

    def store(self, addresses, element, values, how, token):
        tensor = self.memory.check(addresses, element, "a store")
        if np.unique(addresses).size != addresses.size:
            raise Fault("a store of two lanes to one element")
        token = self.event(tensor, addresses, "store", how, token)
        self.memory.store(addresses, element, values)
        return token

    def atomic(self, addresses, element, values, mode, how, token):
        """Lanes of one element are combined one after another, in any order."""
        tensor = self.memory.check(addresses, element, "an atomic")
        token = self.event(tensor, addresses, "atomic", how, token)
        order = self.memory.random.permutation(len(addresses))
        addresses, values = addresses[order], values[order]
        while len(addresses):
            _, first = np.unique(addresses, return_index=True)
            raw = self.memory.raw(addresses[first], formats.SIZES[element])
            old = formats.from_bytes(element, raw.tobytes())
            self.memory.store(addresses[first], element,
                              combined(mode, element, old, values[first]))
            addresses = np.delete(addresses, first)
            values = np.delete(values, first)
        return token

    def touched(self, tensor, kind):
        """The addresses of each access of that kind, in order, sorted and
        without those that are there twice."""
        return [np.unique(at) for number, at, of in self.events
                if number == tensor and of == kind]
