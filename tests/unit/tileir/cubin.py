# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads what a cubin says of itself: architecture, entry points, parameters."""

import struct

KPARAM_INFO = 0x17
KPARAM_INFO_V2 = 0x45
REQNTID = 0x10


def sections(data):
    """Name to bytes of every section of a 64-bit little-endian ELF file."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("no 64-bit little-endian ELF file")
    offset, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    headers = []
    for i in range(count):
        name, kind, _, _, start, length = struct.unpack_from(
            "<IIQQQQ", data, offset + i * size
        )
        headers.append((name, kind, start, length))
    strings = headers[names][2]
    found = {}
    for name, kind, start, length in headers:
        at = strings + name
        text = data[at : data.index(b"\0", at)].decode()
        found[text] = b"" if kind == 8 else data[start : start + length]
    return found


def attributes(info):
    """(number, payload) of each attribute of a .nv.info section."""
    at = 0
    while at < len(info):
        form, number, short = struct.unpack_from("<BBH", info, at)
        at += 4
        if form == 4:
            yield number, info[at : at + short]
            at += short
        else:
            yield number, struct.pack("<H", short)


def read(data):
    """{"sm": 90, "entries": {name: {"threads": 128, "parameters": [(offset,
    size), ...]}}}"""
    flags, = struct.unpack_from("<I", data, 0x30)
    entries = {}
    for name, content in sections(data).items():
        if not name.startswith(".nv.info."):
            continue
        entry = {"threads": None, "parameters": []}
        for number, payload in attributes(content):
            if number == KPARAM_INFO:
                _, ordinal, offset, bits = struct.unpack("<IHHI", payload)
                entry["parameters"].append((ordinal, offset, bits >> 18))
            elif number == KPARAM_INFO_V2:
                _, ordinal, offset, bits = struct.unpack("<IHHI", payload)
                size = bits & 0xFFFFFF
                entry["parameters"].append((ordinal, offset, size))
            elif number == REQNTID:
                entry["threads"] = struct.unpack("<III", payload)[0]
        entry["parameters"] = [p[1:] for p in sorted(entry["parameters"])]
        entries[name[len(".nv.info.") :]] = entry
    return {"sm": flags >> 8 & 0xFF, "entries": entries}
