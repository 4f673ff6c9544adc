#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tile-tune's choices cost, from the files that `tile-tune choose` wrote.

usage: tune.py FOLDER OUT.json NAME=SECONDS...

FOLDER/NAME/NAME.json are choices; SECONDS is how long `tile-tune measure` took on
the GPU. The file has the regret of each choice, and of the sources as they are.
"""

import datetime
import json
import pathlib
import sys


def summary(row):
    return {use: {k: row[use][k] for k in ("launches", "mean", "worst", "gain")}
            for use in ("tune", "hold")}


def main():
    folder, out, *spaces = sys.argv[1:]
    found = {}
    for space in spaces:
        name, seconds = space.split("=")
        choice = json.loads(
            (pathlib.Path(folder) / name / f"{name}.json").read_text())
        rows = {row["class"]: summary(row) for row in choice["regret"]
                if row["class"] in ("all", "listed", "as the sources are",
                                    "listed, as the sources are")}
        found[name] = {
            "candidates": len({c for x in choice["launches"]
                               for c in x["over_incumbent"]}),
            "launches": len(choice["launches"]), "seconds": float(seconds),
            "variants": len(choice["variants"]), "found": rows["all"],
            "shipped": rows.get("as the sources are"),
            "listed": rows.get("listed"),
            "listed_shipped": rows.get("listed, as the sources are")}
    device, tools = choice["device"], choice["tools"]
    pathlib.Path(out).write_text(json.dumps({
        "command": f"bench/tune.py FOLDER {pathlib.Path(out).name} NAME=SECONDS",
        "date": datetime.date.today().isoformat(), "machine": device["name"],
        "versions": {"driver": device["driver"],
                     "assembler": tools["assembler"]},
        "spaces": found}, indent=1) + "\n")


if __name__ == "__main__":
    main()
