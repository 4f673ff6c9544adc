# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of the public headers is made without a warning, has a page for
what people look for, and an entity without a comment is an error.

  reference.py BIN_DIR
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from girih import Report

PAGES = {
    "checker_8h.html": ["verify", "verdictName"],
    "compiler_8h.html": ["compileToTileIr", "compileToArtefact"],
    "girih_8h.html": ["girih_open", "GIRIH_VALIDATED"],
    "structgirih_1_1Counterexample.html": ["otherBlock"],
    "classgirih_1_1Executor.html": ["signature"],
}


def make(settings, out, **changes):
    """Runs Doxygen with settings of which some are changed."""
    changes["OUTPUT_DIRECTORY"] = out
    text = settings + "".join(f"{k} = {v}\n" for k, v in changes.items())
    return subprocess.run(["doxygen", "-"], input=text, encoding="utf-8",
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def main():
    report = Report()
    build = pathlib.Path(sys.argv[1]).resolve().parent
    settings = (build / "cmake/Doxyfile").read_text()
    with tempfile.TemporaryDirectory() as scratch:
        made = make(settings, scratch)
        report.check(made.returncode == 0, made.stdout)
        for page, names in PAGES.items():
            file = pathlib.Path(scratch, "html", page)
            text = file.read_text() if file.exists() else ""
            for name in names:
                report.check(name in text, f"{name} is not in {page}")
        [checker] = re.findall(r"\S+/checker\.h", settings)
        planted = pathlib.Path(scratch, "planted.h")
        planted.write_text(pathlib.Path(checker).read_text().replace(
            "  std::string digest;", "  int planted;\n  std::string digest;"))
        made = make(settings, scratch, INPUT=planted)
        # The planted member has the comment of the one behind it.
        report.check(made.returncode != 0 and "digest" in made.stdout,
                     "a member without a comment passes:\n" + made.stdout)
    report.finish()


if __name__ == "__main__":
    main()
