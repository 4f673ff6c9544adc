# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a candidate needs of a multiprocessor, estimated from its text alone:
enough to drop what cannot run well before anything is compiled. Where the text
does not say, nothing is dropped."""

import math
import re
from dataclasses import dataclass

from .kernel import BITS

REGISTERS = 65536  # of 32 bits, a multiprocessor; 255 a thread
MAX_THREAD_REGISTERS = 255
MAX_BLOCKS = 32
MAX_CTAS = 16  # in a cluster, where the launch allows more than 8
# A launch that fills less than a quarter of the machine, while another candidate
# has four times as many blocks, leaves most of it idle.
FEW_BLOCKS = 4


@dataclass(frozen=True)
class Target:
    processors: int
    shared: int  # bytes of a multiprocessor
    warps: int  # resident


# Of the largest device of each: A100, RTX 4090, H100, B200, RTX 5090.
TARGETS = {
    "sm_80": Target(108, 167936, 64), "sm_86": Target(84, 102400, 48),
    "sm_89": Target(128, 102400, 48), "sm_90": Target(132, 233472, 64),
    "sm_100": Target(148, 233472, 64), "sm_103": Target(148, 233472, 64),
    "sm_120": Target(170, 102400, 48), "sm_121": Target(48, 102400, 48),
}
_VECTOR = re.compile(r"vector<((?:\d+x)+)(\w+)>")


def vector_bytes(text):
    """Bytes of all vector types in a text."""
    return sum(math.prod(int(d) for d in dims[:-1].split("x")) *
               BITS[element] // 8
               for dims, element in _VECTOR.findall(text) if element in BITS)


def carried_bytes(body):
    """What the largest loop carries from trip to trip, in registers."""
    return max((vector_bytes(types) for types in
                re.findall(r"scf\.for .*?-> \(([^)]*)\)", body)), default=0)


def value_bytes(body):
    """The largest value, which lies in registers while it is used."""
    return max((vector_bytes(m[0]) for m in _VECTOR.finditer(body)), default=0)


def factor_bytes(body):
    """The factors of the largest product: one stage of them lies in shared
    memory."""
    found = 0
    for line in re.findall(r"tile\.mma .*", body):
        types = _VECTOR.findall(line)[:2]
        found = max(found, sum(vector_bytes(f"vector<{d}{e}>")
                               for d, e in types))
    return found


def excess(contract, arch):
    """Why a multiprocessor of the target cannot hold what the hints ask for, or
    None."""
    if arch not in TARGETS:
        return None
    target, hints = TARGETS[arch], contract.hints.get(arch, {})
    occupancy, warps = hints.get("occupancy", 1), hints.get("worker_warps")
    carried, factors = carried_bytes(contract.body), factor_bytes(contract.body)
    value = value_bytes(contract.body)
    if occupancy > MAX_BLOCKS:
        return f"occupancy = {occupancy} blocks of at most {MAX_BLOCKS}"
    if hints.get("ctas", 1) > MAX_CTAS:
        return f"ctas = {hints['ctas']} in a cluster of at most {MAX_CTAS}"
    if warps and occupancy * warps > target.warps:
        return (f"{occupancy} blocks of {warps} warps are "
                f"{occupancy * warps} of at most {target.warps} warps")
    for held, what in ((carried, "its loop carries"),
                       (value, "its largest value is of")):
        if warps and held > 4 * MAX_THREAD_REGISTERS * 32 * warps:
            return (f"{what} {held // 4} registers, "
                    f"{held // 4 // (32 * warps)} for each of {32 * warps} "
                    f"threads of at most {MAX_THREAD_REGISTERS}")
    for held, what in ((carried, "that carry"), (value, "with a value of")):
        if occupancy * held > 4 * REGISTERS:
            return (f"{occupancy} blocks {what} {held // 4} registers are "
                    f"{occupancy * held // 4} of at most {REGISTERS}")
    if occupancy * factors > target.shared:
        return (f"{occupancy} blocks with factors of {factors} bytes are "
                f"{occupancy * factors} of at most {target.shared} bytes of "
                "shared memory")
    return None


def is_idle(blocks, most, processors):
    """Whether a launch of so many blocks leaves most of a machine idle that
    another candidate, with `most` blocks, would use."""
    return (blocks * FEW_BLOCKS < processors and
            blocks * FEW_BLOCKS <= most)
