#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What imported kernels compute, on the executor, against NumPy: an import that
mixes up operands, axes or tensors is seen here.

  values.py BIN_DIR
"""

import json
import math
import pathlib
import sys
import tempfile

import numpy as np

import check

RANDOM = np.random.default_rng(7)


def of(*shape, dtype=np.float32):
    return (RANDOM.integers(-16, 17, shape) / 8).astype(dtype)


def drawn(count, most):
    """Rows, columns and what is summed over; not many multiples of tiles."""
    return [[int(n) for n in RANDOM.integers(1, [most, 300, 40])]
            for _ in range(count)]


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def row_norm(x):
    return 1 / np.sqrt((x.astype(np.float64) ** 2).mean(-1) + 1e-5)


def attention(q, k, v, scale):
    scores = np.einsum("bhid,bhjd->bhij", q, k, dtype=np.float64) * scale
    return np.einsum("bhij,bhjd->bhid", softmax(scores), v)


def layer_norm(x, w, b, eps):
    mean = x.mean(-1)
    rstd = 1 / np.sqrt(((x - mean[:, None]) ** 2).mean(-1) + eps)
    return (x - mean[:, None]) * rstd[:, None] * w + b, mean, rstd


def cases():
    """Kernel, inputs, float arguments, other symbols, results by name."""
    a, b = of(5, 70), of(5, 70)
    for name in ("vec_add_2d", "vec_add_2d_gather"):
        yield name, {"a": a, "b": b}, {}, {}, {"c": a + b}
    x = of(2000)
    yield "vec_add_1d", {"a": x, "b": x[::-1].copy()}, {}, {}, {
        "c": x + x[::-1]}
    yield "transpose", {"a": a}, {}, {}, {"b": a.T}
    x, y = of(2, 5, 70, dtype=np.float16), of(2, 70, 9, dtype=np.float16)
    yield "batch_matmul", {"a": x, "b": y}, {}, {}, {
        "c": x.astype(np.float32) @ y.astype(np.float32)}
    # Whole bands of eight rows of tiles, and what is left of them.
    for m, n, k in ((70, 90, 40), (129, 1, 33), (8 * 64, 65, 0), *drawn(4, 900)):
        x, y = of(m, k), of(k, n)
        yield "matmul_f32", {"a": x, "b": y}, {}, {}, {"c": x @ y}
    for name, symbols in (("matmul", {}), ("persistent_matmul", {"G0": 3})):
        for m, n, k in ((1100, 300, 17), *drawn(2, 1400)):
            x, y = (of(*s, dtype=np.float16) for s in ((m, k), (k, n)))
            yield name, {"a": x, "b": y}, {}, symbols, {
                "c": x.astype(np.float32) @ y.astype(np.float32)}
    ids = RANDOM.integers(0, 8, 1024).astype(np.int32)
    counts = np.zeros((9, 8), np.int32)
    np.add.at(counts, (np.arange(1024) // 128 + 1, ids), 1)
    yield "moe_align_1", {"a": ids, "b": np.zeros(72, np.int32)}, {}, {
        "G0": 8}, {"b": counts.ravel()}
    x = of(16, 1000)
    yield "softmax_tma", {"b": x}, {}, {"G0": 3}, {"a": softmax(x)}
    x, w = of(3, 1000, dtype=np.float16), of(1000, dtype=np.float16)
    for name in ("rms_norm", "rms_norm_gather"):
        yield name, {"a": x, "b": w}, {}, {}, {
            "c": x * row_norm(x)[:, None] * w, "d": row_norm(x)}
    x, w, b = of(3, 1500), of(1500), of(1500)
    y, mean, rstd = layer_norm(x, w, b, 0.5)
    yield "layer_norm_fwd", {"a": x, "b": w, "c": b}, {"s22": 0.5}, {}, {
        "d": y, "e": mean, "f": rstd}
    # It is compiled for whole tiles of keys.
    q, k, v = (of(1, 8, n, 64, dtype=np.float16) for n in (9, 128, 128))
    yield "fmha", {"a": q, "b": k, "c": v}, {"s36": 0.125}, {}, {
        "d": attention(q, k, v, 0.125)}


def forms():
    """Of forms.py."""
    x = of(16, 16)
    yield "parts", {"a": x}, {}, {}, {
        "b": np.concatenate([x[4:8, :8], x[12:, :8]]),
        "c": np.concatenate([x[:, 8:], x[:, :8]], 1)}
    x = of(6, 16)
    yield "scans", {"a": x}, {}, {}, {
        "b": x.cumsum(1), "c": x[:, ::-1].cumsum(1)[:, ::-1]}
    x = of(21, 35)
    yield "turned", {"a": x}, {}, {}, {"b": x.T}
    a, b = (RANDOM.integers(-2**31, 2**31, 40).astype(np.int32)
            for _ in range(2))
    a[:3], b[:3] = -2**31, (5, -2**31, 0)
    c = np.maximum(a, b) - np.minimum(a, -b)
    c = (c ^ (a & 12)) | ((b << 3) >> 1)
    yield "integers", {"a": a, "b": b}, {}, {}, {
        "c": np.where(a < b, c, abs(a) * 5)}
    # The limit is any i32, down to where one less wraps.
    for limit in (3, 0, 1, 2**31 - 1, -2**31, -1, *RANDOM.integers(
            -2**31, 2**31, 4)):
        x = of(5, 9)
        wide = np.pad(x, ((0, 0), (0, 7)), constant_values=7)
        first = min(max(int(limit), 0), 5)
        wide[:first] += 1
        wide[first:] *= -1
        yield "choices", {"a": x}, {}, {"n10": int(limit)}, {"b": wide}
    x = of(100)
    yield "total", {"a": x, "b": np.array([2], np.float32)}, {}, {}, {
        "b": np.array([2 + x.sum()])}
    a, b = (RANDOM.integers(-128, 128, s).astype(np.int8)
            for s in ((16, 32), (32, 16)))
    yield "product8", {"a": a, "b": b}, {}, {}, {
        "c": a.astype(np.int32) @ b.astype(np.int32)}


def run(bin_dir, row, case, folder):
    name, inputs, floats, symbols, results = case
    refused = check.bring(bin_dir, row, folder)
    assert not refused, refused
    text = (folder / f"{name}.mlir").read_text()
    values = dict(symbols)
    shapes = {**{n: v.shape for n, v in inputs.items()},
              **{n: v.shape for n, v in results.items()}}
    for tensor, shape in shapes.items():
        dims = text.split(f"!{tensor.upper()} = !tile.tensor<[")[1].split("]")[0]
        values.update((d, n) for d, n in zip(dims.split(", "), shape)
                      if not d.isdigit())
    for stride, dims in check.strides(text):
        values[stride] = math.prod(int(values.get(d, d)) for d in dims)
    command = [f"{bin_dir}/tile-exec", f"{name}.mlir", "--order=random", "--set",
               ",".join(f"{k}={v}" for k, v in values.items())]
    scalars = {n: np.float32(v) for n, v in floats.items()}
    for tensor, value in {**inputs, **scalars}.items():
        np.save(folder / f"{tensor}.npy", value)
        command += ["--input", f"{tensor}={tensor}.npy"]
    for tensor in results:
        command += ["--output", f"{tensor}={tensor}.out.npy"]
    done = check.call(*command, cwd=folder)
    assert done.returncode == 0, (name, done.stderr)
    for tensor, expected in results.items():
        got = np.load(folder / f"{tensor}.out.npy")
        assert got.shape == expected.shape, (name, tensor, got.shape)
        close = np.allclose(got.astype(np.float64), expected, rtol=4e-3,
                            atol=4e-3)
        assert close, (name, tensor, np.abs(got - expected).max())


def main(bin_dir):
    table = json.loads(check.TABLE.read_text())
    rows = {row["name"]: row for row in table["kernels"]}
    bin_dir = pathlib.Path(bin_dir).resolve()
    for case in [*cases(), *forms()]:
        with tempfile.TemporaryDirectory() as folder:
            run(bin_dir, rows[case[0]], case, pathlib.Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
