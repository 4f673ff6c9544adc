# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches from C++ beside the raw driver with the same cubins (LaunchTimes.cpp),
and an operation of torch beside both, on a GPU.

usage: launch_times.py LAUNCH_TIMES ARTEFACTS OUT.json

Torch runs before and after, in this process; the program runs in between.
"""

import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import time

ROUNDS, CALLS, COUNT = 41, 200, 1024


def torch_times():
    try:
        import torch
    except ImportError:
        return None
    if not torch.cuda.is_available():
        return None
    x, y, z = (torch.randn(COUNT, device="cuda") for _ in "xyz")
    times = {"queued": [], "waited": []}
    for number in range(ROUNDS + 3):
        for way, found in times.items():
            torch.cuda.synchronize()
            start = time.perf_counter_ns()
            for _ in range(CALLS):
                torch.add(x, y, out=z)
                if way == "waited":
                    torch.cuda.synchronize()
            taken = (time.perf_counter_ns() - start) / CALLS / 1e3
            if number >= 3:
                found.append(taken)
    return {way: round(statistics.median(t), 3) for way, t in times.items()}


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    tool, artefacts, out = sys.argv[1:]
    before = torch_times()
    said = subprocess.run([tool, artefacts], stdout=subprocess.PIPE, text=True)
    if said.returncode:
        print(said.stdout, end="")
        return said.returncode
    values = json.loads(said.stdout)
    pathlib.Path(out).write_text(json.dumps({
        "command": "bench/launch_times.py LAUNCH_TIMES ARTEFACTS OUT.json",
        "date": datetime.date.today().isoformat(), "unit": "us",
        "torch": [before, torch_times()], **values}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
