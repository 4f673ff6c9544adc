#!/usr/bin/python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Says which instruction stands where compute-sanitizer reports something, and, of
two patterns of the assembler's, why that is no fault.

usage: places.py FOLDER SANITIZER.json OUT.json

FOLDER is what carry.py made, SANITIZER.json what on_device.py wrote of it. Exit
code: 0 when every place has a known reason.
"""

import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

CUOBJDUMP = (pathlib.Path(__file__).resolve().parents[2] /
             ".tools/nvidia/cu13/bin/cuobjdump")
TENSOR_MAP = (
    "One warp copies a tensor map of 128 bytes, made for a view whose extent is known "
    "on the device alone, from shared memory to scratch memory, 4 bytes a lane, for "
    "the UTMACCTL.IV that follows. The address comes from a pointer behind the "
    "kernel's parameters, where the driver puts it, and the number of the "
    "multiprocessor: memory of the driver's, of which the tool knows nothing.")
SAME_WORD = (
    "Every lane copies the same word from one address of global memory to one of "
    "shared memory: both come from uniform registers, so the lanes write equal bytes.")


def code(folder, entry):
    """Offsets and instructions of an entry point."""
    for manifest in folder.glob("archive/artefacts/*/manifest.json"):
        for variant in json.loads(manifest.read_text())["variants"]:
            if variant["entry"] == entry:
                cubin = variant["cubins"]["sm_90"].get("file", "sm_90.cubin")
                text = subprocess.run(
                    [CUOBJDUMP, "-sass", "-fun", entry, manifest.with_name(cubin)],
                    capture_output=True, text=True, check=True).stdout
                return re.findall(r"/\*([0-9a-f]{4,5})\*/\s+(.*?)\s*;", text)
    return []


def is_uniform(register, before):
    """Whether what is written last to a register is a uniform one."""
    writes = [i for _, i in before if re.match(rf"(@!?U?P\d )?\S+ {register},", i)]
    return bool(writes) and re.fullmatch(
        rf"(MOV|IMAD\.U32|IMAD\.MOV\.U32) {register}, (RZ, RZ, )?UR\d+", writes[-1])


def explained(tool, instructions, at):
    """Why what a tool reports of an instruction is no fault, where that is known."""
    said = instructions[at][1]
    if tool == "memcheck" and said.startswith("ATOMG.E.EXCH"):
        after = [i for _, i in instructions[at + 1:at + 8]]
        return TENSOR_MAP if any(i.startswith("UTMACCTL.IV") for i in after) else None
    if tool == "racecheck" and said.startswith("LDGSTS.E ["):
        low = re.findall(r"\[(R\d+)", said)
        high = [f"R{int(r[1:]) + 1}" for r in low[1:]]  # of addresses of 64 bits
        before = instructions[max(0, at - 40):at]
        return SAME_WORD if all(is_uniform(r, before) for r in low + high) else None
    return None


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    carried, report, out = map(pathlib.Path, sys.argv[1:])
    result = json.loads(report.read_text())
    unknown = 0
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(carried / "archive.tar.xz") as tar:
            tar.extractall(folder, [m for m in tar if "/artefacts/" in m.name])
        for tool, found in result["tools"].items():
            for place, times in found["places"].items():
                entry, offset = place.split("+")
                instructions = code(pathlib.Path(folder), entry)
                at = next((k for k, (o, _) in enumerate(instructions)
                           if int(o, 16) == int(offset, 16)), None)
                why = None if at is None else explained(tool, instructions, at)
                said = None if at is None else instructions[at][1]
                found["places"][place] = {"times": times, "instruction": said,
                                          "why": why}
                unknown += why is None
                print(f"{tool}: {place}: {said}: {why or 'UNKNOWN'}")
    out.write_text(json.dumps(result, indent=1) + "\n")
    return int(unknown > 0)


if __name__ == "__main__":
    sys.exit(main())
