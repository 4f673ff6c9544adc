# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gives an artefact cubins for the simulated driver in place of those that an
assembler wrote, with a kernel of tests/simulated, and seals it again.

  simulate.py FOLDER BEHAVIOUR
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "runtime"))
import fake  # noqa: E402

BYTES = {"i8": 1, "i16": 2, "f16": 2, "bf16": 2, "i32": 4, "f32": 4}


def main():
    folder, behaviour = pathlib.Path(sys.argv[1]), sys.argv[2]
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest.pop("seal")
    types = {a["name"]: a["dtype"] for a in manifest["arguments"]}
    for variant in manifest["variants"]:
        sizes = [8 if p["kind"] == "pointer"
                 else BYTES.get(p.get("type") or types[p["argument"]], 8)
                 for p in variant["parameters"]]
        code = fake.cubin(behaviour, sizes, variant["entry"])
        for cubin in variant["cubins"].values():
            # Variants of one kernel share a file, and each has its entry.
            name = f"{variant['entry']}.{cubin['file']}"
            (folder / name).write_bytes(code)
            cubin.update(file=name, sha256=fake.digest(code))
    (folder / "manifest.json").write_text(fake.sealed(manifest))


if __name__ == "__main__":
    main()
