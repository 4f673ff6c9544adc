#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A kernel of the library, or one of the corpus that computes what is known by
# name, on the reference executor against NumPy: within the
# bound that the executor computes, and outside of it as soon as one element is
# wrong by a tenth.
"""usage: run.py TILE_EXEC KERNEL.mlir"""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import references
import shapes
from formats import like, numbers, raw

ORDERS = ["sequential", "reverse", "random", "interleaved"]


def launch(tile_exec, kernel, shape, order, inputs, outputs, folder):
    """Runs it; the outputs as in their files, and the bounds."""
    def path(name):
        return str(pathlib.Path(folder, name + ".npy"))

    command = [tile_exec, kernel, "--order=" + order, "--set",
               ",".join(f"{k}={v}" for k, v in shape.items())]
    for name, array in inputs.items():
        np.save(path("in." + name), raw(array))
        command += ["--input", f"{name}={path('in.' + name)}"]
    for name in outputs:
        command += ["--output", f"{name}={path(name)}",
                    "--bound", f"{name}={path('bound.' + name)}"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        return " ".join(command) + "\n" + done.stdout + done.stderr, {}
    return "", {n: (np.load(path(n)), np.load(path("bound." + n)))
                for n in outputs}


def farthest(got, want, room):
    """By how much the worst element lies outside of its room; 0 when none
    does. Infinities are met exactly."""
    with np.errstate(invalid="ignore"):
        off = np.abs(got.astype(np.float64) - want) - room
    off = np.where((got == want) | (np.isnan(got) & np.isnan(want)), 0, off)
    return float(np.nan_to_num(off, nan=np.inf).max(initial=0))


def judge(name, want, got, bound, allowed):
    """The complaints about one output."""
    stored = raw(want)
    if got.dtype != stored.dtype or got.shape != stored.shape:
        return [f"{name}: {got.dtype}{got.shape}, not "
                f"{stored.dtype}{stored.shape}"]
    got, want = like(want, got), numbers(want)
    finite = np.where(np.isfinite(want), np.abs(want), 0).astype(np.float64)
    room = bound + allowed[0] + allowed[1] * finite
    off = farthest(got, want, room)
    if off > 0:
        return [f"{name}: off by {off:.3g} beyond its room"]
    if finite.max(initial=0) > 0:
        bad = want.astype(np.float64)
        worst = np.unravel_index(finite.argmax(), finite.shape)
        bad[worst] *= 1.1
        if farthest(got, bad, room) <= 0:
            return [f"{name}: an error of a tenth is not seen: room "
                    f"{room[worst]:.3g} of {finite[worst]:.3g}"]
    return []


def main(tile_exec, kernel):
    name = pathlib.Path(kernel).name.split(".")[0]
    reference = getattr(references, name, None)
    if reference is None or len(shapes.SHAPES.get(name, [])) < 3:
        sys.exit(f"{name}: no reference, or fewer than three launches")
    rng = np.random.default_rng(5)
    failures = 0
    for number, shape in enumerate(shapes.SHAPES[name]):
        inputs, outputs = reference(rng, **{
            k: v for k, v in shape.items()
            if k not in shapes.STRIDES.get(name, {})})
        with tempfile.TemporaryDirectory() as folder:
            fault, results = launch(
                tile_exec, kernel, shape, ORDERS[number % len(ORDERS)], inputs,
                outputs, folder)
        complaints = [fault] if fault else []
        for output, (got, bound) in results.items():
            complaints += judge(output, outputs[output], got, bound,
                                references.ALLOWED.get(name, (0, 0)))
        for complaint in complaints:
            print(name, shape, complaint)
        failures += bool(complaints)
    print(f"{name}: {len(shapes.SHAPES[name])} launches, {failures} failures")
    return failures != 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
