#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long bodies of kernels in C++ are beside those that one would write in Triton's
Python: at most 1.3 times as long in all. Lines that are blank or a comment do not
count; contracts and helper functions do, those that kernels share once.

  lines.py"""

import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
LIBRARY = HERE.parents[1] / "proofs/kernels"
MOST = 1.3
# By the kernel of triton_like.py: where it is in C++, and under which name.
ATTENTION, ROWS, PRODUCTS = (HERE / f"kernels/{f}.cpp"
                             for f in ("attention", "rows", "products"))
KERNELS = {
    "layer_norm_fwd": (ROWS, "layer_norm_fwd"),
    "layer_norm_bwd": (ROWS, "layer_norm_bwd"),
    "cross_entropy": (ROWS, "cross_entropy"),
    "gemm_bias_gelu": (PRODUCTS, "gemm_bias_gelu"),
    "grouped_gemm": (PRODUCTS, "grouped_gemm_partial"),
    "sliding_attention": (ATTENTION, "sliding_attention"),
    "conv2d": (PRODUCTS, "conv2d"),
    "topk": (ROWS, "topk"),
    "scan_sums": (ROWS, "scan_sums"),
    "scan_apply": (ROWS, "scan_apply"),
    "paged_int8_decode": (ATTENTION, "paged_int8_decode"),
    "histogram": (LIBRARY / "search.cpp", "histogram"),
    "gemv_w4a16": (PRODUCTS, "gemv_w4a16_bytes"),
    "split_k": (PRODUCTS, "split_k"),
    "sort_rows": (ROWS, "bitonic_sort"),
    "stencil3d": (ROWS, "stencil3d"),
    "delta": (ATTENTION, "flash_bwd_delta"),
    "dkdv": (ATTENTION, "flash_bwd_dkdv"),
    "dq": (ATTENTION, "flash_bwd_dq"),
}
# What several of them call: functions, and the methods of structs.
SHARED = [(LIBRARY / "Attention.h", "Softmax"), (LIBRARY / "Sorting.h", ""),
          (ATTENTION, "Backward"), (ROWS, ""),
          (PRODUCTS, ""), (ATTENTION, "")]


def triton(text):
    """The lines of each kernel's body."""
    found = {}
    for part in re.split(r"^@triton\.jit\n", text, flags=re.M)[1:]:
        head, *body = part.splitlines()
        found[re.match(r"def (\w+)", head)[1]] = sum(
            bool(line.strip()) for line in body)
    return found


def struct(text, name):
    match = re.search(rf"^(?:template <[^{{]*> ?)?struct {name} \{{$(.*?)^\}};$", text,
                      re.M | re.S)
    return match[1]


def bodies(text, indent):
    """How many lines the functions at a depth have between their braces."""
    count, inside, signature = 0, False, False
    for line in text.splitlines():
        if line == indent + "}":
            inside = False
        elif inside:
            count += bool(line.strip()) and not line.strip().startswith("//")
        elif signature or re.match(rf"{indent}(?!struct|constexpr|int main)\w.*\(", line):
            inside = line.endswith("{")
            count += line.endswith("}")  # on the line of its name
            signature = not inside and not line.endswith(("}", ";"))
    return count


def main():
    theirs = triton((HERE / "triton_like.py").read_text())
    mine = {name: bodies(struct(path.read_text(), kernel), "  ")
            for name, (path, kernel) in KERNELS.items()}
    for name, count in mine.items():
        print(f"{name}: {count} lines in C++, {theirs[name]} in Python")
    shared = sum(bodies(struct(path.read_text(), name) if name else path.read_text(),
                        "  " if name else "") for path, name in SHARED)
    ours, all_ = sum(mine.values()) + shared, sum(theirs.values())
    print(f"shared: {shared}; in all {ours} and {all_}, {ours / all_:.2f} times")
    return set(mine) != set(theirs) or ours > MOST * all_


if __name__ == "__main__":
    sys.exit(main())
