# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The picture of README.md is the one that the report draws of that refusal.

  picture.py BIN_DIR             fails when clash.svg is another picture
  picture.py BIN_DIR --update    writes clash.svg
"""

import pathlib
import re
import sys
import tempfile

from girih import ROOT, Report, run

KERNEL = "tests/corpus/girih/bugs/permute_race.mlir"
PICTURE = ROOT / "tests/docs/clash.svg"


def picture(page):
    """The figure of the clash with its patterns and the colours of the page."""
    styles = re.search(r"<style>\n(.*?)</style>", page, re.S)[1]
    colours = re.findall(r"^(?::root|@media).*?\n(?=[a-z@])", styles, re.M | re.S)
    shapes = styles[styles.index("svg text {"):]
    defs = re.search(r"<defs>.*?</defs>", page, re.S)[0]
    figure = next(f for f in re.findall(r"<svg role=.*?</svg>", page, re.S)
                  if "url(#other)" in f)
    head, rest = figure.split(">", 1)
    label = re.search(r'aria-label="([^"]*)"', head)[1]
    head = re.sub(r"<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', head)
    return (f"{head}>\n<title>{label}</title>\n<style>\n{''.join(colours)}"
            f"{shapes}</style>\n{defs}{rest}\n")


def main():
    report = Report()
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "report.html")
        run(["tile-verify", KERNEL, f"--report={page}"], sys.argv[1])
        now = picture(page.read_text())
    if "--update" in sys.argv:
        PICTURE.write_text(now)
    report.check(PICTURE.exists() and PICTURE.read_text() == now,
                 "clash.svg differs: tests/docs/picture.py BIN_DIR --update")
    report.finish()


if __name__ == "__main__":
    main()
