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
            if isinstance(manifest, dict):
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
    refused = accepted = 0
    with tempfile.TemporaryDirectory() as folder:
        for what, document in [("as it is", manifest), *mutations(manifest)]:
            text = json.dumps(document, indent=1)[1:]
            seal = hashlib.sha256(text.encode()).hexdigest()
            path = pathlib.Path(folder, "manifest.json")
            path.write_text('{"seal": "' + seal + '",\n' + text)
            result = subprocess.run([tool, folder], capture_output=True,
                                    text=True)
            if result.returncode != 1:
                sys.exit(f"{what}: exit code {result.returncode}")
            # A manifest that is accepted fails for its missing files.
            reads = "error: manifest.json:" not in result.stderr
            valid = validator.is_valid({"seal": seal, **document})
            if reads and not valid:
                sys.exit(f"{what}: the schema refuses it, tile-run does not")
            if what == "as it is" and not (reads and valid):
                sys.exit(f"the example is refused: {result.stderr}")
            refused += not valid
            accepted += valid
    print(f"{refused} manifests that the schema refuses are refused, "
          f"{accepted} others")
    return int(refused < 500)


if __name__ == "__main__":
    sys.exit(main())
