#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An assembler whose cubins are for the simulated driver: of a kernel of N elements
that KERNELS names. It takes GIRIH_SLOW seconds, and writes a line for each cubin into
the file GIRIH_COUNT.

  assembler.py --gpu-name TARGET -o CUBIN BYTECODE
"""

import os
import pathlib
import re
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runtime"))
import fake  # noqa: E402

# With what it does and the sizes of its parameters.
KERNELS = [("gated_copy", "gated copy", (8, 8, 8)), ("copy_wide", "copy", (8, 8, 8)),
           ("copy", "copy", (8, 8, 8)), ("axpy_128", "axpy", (4, 8, 8, 8)),
           ("gated_fill", "gated fill_i32", (8, 8, 4)),
           ("fill_i32", "fill_i32", (8, 8, 4)), ("arange", "arange", (8, 4, 4, 8)),
           ("count_from", "arange_i32", (8, 8, 4, 4)),
           ("numbered", "copy", (8, 8, 8)),
           ("fill_rows", "fill_rows", (8, 4, 8, 8, 8)),
           ("validate_within", "within", (8, 8, 8, 8, 8, 8))]


def main():
    if sys.argv[1] == "--version":
        print("release 13.5, V13.5.0")
        return
    target, output, bytecode = sys.argv[2], sys.argv[4], sys.argv[5]
    if "GIRIH_COUNT" in os.environ:
        with open(os.environ["GIRIH_COUNT"], "a") as file:
            file.write(target + "\n")
    time.sleep(float(os.environ.get("GIRIH_SLOW", "0")))
    code = pathlib.Path(bytecode).read_bytes()
    for name, behaviour, sizes in KERNELS:
        if name.encode() in code:
            # Variants of the kernel are entries of one cubin.
            entries = re.findall(rf"{name}_aligned(?:_[A-Za-z]+[148])*".encode(), code)
            pathlib.Path(output).write_bytes(
                fake.cubin(behaviour, sizes,
                           [name, *(e.decode() for e in entries)]))
            return
    sys.exit("no kernel of the simulated driver")


if __name__ == "__main__":
    main()
