# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Changes the compiler's example of a manifest in every place and seals it
again: whatever spec/schemas/manifest.schema.json refuses, tile-run refuses as
well, and it never crashes.

usage: schema.py TILE_RUN SOURCE_FOLDER
"""

import copy
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile

import jsonschema

tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
OTHERS = [None, True, -1, 0, 1.5, 2 ** 70, "", "x", "../x", [], [1], {},
          {"symbol": "Q"}]


def places(value, path=()):
    """The way to every value of a document."""
    yield path
    if isinstance(value, (dict, list)):
        keys = value if isinstance(value, dict) else range(len(value))
        for key in keys:
            yield from places(value[key], (*path, key))


def mutations(manifest):
    """(what was done, document), one change each."""
    for path in places(manifest):
        def changed(edit):
            document = copy.deepcopy(manifest)
            at = document
            for key in path[:-1]:
                at = at[key]
            edit(at)
            return document
        if path:
            for other in OTHERS:
                yield (f"{path} = {other}",
                       changed(lambda at: at.__setitem__(path[-1], other)))
            yield (f"without {path}",
                   changed(lambda at: at.__delitem__(path[-1])))

            def unknown(at):
                if isinstance(at[path[-1]], dict):
                    at[path[-1]]["unknown"] = 1
            yield f"{path} with a key", changed(unknown)


def main():
    schema = json.loads(
        (source / "spec/schemas/manifest.schema.json").read_text())
    validator = jsonschema.Draft202012Validator(schema)
    manifest = json.loads(
        (source / "tests/unit/tileir/example_manifest.json").read_text())
    manifest.pop("seal")
    whats, valid = [], []
    with tempfile.TemporaryDirectory() as root:
        cases = pathlib.Path(root, "cases.jsonl").open("w")
        for what, document in [("as it is", manifest), *mutations(manifest)]:
            name = f"a{len(whats)}"
            text = json.dumps(document, indent=1)[1:]
            seal = hashlib.sha256(text.encode()).hexdigest()
            folder = pathlib.Path(root, name)
            folder.mkdir()
            (folder / "manifest.json").write_text(
                '{"seal": "' + seal + '",\n' + text)
            cases.write(json.dumps({"name": name, "artefact": name}) + "\n")
            whats.append(what)
            valid.append(validator.is_valid({"seal": seal, **document}))
        cases.close()
        result = subprocess.run([tool, "--batch", root], capture_output=True,
                                text=True)
    reasons = [json.loads(line)["reason"]
               for line in result.stdout.splitlines()]
    if result.returncode != 1 or len(reasons) != len(whats):
        sys.exit(f"exit code {result.returncode}, {len(reasons)} answers for "
                 f"{len(whats)} manifests: {result.stderr}")
    for what, good, reason in zip(whats, valid, reasons):
        # A manifest that is accepted fails for its missing files.
        if reason.endswith("cannot be read") and not good:
            sys.exit(f"{what}: the schema refuses it, tile-run does not")
    if not (valid[0] and reasons[0].endswith("cannot be read")):
        sys.exit(f"the example is refused: {reasons[0]}")
    refused, accepted = valid.count(False), valid.count(True)
    print(f"{refused} manifests that the schema refuses are refused, "
          f"{accepted} others")
    return int(refused < 500)


if __name__ == "__main__":
    sys.exit(main())
