# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What every file in bench/results says: command, date, machine, versions."""

import datetime
import json
import pathlib
import platform
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[1]


def output(*command):
    """What a command prints, without its last line end; "" where it fails."""
    try:
        return subprocess.run(command, cwd=ROOT, capture_output=True,
                              text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def versions():
    """Of the tree, with `-dirty` where it has changes, and of what it is
    built with."""
    return {"girih": output("git", "describe", "--always", "--dirty"),
            "llvm": output("llvm-config-22", "--version"),
            "z3": output("pkg-config", "--modversion", "z3")}


def save(name, command, values):
    """Writes bench/results/NAME.json."""
    with open("/proc/cpuinfo") as f:
        machine = next((line.split(":")[1].strip() for line in f
                        if "model name" in line), platform.machine())
    (ROOT / f"bench/results/{name}.json").write_text(json.dumps(
        {"command": command, "date": datetime.date.today().isoformat(),
         "machine": machine, "versions": versions(), **values}, indent=1) + "\n")
