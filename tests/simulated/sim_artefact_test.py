# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What sim-artefact refuses, with the exit codes of tile-compile, and that it
then leaves no folder.

  sim_artefact_test.py SIM_ARTEFACT SOURCE_DIR
"""

import pathlib
import subprocess
import sys
import tempfile


def main():
    tool, root = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "none.mlir").write_text("tile.kernel @broken(")
        (folder / "some").mkdir()
        (folder / "some/file").write_text("here before")
        rules = root / "tests/corpus/girih"
        for kernel, out, code in [
            (root / "proofs/kernels/add/add.mlir", "add", 0),
            (rules / "bugs/permute_race.mlir", "refuted", 1),
            (rules / "coverage/covers_xor.unknown.mlir", "unknown", 2),
            (folder / "none.mlir", "malformed", 3),
            (folder / "missing.mlir", "missing", 3),
            (root / "proofs/kernels/add/add.mlir", "some", 3),
        ]:
            done = subprocess.run([tool, kernel, folder / out],
                                  capture_output=True, text=True)
            assert done.returncode == code, (kernel, done)
            assert (folder / out / "manifest.json").exists() == (code == 0), kernel
            assert code == 0 or done.stderr, kernel
        assert (folder / "some/file").read_text() == "here before"


if __name__ == "__main__":
    main()
