#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What driver_calls says of the host between two launches: turns that are given
away are waits, with what is looked at and asked between them, however many there
are; what else the host does is its own time.

  driver_calls_test.py LIBRARY

The library stands in front of the driver that GIRIH_DRIVER names.
"""

import ctypes
import json
import os
import subprocess
import sys
import time

LAUNCHES, MILLISECONDS = 30, 8


def run(kind):
    """In a process of its own, in which the library is preloaded."""
    driver = ctypes.CDLL(None)
    for _ in range(LAUNCHES):
        driver.cuGraphLaunch(None, None)
        end = time.monotonic() + MILLISECONDS / 1e3
        while time.monotonic() < end:
            if kind == "waits":
                os.sched_yield()
            if kind == "asks":
                os.sched_yield()
                driver.cuStreamQuery(None)


def between(kind, library):
    """Median microseconds between two launches, and calls a launch."""
    done = subprocess.run([sys.executable, __file__, "--run", kind], text=True,
                          env=os.environ | {"LD_PRELOAD": library},
                          capture_output=True)
    if done.returncode:
        sys.exit(done.stderr)
    said = json.loads(done.stderr.splitlines()[-1])
    return said["host_between_us"]["p50"], said["calls_a_launch"]


def main(library):
    wrong = []
    for kind, low, high in (("waits", 0, MILLISECONDS * 25),
                            ("asks", 0, MILLISECONDS * 25),
                            ("works", MILLISECONDS * 950, MILLISECONDS * 4000)):
        took, calls = between(kind, library)
        if not low <= took <= high or calls["cuGraphLaunch"] != 1:
            wrong.append(f"{kind}: {took} us, {calls}")
        if (calls.get("cuStreamQuery", 0) > 0) != (kind == "asks"):
            wrong.append(f"{kind}: {calls}")
    print("\n".join(wrong) or "ok")
    return bool(wrong)


if __name__ == "__main__":
    if sys.argv[1] == "--run":
        sys.exit(run(sys.argv[2]))
    sys.exit(main(sys.argv[1]))
