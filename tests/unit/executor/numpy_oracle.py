#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The shipped kernels on the reference executor against NumPy, whose sums run
# in another order: within the bound that the executor computes, and outside of
# it as soon as one element is wrong by one in a hundred.
"""usage: numpy_oracle.py TILE_EXEC KERNEL_FOLDER"""

import os
import subprocess
import sys
import tempfile

import numpy as np

ORDERS = ["sequential", "reverse", "random", "interleaved"]


def to_bits(x):
    """bf16 bits of float32 numbers, to nearest, ties to even."""
    bits = np.asarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)


def from_bits(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


def add(rng, N):
    x, y = normal(rng, N), normal(rng, N)
    return {"x": x, "y": y}, "z", x + y


def saxpy(rng, N):
    alpha = np.float32(rng.standard_normal())
    x, y = normal(rng, N), normal(rng, N)
    return {"alpha": alpha, "x": x, "y": y}, "y", alpha * x + y


def transpose(rng, M, N):
    x = normal(rng, M, N)
    return {"x": x}, "y", np.ascontiguousarray(x.T)


def softmax(rng, M, N):
    x = normal(rng, M, N) * np.float32(4)
    if N == 0:
        return {"x": x}, "y", x
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return {"x": x}, "y", e / e.sum(axis=1, keepdims=True, dtype=np.float32)


def rms_norm(rng, M, N):
    x, weight = to_bits(normal(rng, M, N)), to_bits(normal(rng, N))
    eps = np.float32(1e-6)
    wide = from_bits(x)
    square = (wide * wide).sum(axis=1, keepdims=True, dtype=np.float32)
    scale = np.float32(1) / np.sqrt(square / np.float32(max(N, 1)) + eps)
    y = to_bits(wide * scale * from_bits(weight))
    return {"x": x, "weight": weight, "eps": eps}, "y", y


def gemm(rng, M, N, K):
    a, b = to_bits(normal(rng, M, K)), to_bits(normal(rng, K, N))
    return {"a": a, "b": b}, "c", from_bits(a) @ from_bits(b)


def gemm_persistent(rng, M, N, K, P):
    return gemm(rng, M, N, K)


def normal(rng, *shape):
    return rng.standard_normal(shape).astype(np.float32)


SHAPES = {
    add: [dict(N=n) for n in (0, 1, 5, 1024, 1025, 3000)],
    saxpy: [dict(N=n) for n in (0, 1, 1023, 2049)],
    transpose: [dict(M=m, N=n) for m in (0, 1, 65) for n in (0, 3, 64, 130)],
    softmax: [dict(M=m, N=n) for m in (0, 1, 3) for n in (0, 1, 4096, 5000)],
    rms_norm: [dict(M=m, N=n) for m in (0, 1, 3) for n in (0, 1, 2048, 3000)],
    gemm: [dict(M=m, N=n, K=k) for m in (0, 1, 130) for n in (0, 3, 257)
           for k in (0, 1, 65, 200)],
    gemm_persistent: [dict(M=m, N=257, K=k, P=p) for m, k, p in
                      ((130, 65, 1), (130, 65, 3), (1030, 5, 9))],
}


def wrong(expected):
    """The array with one element off by a hundredth of it."""
    bad = expected.copy()
    flat = bad.reshape(-1)
    if bad.dtype == np.uint16:
        flat[-1] += 4
    else:
        largest = np.abs(flat).argmax()
        flat[largest] *= np.float32(1.01)
    return bad


def main(tile_exec, kernels):
    rng = np.random.default_rng(5)
    launches = failures = 0
    with tempfile.TemporaryDirectory() as folder:
        def path(name):
            return os.path.join(folder, name + ".npy")

        def launch(kernel, shape, extra, want):
            nonlocal launches, failures
            name = kernel.__name__
            command = [tile_exec, f"{kernels}/{name}/{name}.mlir", "--set",
                       ",".join(f"{k}={v}" for k, v in shape.items())] + extra
            done = subprocess.run(command, capture_output=True, text=True)
            launches += 1
            if done.returncode != want:
                failures += 1
                print(f"exit {done.returncode}, expected {want}:",
                      " ".join(command), done.stdout, done.stderr, sep="\n")

        for kernel, shapes in SHAPES.items():
            for number, shape in enumerate(shapes):
                inputs, name, expected = kernel(rng, **shape)
                extra = ["--order=" + ORDERS[number % len(ORDERS)]]
                for key, array in inputs.items():
                    np.save(path(key), array)
                    extra += ["--input", f"{key}={path(key)}"]
                np.save(path("expected"), expected)
                check = ["--expect", f"{name}={path('expected')}"]
                output = ["--output", f"{name}={path('output')}"]
                launch(kernel, shape, extra + check + output, 0)
                written = np.load(path("output"))
                if (written.dtype != expected.dtype
                        or written.shape != expected.shape):
                    failures += 1
                    print(kernel.__name__, shape, written.dtype, written.shape)
                if expected.size and np.abs(expected).max() > 0:
                    np.save(path("expected"), wrong(expected))
                    launch(kernel, shape, extra + check, 1)
    print(f"{launches} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
