# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles a kernel for one architecture and reads everything back: the manifest
and the proof by their schemas, the hashes that tie them, and from the cubin its
architecture, entry points and parameters.

  artefacts.py BIN_DIR KERNEL [--optimise]

The name of the kernel chooses the architecture, so that the kernels together are
assembled for all of them; one without what a kernel needs gives way to the first
that has it. With --optimise it is all four, and the assembler optimises.
"""

import copy
import hashlib
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import zlib

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "docs"))
import cubin
from girih import ROOT, Report, run

TARGETS = ["sm_80", "sm_90", "sm_100", "sm_120"]
# Half a minute for each architecture; sm_80 is left to --optimise.
LONG = {"attention", "attention_causal", "attention_gqa", "attention_prefill_gqa",
        "attention_prefill_gqa_lpt", "attention_prefill_gqa_split",
        "grout_prefill_lpt"}
QUICK = pathlib.Path(__file__).resolve().with_name("quick.sh")
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8, "i8": 1, "i32": 4, "i64": 8}
NOT_RUN = 77


def validator(name):
    schema = json.loads((ROOT / f"spec/schemas/{name}.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def sha256(data):
    return hashlib.sha256(data).hexdigest()


def check_schema(report, name, document):
    for error in validator(name).iter_errors(document):
        where = "/".join(map(str, error.absolute_path))
        report.check(False, f"{name}: {where}: {error.message}")


def sealed(report, path):
    """The manifest, after its seal was checked."""
    first, rest = path.read_bytes().split(b"\n", 1)
    manifest = json.loads(first + b"\n" + rest)
    report.check(
        first == b'{"seal": "%s",' % manifest["seal"].encode(),
        f"{path}: the first line is not the seal alone",
    )
    report.check(sha256(rest) == manifest["seal"], f"{path}: broken seal")
    return manifest


def mutations(manifest):
    """Manifests that are none, each by one change."""

    def change(edit):
        changed = copy.deepcopy(manifest)
        edit(changed)
        return changed

    for key in manifest:
        yield f"without {key}", change(lambda m: m.pop(key))
    for key in manifest["variants"][0]:
        if key not in ("when", "repack"):
            yield f"variant without {key}", change(
                lambda m: m["variants"][0].pop(key)
            )
    yield "an unknown key", change(lambda m: m.update(extra=1))
    yield "another version", change(lambda m: m.update(version=2))
    yield "no variants", change(lambda m: m.update(variants=[]))
    yield "a path outside", change(
        lambda m: m["variants"][0]["proof"].update(file="../proof.json")
    )
    yield "a short hash", change(
        lambda m: m["variants"][0]["proof"].update(sha256="00")
    )
    yield "an unknown operator", change(
        lambda m: m["variants"][0].update(grid=[{"op": "%", "args": [1, 2]}])
    )
    yield "a lone operand", change(
        lambda m: m["variants"][0].update(grid=[{"op": "+", "args": [1]}])
    )
    yield "a fractional extent", change(
        lambda m: m["variants"][0].update(grid=[1.5])
    )


def expected_parameters(manifest, variant):
    """(offset, size) of each parameter, at its natural alignment."""
    dtypes = {a["name"]: a["dtype"] for a in manifest["arguments"]}
    at, out = 0, []
    for p in variant["parameters"]:
        size = {
            "pointer": lambda: 8,
            "scalar": lambda: SIZES[dtypes[p["argument"]]],
            "integer": lambda: SIZES[p["type"]],
        }[p["kind"]]()
        at = (at + size - 1) // size * size
        out.append((at, size))
        at += size
    return out


def threads_for(hints):
    """One warp, four or eight, or as many as are asked for; four more may move
    data for them."""
    workers = {4, 8, hints.get("worker_warps", 4)}
    return {32} | {32 * (w + more) for w in workers for more in (0, 4)}


def check_variant(report, folder, manifest, variant, targets):
    proof_bytes = (folder / variant["proof"]["file"]).read_bytes()
    report.check(
        sha256(proof_bytes) == variant["proof"]["sha256"], "the proof's hash"
    )
    proof = json.loads(proof_bytes)
    check_schema(report, "proof", proof)
    report.check(proof["digest"] == variant["digest"], "the proof's kernel")
    report.check(
        sha256(proof["kernel"].encode()) == variant["digest"], "the digest"
    )
    report.check(list(variant["cubins"]) == sorted(targets), "architectures")
    want = expected_parameters(manifest, variant)
    for target, about in variant["cubins"].items():
        data = (folder / about["file"]).read_bytes()
        report.check(sha256(data) == about["sha256"], f"{target}: hash")
        read = cubin.read(data)
        report.check(
            f"sm_{read['sm']}" == target, f"{target}: is for sm_{read['sm']}"
        )
        entry = read["entries"].get(variant["entry"])
        if report.check(entry, f"{target}: no entry {variant['entry']}"):
            report.check(
                entry["parameters"] == want,
                f"{target}: parameters {entry['parameters']}, not {want}",
            )
            report.check(
                entry["threads"] in threads_for(about["hints"]),
                f"{target}: {entry['threads']} threads",
            )


def check_lines(report, bin_dir, kernel, folder, plain):
    """With --lineinfo a cubin names the kernel and its lines, else neither; and
    the assembler's remarks come at them."""
    out = folder / "lines"
    code, text = run(
        ["tile-compile", kernel, "--no-cache", "--arch=sm_90", "--lineinfo",
         "--remarks=memory", "-o", out], bin_dir, timeout=600)
    name = pathlib.Path(kernel).name
    if report.check(code == 0, f"--lineinfo: exit code {code}: {text}"):
        lines = cubin.sections((out / "sm_90.cubin").read_bytes())
        found = lines.get(".debug_line", b"")
        report.check(name.encode() in found, "no lines of the kernel")
        report.check(name.encode() not in plain, "lines that nobody asked for")
        report.check(f"{name}:15:8: remark: " in text, f"remarks: {text}")


def validators(manifest):
    """Of what is given of 32 and 64 bits and can be looked up: digests by
    folder."""
    dtypes = {a["name"]: a["dtype"] for a in manifest["arguments"]}
    found = {}
    for variant in manifest["variants"]:
        for given in variant["given"]:
            if "validator" in given:
                inner = given["validator"]
                found[inner["folder"]] = inner["sha256"]
                assert not given["assumed"]
            else:
                assert (given["assumed"]
                        or dtypes[given["tensor"]] not in ("i32", "i64"))
    return found


def check_validator(report, folder, digest, targets):
    path = folder / "manifest.json"
    manifest = sealed(report, path)
    report.check(sha256(path.read_bytes()) == digest, f"{folder}: its digest")
    check_schema(report, "manifest", manifest)
    names = [a["name"] for a in manifest["arguments"]]
    report.check(names == ["t", "found"], f"{folder}: arguments {names}")
    for variant in manifest["variants"]:
        report.check(not variant["given"], f"{folder}: given")
        check_variant(report, folder, manifest, variant, targets)


def compiled(kernel, out, bin_dir, options):
    """The architectures, what came of them, and what was said."""
    targets = TARGETS
    name = pathlib.Path(kernel).stem
    if options:
        some = ["sm_90"] if name == "add" else (
            TARGETS[1:] if name in LONG else TARGETS)
        targets = [some[zlib.crc32(name.encode()) % len(some)]]
    while True:
        code, text = run(
            ["tile-compile", kernel, "--no-cache", "--allow-trust", *options,
             f"--arch={','.join(targets)}", "-o", out],
            bin_dir,
            timeout=1200,
        )
        first = re.search(r"sm_(\d+) is the first that does", text)
        if not first:
            return targets, code, text
        targets = [t for t in targets
                   if int(t.removeprefix("sm_")) >= int(first[1])] or [
                       f"sm_{first[1]}"]


def main(bin_dir, kernel, optimise=None):
    report = Report()
    # Where there is no assembler, tile-compile says so.
    tools = os.pathsep.join([str(ROOT / ".tools/nvidia/cu13/bin"),
                             os.environ["PATH"]])
    quick = not optimise and shutil.which("tileiras", path=tools)
    options = [f"--tileiras={QUICK}"] if quick else []
    folder = pathlib.Path(tempfile.mkdtemp())
    try:
        out = folder / "artefact"
        targets, code, text = compiled(kernel, out, bin_dir, options)
        if code == 3 and "there is no tileiras" in text:
            print(f"not run: {text}")
            sys.exit(NOT_RUN)
        if report.check(code == 0, f"exit code {code}: {text}"):
            files = sorted(p.name for p in out.iterdir())
            manifest = sealed(report, out / "manifest.json")
            inner = validators(manifest)
            # Of a list each kernel has files of its own.
            digests = {v["digest"] for v in manifest["variants"]}
            proofs = {v["proof"]["file"] for v in manifest["variants"]}
            report.check(len(digests) == len(proofs), f"proofs {proofs}")
            want = [p.removesuffix("proof.json") + f"{t}.cubin"
                    for p in proofs for t in targets]
            want += ["manifest.json", *proofs, *inner]
            report.check(files == sorted(want), f"files {files}")
            for name, digest in inner.items():
                check_validator(report, out / name, digest, targets)
            check_schema(report, "manifest", manifest)
            for variant in manifest["variants"]:
                check_variant(report, out, manifest, variant, targets)
            if pathlib.Path(kernel).stem == "add":
                check_lines(report, bin_dir, kernel, folder,
                            (out / "sm_90.cubin").read_bytes())
            for what, mutant in mutations(manifest):
                report.check(
                    not validator("manifest").is_valid(mutant),
                    f"the schema takes a manifest with {what}",
                )
            report.check(
                not (folder / "artefact.tileirbc").exists(),
                "the bytecode stayed",
            )
    finally:
        shutil.rmtree(folder)
    report.finish()


if __name__ == "__main__":
    main(*sys.argv[1:])
