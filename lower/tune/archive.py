# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A folder with all that a measurement needs on another machine: plan.json,
texts, artefacts of the candidates and of the kernels that compare.

  plan.json              written last: with it the folder is complete
  ID.mlir ID.json ID/    a candidate's text, what became of it, its artefact
"""

import concurrent.futures
import json
import os
import pathlib
import shutil

from . import compare
from .errors import Failed, Malformed
from .progress import Progress
from .tools import digest, file_digest, write, write_json

FORMAT, VERSION = "girih.tune.archive", 1


def _state(folder, name, text, key):
    """What became of a candidate before, if that still holds."""
    try:
        state = json.loads((folder / f"{name}.json").read_text())
    except (OSError, ValueError):
        return None
    if state.get("text") != digest(text.encode()) or state.get("key") != key:
        return None
    if "failed" in state:
        return state
    for part, file in (("manifest", "manifest.json"), ("proof", "proof.json")):
        path = folder / name / file
        if not path.is_file() or file_digest(path) != state[part]:
            return None
    return state


def _compile(tools, folder, name, text, cert, arch, key, options):
    """Compiles a text into FOLDER/NAME, all of it or nothing."""
    state = _state(folder, name, text, key)
    if state:
        return state, True
    source, part = folder / f"{name}.mlir", folder / f".{name}.part"
    shutil.rmtree(part, ignore_errors=True)
    shutil.rmtree(folder / name, ignore_errors=True)
    write(source, text)
    if cert:
        shutil.copyfile(cert, folder / f"{name}.cert")
    done = tools.run("tile-compile", source, f"--arch={arch}", "-o", part,
                     *options)
    state = {"text": digest(text.encode()), "key": key}
    if done.returncode:
        said = (done.stderr + done.stdout).strip().splitlines()
        state["failed"] = said[0] if said else f"exit code {done.returncode}"
    else:
        state["manifest"] = file_digest(part / "manifest.json")
        state["proof"] = file_digest(part / "proof.json")
        state["producer"] = json.loads(
            (part / "manifest.json").read_text())["producer"]
        os.replace(part, folder / name)
    write_json(folder / f"{name}.json", state)
    return state, False


def _argument(tensor):
    return {"name": tensor.name, "element": tensor.element, "mode": tensor.mode,
            "dims": tensor.dims, "strides": tensor.strides}


def contents(plan, hashes, states):
    """What plan.json says. states: of each name {"text", "proof", "manifest"},
    digests, or {"failed": why}."""
    first = plan.candidates[0].contract
    return {
        "format": FORMAT, "version": VERSION, "name": plan.space.name,
        "arch": plan.arch, "tools": hashes,
        "tolerance": list(plan.space.tolerance),
        "tensors": [_argument(t) for t in first.tensors],
        "scalars": list(first.scalars),
        "symbols": sorted(first.launch_symbols()),
        "given": sorted({g for c in plan.candidates for g in c.contract.given}),
        "classes": plan.class_names(),
        "launches": [{"values": x.values, "class": x.number, "use": x.use}
                     for x in plan.launches],
        "candidates": [
            {"id": c.id, "launches": list(c.launches), **states[c.id]}
            for c in plan.candidates if "failed" not in states[c.id]],
        "failed": [{"id": c.id, "why": states[c.id]["failed"]}
                   for c in plan.candidates if "failed" in states[c.id]],
        "compare": {n: s.get("manifest") for n, s in states.items()
                    if n.startswith("compare_") and "failed" not in s},
    }


def make(plan, tools, folder, jobs, options=()):
    """Compiles every candidate of a plan; the contents of plan.json."""
    folder = pathlib.Path(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Malformed(f"{folder}: error: {error.strerror}") from None
    first = plan.candidates[0].contract
    hashes = {**tools.hashes(), "options": list(options)}
    key = digest(json.dumps([hashes, plan.arch], sort_keys=True).encode())
    work = [(c.id, c.text, pathlib.Path(c.source).with_suffix(".cert"))
            for c in plan.candidates]
    work += [(compare.NAME.format(e), compare.text(e), None)
             for e in sorted({t.element for t in first.tensors
                              if t.is_written} & set(compare.FLOATS))]
    progress = Progress("compiled", len(work))

    def one(item):
        name, text, cert = item
        state, known = _compile(tools, folder, name, text,
                                cert if cert and cert.is_file() else None,
                                plan.arch, key, options)
        progress.step(name + (": " + state["failed"] if "failed" in state else
                              ", as before" if known else ""))
        return name, state
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        states = dict(pool.map(one, work))
    progress.end()
    if "failed" in states[plan.candidates[0].id]:
        raise Failed(f"{plan.candidates[0].source}: error: the incumbent does "
                     f"not compile: {states[plan.candidates[0].id]['failed']}")
    # As it is read back: tuples are lists.
    written = json.loads(json.dumps(contents(plan, hashes, states)))
    write_json(folder / "plan.json", {**written, "seal": _seal(written)})
    return written


def _seal(plan):
    return digest(json.dumps(plan, sort_keys=True).encode())


def identity(candidate):
    """Of a candidate's kernel, proof and code."""
    return digest("\n".join(candidate[k] for k in (
        "text", "proof", "manifest")).encode())


def read(folder):
    """plan.json of a complete archive, its artefacts unchanged."""
    path = pathlib.Path(folder) / "plan.json"
    try:
        plan = json.loads(path.read_text())
    except OSError as error:
        raise Malformed(f"{path}: error: {error.strerror}; tile-tune compile "
                        "writes it last") from None
    except ValueError as error:
        raise Malformed(f"{path}: error: {error}") from None
    if not isinstance(plan, dict) or plan.get("format") != FORMAT:
        raise Malformed(f"{path}: error: no {FORMAT}")
    if plan.get("version") != VERSION:
        raise Malformed(f"{path}: error: version {plan.get('version')}: this "
                        f"program reads version {VERSION} of {FORMAT}")
    seal = plan.pop("seal", None)
    if seal != _seal(plan):
        raise Malformed(f"{path}: error: changed since it was written; compile "
                        "again")
    files = [(c["id"], part, c[part]) for c in plan["candidates"]
             for part in ("manifest", "proof")]
    files += [(name, "manifest", manifest)
              for name, manifest in plan["compare"].items()]
    for name, part, expected in files:
        file = pathlib.Path(folder) / name / f"{part}.json"
        if not file.is_file() or file_digest(file) != expected:
            raise Malformed(f"{file}: error: not the file that was compiled; "
                            "compile again")
    return plan
