#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels that the engine has for itself, on the reference executor, beside NumPy,
at drawn extents: what is exact has to be the same, and what is out of range clamped.

  kernels_test.py TILE_EXEC KERNELS
"""

import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np

TILE_EXEC, KERNELS = sys.argv[1:3]
NONE = 2**31 - 1
DRAWS = 12


def run(kernel, inputs, outputs, **symbols):
    """The outputs; elements of bf16 are their bits, as u16."""
    with tempfile.TemporaryDirectory() as folder:
        command = [TILE_EXEC, f"{KERNELS}/{kernel}.mlir"]
        if symbols:
            command += ["--set", ",".join(f"{k}={v}" for k, v in symbols.items())]
        for name, array in inputs.items():
            path = pathlib.Path(folder, f"in.{name}.npy")
            np.save(path, array)
            command += ["--input", f"{name}={path}"]
        for name in outputs:
            command += ["--output", f"{name}={folder}/{name}.npy"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise AssertionError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
        return [np.load(pathlib.Path(folder, f"{name}.npy")) for name in outputs]


def rounded(values):
    """Bits of bf16, to nearest even."""
    bits = np.asarray(values, np.float32).view(np.uint32).astype(np.uint64)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)


def wide(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


class Own(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(23)

    def drawn(self, *shape):
        return rounded(self.rng.normal(size=shape))

    def test_tokens(self):
        """The smallest index of the largest, and none where there is a NaN."""
        for _ in range(DRAWS):
            rows, count = self.rng.integers(1, 5), self.rng.integers(0, 600)
            top = self.rng.integers(-3, 3, (rows, count)).astype(np.float32)
            # They ascend, as those of stretches do.
            index = np.sort(self.rng.permuted(np.arange(rows * count, dtype=np.int32)
                                              ).reshape(rows, count))
            for row in range(rows):
                if count and self.rng.random() < 0.3:
                    top[row, self.rng.integers(count)] = np.nan
            best = top.max(-1, initial=-np.inf)
            want = [index[row][top[row] == best[row]].min(initial=NONE)
                    for row in range(rows)]
            token, = run("step_tokens", {"max": top, "index": index}, ["token"])
            self.assertEqual(token.tolist(), want)
            self.leaves("step_argmax", {"max": top[:1], "index": index[:1]}, want[0])

    def leaves(self, kernel, inputs, best, **symbols):
        """What a step leaves behind, and tells the host."""
        at, before = self.rng.integers(-5, 50, (2, 1)).astype(np.int32)
        before = before.clip(0)
        # Numbers wrap.
        number = self.rng.choice([0, 1, 77, 2**31 - 1, -2**31, -1], 1).astype(np.int32)
        token, after, next_number, told = run(
            kernel, {**inputs, "position": at, "token": before, "number": number},
            ["token", "position", "number", "told"], **symbols)
        self.assertEqual((token[0], after[0]), (best, at[0] + 1))
        self.assertEqual(next_number[0],
                         -2**31 if number[0] == 2**31 - 1 else number[0] + 1)
        self.assertEqual([(t >> 32, t & 0xffffffff) for t in told.tolist()],
                         [(next_number[0], best), (number[0], before[0])])

    def test_embedding(self):
        for _ in range(DRAWS):
            count, width = self.rng.integers(1, 40), self.rng.integers(1, 1100)
            table = self.drawn(count, width)
            ids = self.rng.integers(-20, 60, self.rng.integers(1, 6)).astype(np.int32)
            y, = run("step_embedding", {"ids": ids, "table": table}, ["y"])
            np.testing.assert_array_equal(y, table[ids.clip(0, count - 1)])

    def heads(self, x, gain, cos, sin):
        """Norm and angles of heads [..., 128], to two units of bf16."""
        x = wide(x).astype(np.float64)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-6) * wide(gain)
        low, high = x[..., :64], x[..., 64:]
        return np.concatenate((low * cos - high * sin, high * cos + low * sin), -1)

    def close(self, found, want):
        np.testing.assert_allclose(wide(found), want, rtol=2**-7, atol=2**-7)

    def test_pages(self):
        """Each slot gets its row, and no other line changes."""
        for _ in range(DRAWS // 2):
            heads, pages = self.rng.integers(1, 4), self.rng.integers(1, 4)
            count, length = self.rng.integers(0, 20), 20 + self.rng.integers(10)
            slots = self.rng.permutation(pages * 64)[:count].astype(np.int32)
            rows = [self.drawn(heads, length, 128) for _ in "kv"]
            before = [self.drawn(pages, 64, heads, 128) for _ in "kv"]
            after = run("paged_copy", {"slots": slots, "k": rows[0], "v": rows[1],
                                       "k_pages": before[0], "v_pages": before[1]},
                        ["k_pages", "v_pages"])
            for found, old, new in zip(after, before, rows, strict=True):
                old.reshape(-1, heads, 128)[slots] = new[:, :count].swapaxes(0, 1)
                np.testing.assert_array_equal(found, old)

    def test_paged_heads(self):
        for _ in range(DRAWS // 2):
            count, of_q, of_k, pages = self.rng.integers(1, 5, 4)
            q, k, v = (self.drawn(count, n, 128) for n in (of_q, of_k, of_k))
            gains = [self.drawn(128) for _ in "qk"]
            cos, sin = self.rng.normal(size=(2, 9, 64)).astype(np.float32)
            at = self.rng.integers(-2, 12, count).astype(np.int32)
            slots = self.rng.permutation(pages * 64)[:count].astype(np.int32)
            before = [self.drawn(pages, 64, of_k, 128) for _ in "kv"]
            turned, keys, values = run(
                "paged_heads", {"q": q, "k": k, "v": v, "positions": at, "slots": slots,
                                "q_weight": gains[0], "k_weight": gains[1], "cos": cos,
                                "sin": sin, "k_pages": before[0],
                                "v_pages": before[1]},
                ["q_out", "k_pages", "v_pages"], eps=1e-6)
            angles = [table[at.clip(0, 8)][:, None] for table in (cos, sin)]
            self.close(turned, self.heads(q, gains[0], *angles))
            self.close(keys.reshape(-1, of_k, 128)[slots],
                       self.heads(k, gains[1], *angles))
            old = before[1].reshape(-1, of_k, 128)
            old[slots] = v
            np.testing.assert_array_equal(values.reshape(-1, of_k, 128), old)
            rest = np.setdiff1d(np.arange(pages * 64), slots)
            np.testing.assert_array_equal(keys.reshape(-1, of_k, 128)[rest],
                                          before[0].reshape(-1, of_k, 128)[rest])

    def test_weights_of_f8(self):
        """All elements times any scale, rounded once."""
        exponent, fraction = np.divmod(np.arange(128), 8)
        magnitude = np.where(exponent, (1 + fraction / 8) * 2.0**(exponent - 7),
                             fraction / 8 * 2.0**-6)
        magnitude[127] = np.nan
        values = np.concatenate((magnitude, -magnitude)).astype(np.float32)
        for _ in range(DRAWS):
            count, depth = self.rng.integers(1, 70), self.rng.integers(1, 600)
            w = self.rng.integers(0, 256, (count, depth)).astype(np.uint8)
            scale = (self.rng.normal(size=count) *
                     self.rng.choice([0, 1e-3, 1, 1e5], count)).astype(np.float32)
            y, = run("weights_of_f8", {"w": w, "scale": scale}, ["y"])
            self.same(y, values[w] * scale[:, None])

    def test_weights_of_int4(self):
        """Column j of a group is the low half of byte j, j + 64 the high one."""
        for _ in range(DRAWS):
            count, groups = self.rng.integers(1, 140), self.rng.integers(1, 5)
            w = self.rng.integers(0, 256, (count, groups, 64)).astype(np.uint8)
            scale = self.drawn(count, groups)
            y, = run("weights_of_int4", {"w": w.view(np.int8), "scale": scale}, ["y"])
            numbers = np.stack((w & 15, w >> 4), 2).astype(np.float32) - 8
            self.same(y, numbers * wide(scale)[..., None, None])

    def same(self, found, want):
        nan = np.isnan(want)
        np.testing.assert_array_equal(np.isnan(wide(found)), nan)
        np.testing.assert_array_equal(found[~nan], rounded(want)[~nan])

    def test_rank_products(self):
        """Sums stay in f32: as near as the order of their terms lets them be."""
        for _ in range(DRAWS // 2):
            rows, width, programs = self.rng.integers(1, 70, 3)
            depth = 8 * self.rng.integers(1, 140)
            weight = self.drawn(width, depth)
            x = self.drawn(rows, depth)
            want = wide(x).astype(np.float64) @ wide(weight).T.astype(np.float64)
            bound = 2**-18 * depth**0.5 * np.abs(want).max()
            y, = run("rank_linear", {"x": x, "weight": weight}, ["y"])
            self.assertEqual(y.dtype, np.float32)
            np.testing.assert_allclose(y, want, rtol=0, atol=bound)
            y, = run("rank_gemv", {"w": weight, "x": x[0]}, ["y"], P=programs)
            self.assertEqual(y.dtype, np.float32)
            np.testing.assert_allclose(y, want[0], rtol=0, atol=bound)

    def test_rank_sums(self):
        """The residual is added before what is rounded."""
        for _ in range(DRAWS):
            rows, width = self.rng.integers(1, 4), self.rng.integers(1, 1200)
            sums = self.rng.normal(size=(rows, width)).astype(np.float32)
            x, gain = self.drawn(rows, width), self.drawn(width)
            want = rounded(wide(x) + sums)
            y, = run("rank_add", {"sums": sums[0], "x": x[0]}, ["y"])
            np.testing.assert_array_equal(y, want[0])
            total, y = run("rank_add_norm", {"sums": sums, "x": x, "weight": gain},
                           ["sum", "y"], eps=1e-6)
            np.testing.assert_array_equal(total, want)
            t = wide(want).astype(np.float64)
            norm = t / np.sqrt((t * t).mean(-1, keepdims=True) + 1e-6) * wide(gain)
            np.testing.assert_allclose(wide(y), norm, rtol=2**-7, atol=2**-7)

    def test_rank_tokens(self):
        """The smallest token of the largest of all ranks, and none where there is a
        NaN; indices are among the tokens of each."""
        for _ in range(DRAWS):
            ranks, rows = self.rng.integers(1, 5, 2)
            count, of_rank = self.rng.integers(0, 600), 5000
            top = self.rng.integers(-3, 3, (ranks, rows, count)).astype(np.float32)
            index = np.sort(self.rng.integers(0, of_rank, top.shape), -1).astype(np.int32)
            for row in range(rows):
                if count and self.rng.random() < 0.3:
                    rank = self.rng.integers(ranks)
                    top[rank, row, self.rng.integers(count)] = np.nan
            whole = index + of_rank * np.arange(ranks)[:, None, None]
            best = top.max((0, 2), initial=-np.inf)
            want = [whole[:, row][top[:, row] == best[row]].min(initial=NONE)
                    for row in range(rows)]
            token, = run("rank_tokens", {"max": top, "index": index}, ["token"],
                         V=of_rank)
            self.assertEqual(token.tolist(), want)
            self.leaves("rank_argmax", {"max": top[:, :1], "index": index[:, :1]},
                        want[0], V=of_rank)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
