# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every file in bench/results says: command, date and machine."""

import datetime
import json
import pathlib
import platform

ROOT = pathlib.Path(__file__).resolve().parents[1]


def save(name, command, values):
    """Writes bench/results/NAME.json."""
    with open("/proc/cpuinfo") as f:
        machine = next((line.split(":")[1].strip() for line in f
                        if "model name" in line), platform.machine())
    (ROOT / f"bench/results/{name}.json").write_text(json.dumps(
        {"command": command, "date": datetime.date.today().isoformat(),
         "machine": machine, **values}, indent=1) + "\n")
