#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of spec/tutorial.md, from each compiler: the first attempts have the
verdict that is printed below them, the others are VERIFIED and compute at drawn sizes
what NumPy does.

  tutorial.py BIN_DIR LIBRARY COMPILER... [--update]

--update writes down what tile-verify says now."""

import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "spec/tutorial.md"
MAX_LINES = 40
DRAWS = 4


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True, initial=-1e30))
    return e / e.sum(-1, keepdims=True)


def layer_norm(x, weight, bias, eps):
    mean = x.mean(-1)
    unit = (x - mean[:, None]) / np.sqrt(x.var(-1)[:, None] + eps)
    return {"y": unit * weight + bias, "mean": mean}


def erf(x):
    """Within 1e-7, after Abramowitz and Stegun, 7.1.28."""
    a = [0.0705230784, 0.0422820123, 0.0092705272, 0.0001520143, 0.0002765672,
         0.0000430638]
    z = np.abs(x)
    return np.sign(x) * (1 - (1 + sum(c * z**(n + 1) for n, c in enumerate(a)))**-16.)


def gelu(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def convolution(x, filter):
    windows = np.lib.stride_tricks.sliding_window_view(x, filter.shape)
    return {"y": np.einsum("pqst,st->pq", windows, filter)}


def best(x, logs):
    token = x.argmax(-1)
    return {"token": token, "chance": logs[np.arange(len(x)), token]}


# What each kernel computes, of arrays by name; and what bounds its drawn sizes.
MODELS = {
    "saxpy": lambda alpha, x, y: {"z": alpha * x + y},
    "softmax": lambda x: {"y": softmax(x)},
    "layer_norm": layer_norm,
    "transposed": lambda x: {"y": x.T},
    "gemm_gelu": lambda a, b, bias: {"c": gelu(a @ b + bias)},
    "gemm_batched": lambda a, b: {"c": a @ b},
    "attention": lambda q, k, v, scale: {
        "y": softmax(q @ k.swapaxes(2, 3) * scale) @ v},
    "cross_entropy": lambda x, label: {
        "loss": -np.log(softmax(x))[np.arange(len(x)), label]},
    "best": best,
    "convolution": convolution,
}
MOST = {"softmax": {"N": 1024}, "saxpy": {"N": 1000},
        "attention": dict(B=2, H=2, S=70, T=140), "gemm_batched": {"B": 3}}


class Block:
    """A block of C++: its kernel's name, the page's lines, and what should come of
    it."""

    def __init__(self, code, said):
        self.code, self.said = code, said
        self.name, self.kernel = re.findall(r"^template struct ((\w+)<.*>);$", code,
                                            re.M)[-1]
        self.right = said is None


def blocks(page):
    """What each file begins with, and the blocks; a first attempt has a text below."""
    prelude, *parts = re.finditer(r"^```cpp\n(.*?)^```$(?:\n\n```text\n(.*?)^```$)?",
                                  page, re.M | re.S)
    return prelude[1], [Block(part[1], part[2]) for part in parts]


def record(folder, prelude, found, compiler, library):
    """Writes NAME.cpp, NAME.mlir with its places and NAME.txt without them for each
    block, below a folder of its own. Compilers differ in columns, in nothing else."""
    program = '#include "girih/kernel.h"\n#include <cstdio>\n'
    main = ""
    for n, block in enumerate(found):
        part = folder / str(n)
        part.mkdir(exist_ok=True)
        (part / f"{block.kernel}.cpp").write_text(prelude + "\n" + block.code)
        program += f'namespace b{n} {{\n#include "{n}/{block.kernel}.cpp"\n}}\n'
        main += (f'  write("{part}/{block.kernel}",\n'
                 f"        girih::kernel::record<b{n}::{block.name}>());\n")
    program += ("static void put(const std::string &path, const std::string &text) {\n"
                '  std::FILE *file = std::fopen(path.c_str(), "w");\n'
                "  std::fputs(text.c_str(), file);\n  std::fclose(file);\n}\n"
                "static void write(const std::string &path,\n"
                "                  const girih::kernel::recorder::File &file) {\n"
                '  put(path + ".mlir", file.placed);\n'
                '  put(path + ".txt", file.text);\n}\n'
                "int main() {\n" + main + "}\n")
    (folder / "all.cpp").write_text(program)
    subprocess.run([compiler, "-std=c++20", "-O0", "-Wall", "-Wextra", "-Werror",
                    f"-I{ROOT}/ir/embed", "all.cpp", library, "-o", "all"],
                   cwd=folder, check=True)
    subprocess.run(["./all"], cwd=folder, check=True)


def verdict(tools, folder, number, block):
    """Exit code and words, as if the file lay in the folder of the call."""
    done = subprocess.run([tools / "tile-verify", f"{number}/{block.kernel}.mlir"],
                          cwd=folder, capture_output=True, text=True)
    return done.returncode, (done.stdout + done.stderr).replace(f"{number}/", "")


def arguments(text):
    """Extents, element and mode of each argument."""
    types = {alias: (extents.split(", "), element, mode) for
             alias, extents, element, mode in
             re.findall(r"^!(\w+) = !tile\.tensor<\[(.*?)\] x (\w+), (\w+).*>$", text,
                        re.M)}
    header = re.search(r"^tile\.kernel @\w+\((.*?)\)", text, re.M | re.S)[1]
    return {name: types.get(type.lstrip("!"), ([], type, "scalar"))
            for name, type in re.findall(r"%(\w+): (!?\w+)", header)}


def sizes(block, symbols, random):
    most = MOST.get(block.kernel, {})
    drawn = {s: int(random.integers(1, most.get(s, 300) + 1)) for s in symbols}
    if block.kernel == "convolution":
        drawn |= {s: int(random.integers(1, 6)) for s in "ST"}
        drawn |= {"H": drawn["M"] + drawn["S"] - 1, "N": drawn["K"] + drawn["T"] - 1}
    return drawn


def run(tools, folder, block, random):
    """What is wrong with a launch at drawn sizes, or nothing."""
    path = folder / f"{block.kernel}.mlir"
    known = arguments(path.read_text())
    symbols = sizes(block, sorted({e for extents, _, _ in known.values()
                                   for e in extents if not e.isdigit()}), random)
    inputs, outputs, options = {}, {}, []
    for name, (extents, element, mode) in known.items():
        shape = [int(symbols.get(e, e)) for e in extents]
        if mode == "out":
            outputs[name] = folder / f"{name}.out.npy"
            options += ["--output", f"{name}={outputs[name]}"]
            continue
        if element.startswith("i"):
            value = random.integers(0, symbols["V"], shape).astype(np.int32)
        else:
            value = random.standard_normal(shape).astype(np.float32)
        if name == "eps":
            value = np.float32(1e-5)
        if element == "bf16":
            value = (value.view(np.uint32) & 0xffff0000).view(np.float32)
            stored = (value.view(np.uint32) >> 16).astype(np.uint16)
        else:
            stored = value
        np.save(folder / f"{name}.npy", stored)
        options += ["--input", f"{name}={folder / name}.npy"]
        inputs[name] = value.astype(np.float64) if value.dtype == np.float32 else value
    given = ",".join(f"{k}={v}" for k, v in symbols.items())
    done = subprocess.run([tools / "tile-exec", path, "--set", given, *options],
                          capture_output=True, text=True)
    if done.returncode:
        return f"{block.kernel} at {given}: {done.stdout}{done.stderr}"
    wanted = MODELS[block.kernel](**inputs)
    assert wanted.keys() == outputs.keys()
    for name, want in wanted.items():
        got, element = np.load(outputs[name]), known[name][1]
        close = 2e-4
        if element == "bf16":
            got = (got.astype(np.uint32) << 16).view(np.float32)
            close = 2e-2
        if got.shape != want.shape or not np.allclose(got, want, close, close):
            return f"{block.kernel} at {given}: {name} is {got}, not {want}"
    return ""


def main(*words):
    update = "--update" in words
    tools, library, *compilers = [w for w in words if w != "--update"]
    tools = pathlib.Path(tools).resolve()
    page = PAGE.read_text()
    prelude, found = blocks(page)
    failures, texts = [], {}
    kernels = list(dict.fromkeys(b.kernel for b in found))
    if [b.right for b in found] != [False, True] * len(kernels) or \
            set(kernels) != set(MODELS):
        failures.append("each kernel has an attempt and a kernel that is right")
    for compiler in compilers:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            record(folder, prelude, found, compiler, library)
            for number, block in enumerate(found):
                text = (folder / str(number) / f"{block.kernel}.txt").read_text()
                if texts.setdefault(number, text) != text:
                    failures.append(f"{block.kernel}: {compiler} writes another text")
                    continue
                if compiler != compilers[0]:
                    continue
                if block.code.count("\n") > MAX_LINES:
                    failures.append(f"{block.kernel} is longer than {MAX_LINES} lines")
                code, said = verdict(tools, folder, number, block)
                if block.right:
                    if code:
                        failures.append(said)
                        continue
                    random = np.random.default_rng(number)
                    failures += filter(None, (run(tools, folder / str(number), block,
                                                  random) for _ in range(DRAWS)))
                elif code not in (1, 2):
                    failures.append(f"{block.kernel}: the attempt exits with {code}")
                elif said != block.said and not update:
                    failures.append(f"{block.kernel}: the page has\n{block.said}\n"
                                    f"and tile-verify says\n{said}")
                elif update:
                    page = page.replace(f"{block.code}```\n\n```text\n{block.said}```",
                                        f"{block.code}```\n\n```text\n{said}```")
    if update:
        PAGE.write_text(page)
    for failure in failures:
        print(failure)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
