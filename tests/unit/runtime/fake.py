# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Artefacts made by hand, for the fake driver."""

import hashlib
import json
import struct


def sealed(manifest):
    text = json.dumps(manifest, indent=1)[1:]
    return '{"seal": "' + digest(text.encode()) + '",\n' + text


def digest(data):
    return hashlib.sha256(data).hexdigest()


def cubin(behaviour, sizes=(8, 8, 8, 8), entry="sum"):
    """As FakeDriver.h has it: an ELF file with a text behind its header, and a
    record for each parameter. Several entries have the same parameters."""
    entries = [entry] if isinstance(entry, str) else entry
    text = f"fake {' '.join(map(str, sizes))} ; {behaviour}\0".encode()
    info = (b"\x04\x17\x0c\0" + bytes(12)) * len(sizes)
    names = b"\0" + b"".join(b".nv.info." + e.encode() + b"\0"
                             for e in entries) + b".shstrtab\0"
    at = 64 + len(text)
    sections = bytes(64)
    parts = [(names.index(b".nv.info." + e.encode() + b"\0"), info)
             for e in entries] + [(names.index(b".shstrtab"), names)]
    for name, data in parts:
        sections += struct.pack("<IIQQQQIIQQ", name, 0, 0, 0, at, len(data),
                                0, 0, 0, 0)
        at += len(data)
    header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2", 0, 0, 0, 0, 0, at,
                         0, 0, 0, 0, 64, len(parts) + 1, len(parts))
    return header + text + info * len(entries) + names + sections


def artefact(folder, behaviour, given=(), arguments=(), symbols=()):
    """z[N] = x[N] + y[N], with a cubin as FakeDriver.h has it; `given` is of
    the numbers ids[N]. More arguments and symbols are parameters of nobody."""

    def tensor(name, mode):
        return {"kind": "tensor", "name": name, "dtype": "f32", "mode": mode,
                "partial": False, "dims": [{"symbol": "N"}], "strides": [1],
                "align": 16}

    folder.mkdir()
    code, kernel = cubin(behaviour), "tile.kernel @sum"
    proof = json.dumps({"format": "girih.proof", "version": 1,
                        "kernel": kernel})
    (folder / "sm_90.cubin").write_bytes(code)
    (folder / "proof.json").write_text(proof)
    (folder / "manifest.json").write_text(sealed({
        "format": "girih.artefact", "version": 1, "name": "sum",
        "producer": "a test",
        "arguments": [tensor("x", "shared"), tensor("y", "shared"),
                      tensor("z", "out"),
                      *([{**tensor("ids", "shared"), "dtype": "i32"}]
                        if given else []), *arguments],
        "symbols": [{"name": "N", "type": "index", "source": "extent"},
                    *symbols],
        "variants": [{
            "name": "sum", "digest": digest(kernel.encode()), "when": [],
            "requires": [{"op": "<=", "args": [{"symbol": "N"}, 1000],
                          "text": "N <= 1000"}],
            "given": list(given),
            "grid": [{"op": "ceildiv", "args": [{"symbol": "N"}, 128]}],
            "entry": "sum",
            "parameters": [{"kind": "pointer", "argument": a} for a in "xyz"]
            + [{"kind": "integer", "type": "i64", "value": {"symbol": "N"}}],
            "cubins": {"sm_90": {"file": "sm_90.cubin",
                                 "sha256": digest(code)}},
            "proof": {"file": "proof.json", "sha256": digest(proof.encode())},
            "trusted": [f"given: {g['text']} assumed" for g in given
                        if g["assumed"]]}]}))
