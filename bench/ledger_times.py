#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the borrow ledger costs a launch, in both of its modes.

ledger_times.py BIN_DIR [DRIVER_DIR] [--save] [--limit=NS]

DRIVER_DIR holds the libcuda.so.1 to use, such as the simulated one. --save
writes bench/results/ledger_times.json; when ten arguments take longer than the
limit the exit code is 1.
"""

import os
import pathlib
import subprocess
import sys

import record

PLACES = [a for a in sys.argv[1:] if not a.startswith("--")]
LIMIT = next((float(a.split("=")[1]) for a in sys.argv if
              a.startswith("--limit=")), float("inf"))


def measure(environment):
    said = subprocess.run([pathlib.Path(PLACES[0]) / "ledger_times"],
                          env=environment, capture_output=True, text=True,
                          check=True).stdout
    lines = [line.split() for line in said.splitlines()]
    return {(mode, int(count)): float(time) for count, mode, time in lines}


def main():
    environment = dict(os.environ)
    if len(PLACES) > 1:
        environment["LD_LIBRARY_PATH"] = PLACES[1]
    # The least of five: the machine may be busy.
    runs = [measure(environment) for _ in range(5)]
    least = {key: min(run[key] for run in runs) for key in runs[0]}
    for (mode, count), time in least.items():
        print(f"{mode}, {count} arguments: {time:.1f} ns")
    if "--save" in sys.argv:
        record.save("ledger_times", "bench/ledger_times.py build/default/bin "
                    "build/default/tests/simulated/driver --save",
                    {"nanoseconds": {
                        mode: {str(count): time for (m, count), time in
                               least.items() if m == mode}
                        for mode in ("checks", "orders")}})
    return 1 if max(t for (_, n), t in least.items() if n == 10) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
