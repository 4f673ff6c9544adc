# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the program of the front page out of it.

  readme.py README.md PROGRAM.cpp
"""

import pathlib
import re
import sys

MAX_LINES = 30


def main():
    text = pathlib.Path(sys.argv[1]).read_text()
    programs = re.findall(r"^```cpp\n(.*?)^```$", text, re.M | re.S)
    if len(programs) != 1:
        sys.exit(f"{sys.argv[1]} has {len(programs)} programs")
    lines = programs[0].count("\n")
    if lines >= MAX_LINES:
        sys.exit(f"the program of {sys.argv[1]} has {lines} lines")
    pathlib.Path(sys.argv[2]).write_text(programs[0])


if __name__ == "__main__":
    main()
