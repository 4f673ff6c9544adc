#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An assembler whose cubins are for the simulated driver: kernels that copy N
elements, but for one whose results are wrong. It fails for what compares.

  assembler.py --gpu-name TARGET -o CUBIN BYTECODE
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] /
                       "unit/runtime"))
import fake  # noqa: E402

BEHAVIOURS = [("copy_wrong", "nothing"), ("copy_narrow", "slow copy"),
              ("copy", "copy")]


def main():
    if sys.argv[1] == "--version":
        print("release 13.5, V13.5.0")
        return
    output, bytecode = sys.argv[4], sys.argv[5]
    code = pathlib.Path(bytecode).read_bytes()
    for name, behaviour in BEHAVIOURS:
        if name.encode() in code:
            entries = re.findall(rf"{name}_aligned(?:_[A-Z]+[48])*".encode(), code)
            pathlib.Path(output).write_bytes(fake.cubin(
                behaviour, (8, 8, 8), [name, *(e.decode() for e in entries)]))
            return
    sys.exit("no kernel of the simulated driver")


if __name__ == "__main__":
    main()
