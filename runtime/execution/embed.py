#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a source file that has artefacts inside, for Creation.cpp.

  embed.py OUT.cpp ARTEFACT_FOLDER...
"""

import pathlib
import sys

BYTES_A_LINE = 60


def literal(data):
    """Bytes as C++ has them; octal digits end after three."""
    lines = [data[k:k + BYTES_A_LINE] for k in range(0, len(data), BYTES_A_LINE)]
    return "\n".join(
        '    "' + "".join(f"\\{byte:03o}" for byte in line) + '"'
        for line in lines or [b""])


def main():
    out, folders = sys.argv[1], [pathlib.Path(f) for f in sys.argv[2:]]
    text = ('#include "runtime/execution/Creation.h"\n\n'
            "namespace girih::detail {\n")
    table = ""
    for number, folder in enumerate(folders):
        files = ""
        for file in sorted(f for f in folder.rglob("*") if f.is_file()):
            data = file.read_bytes()
            files += (f'  {{"{file.relative_to(folder)}", '
                      f"std::string_view(\n{literal(data)},\n"
                      f"    {len(data)})}},\n")
        text += f"static const EmbeddedFile files{number}[] = {{\n{files}}};\n"
        table += f'  {{"{folder.name}", files{number}}},\n'
    text += (f"static const CreationKernel kernels[] = {{\n{table}}};\n"
             "std::span<const CreationKernel> creationKernels() "
             "{ return kernels; }\n"
             "} // namespace girih::detail\n")
    pathlib.Path(out).write_text(text)


if __name__ == "__main__":
    main()
