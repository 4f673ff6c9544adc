# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The HTML report is one page that needs nothing besides, shows what it should,
can be read in both colour schemes and on a phone, and turns no text of a kernel
into markup.

  report.py BIN_DIR
"""

import html.parser
import pathlib
import re
import sys
import tempfile

from girih import ROOT, Report, run

HOSTILE = """// <script>alert(1)</script> </div></section><img src=x onerror=alert(1)> &lt;
// ]]> --> \x1b[31m "quotes' `ticks` \u202e turned \u2066
!X = !tile.tensor<[N] x f32, own>
!PX = !tile.partition<[128], [N] x f32, own>
!P = !tile.piece<[128] x f32, own>
tile.kernel @hostile(%x: !X) grid [ceildiv(N, 128)] {
  %v = arith.constant dense<1.0> : vector<128xf32>
  %i = tile.block_id 0
  %n = tile.grid_dim 0
  %px = tile.partition %x by [128] : !X
  %out = tile.claim %px[%n] : !PX // <b>bold</b>
  tile.store %v, %out : !P
}
"""

# One output that is stored, and two that are not.
OUTPUTS = """!C = !tile.tensor<[N] x f32, out>
!PC = !tile.partition<[64], [N] x f32, out>
!P = !tile.piece<[64] x f32, out>
tile.kernel @outputs(%b: !C, %c: !C, %d: !C) grid [ceildiv(N, 64)] {
  %v = arith.constant dense<1.0> : vector<64xf32>
  %i = tile.block_id 0
  %pd = tile.partition %d by [64] : !C
  %out = tile.claim %pd[%i] : !PC
  tile.store %v, %out : !P
}
"""

SYNTAX = ["comment", "string", "op", "keyword", "type", "symbol", "literal"]

VOID = {"meta", "rect", "path", "line"}
TAGS = VOID | set(
    "html head title style body h1 h2 p table tr th td a div span section mark "
    "dl dt dd details summary code footer figure figcaption ul li svg defs "
    "pattern text".split()
)


class Page(html.parser.HTMLParser):
    """Checks structure; gathers text by class."""

    def __init__(self, report):
        super().__init__()
        self.report = report
        self.open = []
        self.rows, self.figures, self.marks, self.tokens = [], [], [], []
        self.paragraphs = []
        self.ids, self.links = set(), set()
        self.viewport = ""

    def handle_starttag(self, tag, attributes):
        self.report.check(tag in TAGS, f"tag <{tag}>")
        for name, value in attributes:
            self.report.check(not name.startswith("on"), f"attribute {name}")
            self.report.check(name != "src", f"<{tag}> refers to {value}")
            if name == "href":
                self.report.check(value.startswith("#"), f"link to {value}")
                self.links.add(value[1:])
            if name == "id":
                self.ids.add(value)
        style = dict(attributes).get("class", "")
        if tag == "meta" and dict(attributes).get("name") == "viewport":
            self.viewport = dict(attributes)["content"]
        if tag == "table":
            within = [s for _, s in self.open]
            report = self.report
            report.check(within[-1] == "scroll", f"a table within {within}")
        if tag == "p":
            self.paragraphs.append("")
        if style.startswith("row"):
            self.rows.append("")
        if tag == "figure":
            self.figures.append("")
        if tag == "mark":
            self.marks.append([style, ""])
        if tag not in VOID:
            self.open.append((tag, style))

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        top = self.open.pop() if self.open else ("nothing", "")
        self.report.check(top[0] == tag, f"</{tag}> closes <{top[0]}>")

    def handle_data(self, data):
        classes = [style for _, style in self.open]
        tags = [tag for tag, _ in self.open]
        if any(c.startswith("row") for c in classes) and "number" not in classes:
            self.rows[-1] += data
        if "figure" in tags:
            self.figures[-1] += data
        if "mark" in tags:
            self.marks[-1][1] += data
        if classes and classes[-1] in SYNTAX:
            self.tokens.append((classes[-1], data))
        if "p" in tags:
            self.paragraphs[-1] += data


def render(report, bin_dir, kernels, code):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "report.html"
        command = ["tile-verify", *map(str, kernels), f"--report={path}"]
        found, text = run(command, bin_dir)
        report.check(found == code, f"exit code {found}, not {code}:\n{text}")
        source = path.read_text(encoding="utf-8")
    page = Page(report)
    page.feed(source)
    page.close()
    report.check(not page.open, f"left open: {page.open}")
    report.check(page.links <= page.ids, f"dead links: {page.links - page.ids}")
    for pattern in ("http", "@import", r"url\((?!#)", "<script"):
        report.check(not re.search(pattern, source), f"the page holds {pattern}")
    return source, page


def check_refused(report, bin_dir):
    kernels = ["gemm_oob", "two_tilings", "wrap_i32", "gemm_uncovered"]
    paths = [f"tests/corpus/girih/bugs/{k}.mlir" for k in kernels]
    _, page = render(report, bin_dir, paths, 1)
    lines = [
        line
        for path in paths
        for line in (ROOT / path).read_text().rstrip().splitlines()
    ]
    report.check(page.rows == lines, "the sources are not shown as they are")
    report.check(len(page.figures) == 4, f"{len(page.figures)} pictures, not 4")
    for mark in (["at", "%i1"], ["at", "%ph"], ["other", "tile.claim"]):
        report.check(mark in page.marks, f"{mark} is not underlined")
    for figure, phrases in zip(
        page.figures,
        (
            ["block (0, 0) claims tile (1, 0): elements [128..255, 0..255]"],
            [
                "block (1) claims tile (1): elements [64..127]",
                "block (0) claims tile (0): elements [0..127]",
                "element (64): both take it",
                "N = 129",
            ],
            ["elements [-2147483648]", "N = 2147483649"],
            ["element (0, 0): no block writes it"],
        ),
    ):
        for phrase in phrases:
            report.check(phrase in figure, f"no '{phrase}' in:\n{figure}")


def luminance(colour):
    """Of #rrggbb, as WCAG 2.1 defines it."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
    ]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(one, two):
    low, high = sorted([luminance(one), luminance(two)])
    return (high + 0.05) / (low + 0.05)


def check_colours(report, bin_dir):
    """Sources have colours, which can be read on either page."""
    kernel = "tests/corpus/girih/bugs/gemm_oob.mlir"
    source, page = render(report, bin_dir, [kernel], 1)
    for token in (
        ("comment", "// A GEMM that claims the tile below its own: one tile too far."),
        ("type", "!tile.tensor"),
        ("type", "bf16"),
        ("keyword", "shared"),
        ("op", "tile.kernel"),
        ("symbol", "@gemm_oob"),
        ("keyword", "ceildiv"),
        ("literal", "128"),
    ):
        report.check(token in page.tokens, f"no {token} in {page.tokens[:30]}")
    schemes = re.findall(r":root \{(.*?)\}", source, re.S)
    report.check(len(schemes) == 2, f"{len(schemes)} schemes, not 2")
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", scheme))
        for name in [*SYNTAX, "ink", "dim", "ok", "bad", "open"]:
            for ground in ("page", "box"):
                ratio = contrast(colours[name], colours[ground])
                report.check(ratio >= 4.5, f"{name} on {ground}: {ratio:.2f}")


def check_phone(report, bin_dir):
    source, page = render(report, bin_dir, ["proofs/kernels/gemm"], 0)
    report.check(page.viewport == "width=device-width, initial-scale=1",
                 f"viewport: {page.viewport}")
    report.check(".scroll { overflow-x: auto; }" in source,
                 "the table does not scroll")
    # A digest is longer than a phone is wide.
    report.check("p { overflow-wrap: anywhere; }" in source, "a digest is cut")


def check_coverage(report, bin_dir):
    """Which output is covered, and which is not."""
    _, page = render(report, bin_dir, ["proofs/kernels/gemm"], 0)
    found = [p for p in page.paragraphs if "written" in p]
    report.check(found == ["every element is written: %c[element0, element1] by "
                           "%i = div(element0, 128), %j = div(element1, 256)"],
                 f"coverage of a verified kernel: {found}")
    with tempfile.TemporaryDirectory() as folder:
        kernel = pathlib.Path(folder) / "outputs.mlir"
        kernel.write_text(OUTPUTS)
        _, page = render(report, bin_dir, [kernel], 1)
    found = [p for p in page.paragraphs if " covered: " in p]
    report.check(found == [
        "%b is not covered: element [0] of %b is never written",
        "%c is not covered: the kernel has no store to it",
        "%d is covered: every element is written",
    ], f"coverage of a refuted kernel: {found}")
    report.check("%b: 1 element in tiles of 1;" in "".join(page.figures),
                 f"one element: {page.figures}")
    _, page = render(report, bin_dir,
                     ["tests/corpus/girih/coverage/covers_xor.unknown.mlir"], 2)
    report.check("%c may not be covered: neither proved nor refuted"
                 in page.paragraphs, f"an open output: {page.paragraphs}")


def check_views(report, bin_dir):
    """Tiles of views are drawn where their elements lie in the tensor."""
    _, page = render(report, bin_dir,
                     ["tests/corpus/girih/views/view_width.bad.mlir"], 1)
    figure = "".join(page.figures)
    for phrase in (
        "block (1) claims tile (0, 5) of its view: elements [5]",
        "block (0) claims tile (1, 0) of its view: elements [5]",
        "%c: 100 elements; axis 0",
    ):
        report.check(phrase in figure, f"no '{phrase}' in:\n{figure}")


def check_hostile(report, bin_dir):
    with tempfile.TemporaryDirectory() as folder:
        kernel = pathlib.Path(folder) / "<img src=x onerror=alert(1)>&'.mlir"
        kernel.write_text(HOSTILE, encoding="utf-8")
        broken = pathlib.Path(folder) / "broken.mlir"
        broken.write_bytes(b"\xff\xfe<script>")
        source, page = render(report, bin_dir, [kernel, broken], 3)
    shown = "\n".join(page.rows)
    expected = re.sub("[\x1b\u202e\u2066]", "\ufffd", HOSTILE.rstrip())
    report.check(shown == expected, f"the hostile source reads\n{shown}")
    report.check("\u202e" not in source, "text is turned around")
    report.check("MALFORMED" in source, "the malformed file is not listed")


def main():
    report = Report()
    check_refused(report, sys.argv[1])
    check_colours(report, sys.argv[1])
    check_phone(report, sys.argv[1])
    check_coverage(report, sys.argv[1])
    check_views(report, sys.argv[1])
    check_hostile(report, sys.argv[1])
    report.finish()


if __name__ == "__main__":
    main()
