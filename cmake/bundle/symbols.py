# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which symbols some programs share with shared libraries: for a linker, as a
version script OUT.map that exports these alone, and as a response file OUT.rsp
that asks for those that the programs do not define.

  symbols.py --nm NM --out OUT --of LIBRARY... --used-by PROGRAM...
"""

import argparse
import subprocess


def dynamic(nm, files):
    """The dynamic symbols of files: name and kind, as nm says it."""
    said = subprocess.run([nm, "-D", "--format=posix", "--no-sort", *files],
                          stdout=subprocess.PIPE, check=True, text=True).stdout
    for line in said.splitlines():
        words = line.split()
        if len(words) > 1:  # else the name of a file
            yield words[0].split("@")[0], words[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nm", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--of", nargs="+", required=True)
    parser.add_argument("--used-by", nargs="+", required=True)
    options = parser.parse_args()
    provided = {name for name, kind in dynamic(options.nm, options.of)
                if kind not in "Uwv"}
    used = [(name, kind) for name, kind in dynamic(options.nm, options.used_by)
            if name in provided]
    shared = sorted({name for name, _ in used})
    wanted = sorted({name for name, kind in used if kind == "U"})
    with open(options.out + ".map", "w") as out:
        out.write("{\n  global:\n" + "".join(f"    {s};\n" for s in shared) +
                  "  local: *;\n};\n")
    with open(options.out + ".rsp", "w") as out:
        out.writelines(f"-Wl,--undefined={s}\n" for s in wanted)


if __name__ == "__main__":
    main()
