# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Takes the program out of a document: its one block in C++.

  readme.py DOCUMENT PROGRAM
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs"))
from girih import fences  # noqa: E402


def main():
    document, program = map(pathlib.Path, sys.argv[1:])
    blocks = [lines for language, _, lines in fences(document)
              if language == "cpp"]
    if len(blocks) != 1 or len(blocks[0]) > 30:
        sys.exit(f"{document}: one program of at most 30 lines is wanted")
    program.write_text("\n".join(blocks[0]) + "\n")


if __name__ == "__main__":
    main()
