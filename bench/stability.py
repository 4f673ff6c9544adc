#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# stability.py BIN_DIR [--check] [--every=N] [--shuffles=N]: every obligation of
# the library and of the maps, or every N-th, as it stands and with its
# hypotheses in another order and its variables under other numbers. No verdict
# may change, and at most one search in a thousand may take more than a tenth of
# the budget. Writes bench/results/stability.json unless it only checks.
import datetime
import json
import pathlib
import platform
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(root / "tests/corpus"))
import corpus  # noqa: E402

tool = pathlib.Path(sys.argv[1]) / "search_steps"
options = dict(a[2:].split("=") for a in sys.argv[2:] if "=" in a)
shuffles, every = int(options.get("shuffles", 10)), int(options.get("every", 1))
BUDGET = 200_000

kernels = sorted([*(root / "proofs/kernels").glob("*/*.mlir"),
                  *(k.path for k in corpus.kernels("maps", "VERIFIED"))])
done = subprocess.run([tool, f"--shuffles={shuffles}", f"--every={every}",
                       *[k.relative_to(root) for k in kernels]],
                      cwd=root, capture_output=True, text=True)
if done.returncode:
    sys.exit(done.stderr)
rows = [json.loads(line) for line in done.stdout.splitlines()]
wrong = 0
counts = []
for row in rows:
    steps = [row["steps"], *row["shuffled"]]
    counts += [s for s in steps if s is not None]
    if None in steps:
        wrong += 1
        print(f"FAIL: {row['kernel']}: obligation {row['obligation']}, "
              f"{row['rule']}, {row['label']}: steps {steps}")
dear = sum(s > BUDGET // 10 for s in counts)
counts.sort()
result = {
    "command": "bench/stability.py build/default/bin",
    "date": datetime.date.today().isoformat(),
    "machine": next((line.split(":")[1].strip()
                     for line in open("/proc/cpuinfo") if "model name" in line),
                    platform.machine()),
    "kernels": len(kernels),
    "obligations": len(rows),
    "shuffles": shuffles,
    "searches": len(rows) * (shuffles + 1),
    "verdicts_changed": wrong,
    "steps_differ": sum(any(s != row["steps"] for s in row["shuffled"])
                        for row in rows),
    "budget": BUDGET,
    "over_a_tenth_of_the_budget": dear,
    "steps": {"median": counts[len(counts) // 2],
              "99th percentile": counts[len(counts) * 99 // 100],
              "largest": counts[-1]},
}
print(f"{len(rows)} obligations, {shuffles} shuffles: {wrong} verdicts changed, "
      f"{dear} of {len(counts)} searches over {BUDGET // 10} steps, "
      f"the largest {counts[-1]}")
if "--check" not in sys.argv:
    path = root / "bench/results/stability.json"
    path.write_text(json.dumps(result, indent=1) + "\n")
sys.exit(wrong > 0 or dear * 1000 > len(counts) and every == 1)
