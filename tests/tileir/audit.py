# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits artefacts as somebody would who can seal them again, and asks the audit.

usage: audit.py BIN_DIR [EVERY [FIRST]]

Every leaf of a manifest and of its proof is changed, and every item of a list
and every launch recipe left out, in an artefact of one kernel, in one of several,
in one with a validator, in one that rests on an opt-out, and in one that may start
early. Digests are made to fit and the manifest is sealed again, so that the
runtime would load it: `tile-compile --audit` must refuse each. With EVERY only
each so many-th edit is tried, from the FIRST on.
"""

import copy
import hashlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVERY = int(sys.argv[2]) if len(sys.argv) > 2 else 1
FIRST = int(sys.argv[3]) if len(sys.argv) > 3 else 0
COMPILE = pathlib.Path(sys.argv[1]).resolve() / "tile-compile"
KERNELS = ["proofs/kernels/add/add.mlir",
           "proofs/kernels/gemv_by_depth/gemv_by_depth.mlir",
           "tests/corpus/girih/contents/given_gather.good.mlir",
           "tests/corpus/girih/contents/raw.good.mlir",
           "tests/tileir/kernels/early.mlir"]
# Who made it anybody may claim, labels are for a reader, and the seal is made
# again.
FREE = {"label", "producer", "seal"}


def digest(data):
    return hashlib.sha256(data).hexdigest()


def sealed(manifest):
    text = json.dumps({k: v for k, v in manifest.items() if k != "seal"},
                      indent=1)[1:]
    return '{"seal": "' + digest(text.encode()) + '",\n' + text


def other(value):
    """A value of the same kind that is another one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return value[:-1] + ("1" if value.endswith("0") else "0")


def edits(value, path=()):
    """The ways to each edit: a leaf is changed, an item left out."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "launch":
                yield (*path, key), "left out"
            if key not in FREE:
                yield from edits(item, (*path, key))
    elif isinstance(value, list):
        for k, item in enumerate(value):
            yield (*path, k), "left out"
            yield from edits(item, (*path, k))
    else:
        yield path, "changed"


def edited(value, path, how):
    value = copy.deepcopy(value)
    at = value
    for step in path[:-1]:
        at = at[step]
    if how == "left out":
        del at[path[-1]]
    else:
        at[path[-1]] = other(at[path[-1]])
    return value


def audit(folder):
    result = subprocess.run([COMPILE, f"--audit={folder}", "--allow-trust"], cwd=ROOT, text=True,
                            capture_output=True, timeout=300)
    return result.returncode, (result.stdout + result.stderr).strip()


def attempts(good, manifest):
    """Names of edits, and the files that each changes."""
    listed = len({v["proof"]["file"] for v in manifest["variants"]}) > 1
    for path, how in edits(manifest):
        if path == ("name",) and listed:
            continue
        # Conditions of a list only choose among kernels that are all proved.
        if listed and "when" in path:
            continue
        # An opt-out ends with its place in the author's file.
        if "trusted" in path and how == "changed":
            continue
        new = edited(manifest, path, how)
        yield f"manifest.json {path} {how}", {"manifest.json": sealed(new)}
    for file in {v["proof"]["file"] for v in manifest["variants"]}:
        proof = json.loads((good / file).read_text())
        for path, how in edits(proof):
            # Of the launch that meets the contract another may do as well.
            if path[0] == "model":
                continue
            new = edited(proof, path, how)
            text, redone = json.dumps(new), copy.deepcopy(manifest)
            for v in redone["variants"]:
                if v["proof"]["file"] == file:
                    v["proof"]["sha256"] = digest(text.encode())
                    v["digest"] = digest(new["kernel"].encode())
            yield f"{file} {path} {how}", {file: text,
                                           "manifest.json": sealed(redone)}
    for architecture, cubin in manifest["variants"][0]["cubins"].items():
        bytes_ = bytearray((good / cubin["file"]).read_bytes())
        for at in (0, len(bytes_) // 2, len(bytes_) - 1):
            spoiled = bytearray(bytes_)
            spoiled[at] ^= 1
            redone = copy.deepcopy(manifest)
            for v in redone["variants"]:
                if v["cubins"][architecture]["file"] == cubin["file"]:
                    v["cubins"][architecture]["sha256"] = digest(spoiled)
            yield f"{cubin['file']} byte {at}", {
                cubin["file"]: bytes(spoiled), "manifest.json": sealed(redone)}


def attempt(good, name, files):
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder) / "artefact"
        shutil.copytree(good, place)
        for file, data in files.items():
            (place / file).write_bytes(
                data if isinstance(data, bytes) else data.encode())
        code, said = audit(place)
    if code not in (1, 3) or "error:" not in said:
        return f"{name}: exit code {code}: {said}"
    return None


def main():
    failures = []
    with tempfile.TemporaryDirectory() as root, \
            ThreadPoolExecutor(os.cpu_count()) as pool:
        for kernel in KERNELS:
            good = pathlib.Path(root) / pathlib.Path(kernel).stem
            subprocess.run([COMPILE, kernel, "--arch=sm_90", "--allow-trust",
                            "-o", good], cwd=ROOT, check=True,
                           capture_output=True)
            code, said = audit(good)
            if code != 0:
                failures.append(f"{kernel}: exit code {code}: {said}")
            manifest = json.loads((good / "manifest.json").read_text())
            # The way in which a test writes a manifest is as good as another.
            same = attempt(good, "", {"manifest.json": sealed(manifest)})
            if same is None:
                failures.append(f"{kernel}: refused when it is only written "
                                "in another way")
            tried = itertools.islice(attempts(good, manifest), FIRST, None,
                                     EVERY)
            found = list(pool.map(lambda a: attempt(good, *a), tried))
            failures += [f"{kernel}: {f}" for f in found if f]
            print(f"{kernel}: {len(found)} edits")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
