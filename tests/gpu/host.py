#!/usr/bin/python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests of the host library on this machine's GPU, with the driver of that
and kernels for it in place of the simulated ones.

usage: host.py BIN_DIR CUBIN ARTEFACTS [FILTER]    (exit code 77 without a GPU)

CUBIN is what CMake makes of Kernels.cu; ARTEFACTS has add and saxpy. FILTER is
one of GoogleTest. Tests that make calls of the driver fail, count them or hold
work back need the simulated driver, others a second GPU or NCCL: what is not
there counts as not run. Environment: GIRIH_WRAP, a command before each program
(a sanitizer).
"""

import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

PROGRAMS = ["unit_host", "unit_execution", "unit_launch", "unit_opt_outs",
            "unit_devices", "unit_graph", "unit_stress"]
NEEDS = ["needs the simulated driver", "the CUDA driver sees no device 1",
         "no NCCL"]


def nccl():
    """The library of the wheel that the machine's torch has, or none."""
    found = subprocess.run(
        ["python3", "-c", "import nvidia.nccl; print(nvidia.nccl.__path__[0])"],
        capture_output=True, text=True)
    library = pathlib.Path(found.stdout.strip()) / "lib/libnccl.so.2"
    return {"GIRIH_GPU_NCCL": str(library)} if found.returncode == 0 else {}


def run(program, environment, pattern):
    """By outcome, the names of a program's tests, and what the red ones said."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        done = subprocess.run(
            [*shlex.split(os.environ.get("GIRIH_WRAP", "")), program,
             f"--gtest_output=json:{report}", f"--gtest_filter={pattern}"],
            env=environment, text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        outcomes = {"passed": [], "not run": [], "failed": []}
        texts = []
        if not report.exists():
            outcomes["failed"].append(f"{program.name} ended with "
                                      f"{done.returncode}")
            return outcomes, [done.stdout[-3000:]]
        suites = json.loads(report.read_text())["testsuites"]
    for test in (t for suite in suites for t in suite["testsuite"]):
        said = "\n".join(f["failure"] for f in test.get("failures", []))
        isSkipped = test["result"] == "SKIPPED" or any(need in said for need in NEEDS)
        outcome = ("not run" if isSkipped else "failed" if said else "passed")
        outcomes[outcome].append(f"{test['classname']}.{test['name']}")
        if outcome == "failed":
            texts.append(f"{outcomes[outcome][-1]}:\n{said}")
    if done.returncode not in (0, 1):  # 1 says that tests are red, or not run
        outcomes["failed"].append(f"{program.name} ended with {done.returncode}")
        texts.append(done.stdout[-3000:])
    return outcomes, texts


def main():
    binaries, cubin, artefacts = map(pathlib.Path, sys.argv[1:4])
    pattern = sys.argv[4] if len(sys.argv) > 4 else "*"
    devices = subprocess.run([binaries / "tile-run", "--devices"],
                             capture_output=True, text=True)
    print(devices.stdout, end="")
    if devices.returncode:
        return devices.returncode
    environment = dict(os.environ, GIRIH_GPU_CUBIN=str(cubin.resolve()),
                       GIRIH_GPU_ARTEFACTS=str(artefacts.resolve()),
                       **nccl())
    red = 0
    for name in PROGRAMS:
        outcomes, texts = run(binaries / name, environment, pattern)
        counts = ", ".join(f"{len(v)} {k}" for k, v in outcomes.items())
        print(f"{name}: {counts}")
        print("".join(f"{text}\n" for text in texts), end="", flush=True)
        red += len(outcomes["failed"])
    return 1 if red else 0


if __name__ == "__main__":
    sys.exit(main())
