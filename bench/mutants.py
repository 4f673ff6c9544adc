#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What becomes of mutants of the library: `tile-fuzz mutate`, recorded.

mutants.py BIN_DIR [--count=N] [--seed=N]

Writes bench/results/mutants.json; exit code 1 when a verdict is wrong.
"""

import json
import pathlib
import subprocess
import sys

import record

KERNELS = "proofs/kernels/*/*.mlir"


def main():
    tool = pathlib.Path(sys.argv[1]).resolve() / "tile-fuzz"
    options = [a for a in sys.argv[2:] if a.startswith(("--count=", "--seed="))]
    kernels = sorted(str(k.relative_to(record.ROOT))
                     for k in record.ROOT.glob(KERNELS))
    done = subprocess.run([tool, "mutate", *options, *kernels],
                          cwd=record.ROOT, capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    record.save("mutants", " ".join(["tile-fuzz mutate", *options, KERNELS]),
                json.loads(done.stdout))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
