# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which events of a block the oracle's memory takes for ordered, and that a
block may have many."""

import time
import unittest

import numpy as np

from memory import Block, Fault, Memory

WEAK = ("weak", None)


def block(*modes):
    memory = Memory(np.random.default_rng(1))
    for number, mode in enumerate(modes):
        memory.add(f"t{number}", "f32", 16, [4], [1], mode)
    return Block(memory)


def event(of, tensor, kind, token, element=0):
    how = ("relaxed", "device") if kind == "atomic" else WEAK
    at = of.memory.addresses(tensor)[element:element + 1]
    return of.event(tensor, at, kind, how, token)


class Events(unittest.TestCase):
    def test_order(self):
        for kind, other, ordered in [("load", "load", True),
                                     ("load", "store", False),
                                     ("store", "load", False),
                                     ("store", "store", False)]:
            with self.subTest(f"{kind}, {other}"):
                b = block("own", "own")
                token = event(b, 0, kind, 0)
                event(b, 0, other, 0, element=1)  # another element
                event(b, 1, other, 0)             # another tensor
                if ordered:
                    event(b, 0, other, 0)
                else:
                    with self.assertRaisesRegex(Fault, "have no order"):
                        event(b, 0, other, 0)
                    event(b, 0, other, token)

    def test_grids_before(self):
        b = block("own", "own")
        token = b.wait()
        after = event(b, 0, "load", token)
        event(b, 1, "store", after)
        for kind in ("load", "store"):
            with self.assertRaisesRegex(Fault, "does not wait for the grids"):
                event(b, 1, kind, 0)
            early = block("own", "own")
            event(early, 0, kind, 0)
            with self.assertRaisesRegex(Fault, f"a {kind} in front of the"):
                early.wait()

    def test_atomics(self):
        b = block("atomic<add>")
        event(b, 0, "atomic", 0)
        event(b, 0, "atomic", 0)

    def test_the_one_that_is_not_waited_for(self):
        for missed in (0, 31, 99):
            b = block("own")
            tokens = [event(b, 0, "store", 0, element=3)]
            for _ in range(99):
                tokens.append(event(b, 0, "store", tokens[-1], element=3))
            with self.assertRaisesRegex(Fault, "have no order"):
                event(b, 0, "load", tokens[-1] & ~(1 << missed), element=3)
            event(b, 0, "load", tokens[-1], element=3)

    def test_long_chains(self):
        """Each was held against all: this took minutes."""
        b, token, start = block("own"), 0, time.process_time()
        for _ in range(20000):
            token = event(b, 0, "store", token)
        self.assertEqual(token.bit_count(), 20000)
        self.assertLess(time.process_time() - start, 20)


if __name__ == "__main__":
    unittest.main()
