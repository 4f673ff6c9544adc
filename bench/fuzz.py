#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tile-fuzz finds, recorded.

fuzz.py BIN_DIR mutate|campaign [--count=N] [--seed=N] [--jobs=N]

`mutate` runs over the library and writes bench/results/mutants.json,
`campaign` makes kernels at random and writes bench/results/campaign.json.
Exit code 1 when a verdict is wrong.
"""

import json
import pathlib
import subprocess
import sys

import record

KERNELS = "proofs/kernels/*/*.mlir"


def main():
    if len(sys.argv) < 3 or sys.argv[2] not in ("mutate", "campaign"):
        sys.exit(__doc__)
    tool, job = pathlib.Path(sys.argv[1]).resolve() / "tile-fuzz", sys.argv[2]
    options = sys.argv[3:]
    kernels, pattern = [], []
    if job == "mutate":
        pattern = [KERNELS]
        kernels = sorted(str(k.relative_to(record.ROOT))
                         for k in record.ROOT.glob(KERNELS))
    done = subprocess.run([tool, job, *options, *kernels], cwd=record.ROOT,
                          capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    # How many processes is the machine's matter.
    asked = [o for o in options if not o.startswith("--jobs")]
    record.save("mutants" if job == "mutate" else "campaign",
                " ".join(["tile-fuzz", job, *asked, *pattern]),
                json.loads(done.stdout))
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
