#!/usr/bin/env python3
# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The pictures in bench/plots are what bench/results/h200_curves.json says.

  plot.py             compares; exit code 1 when one differs
  plot.py --update    rewrites them
"""

import json
import math
import pathlib
import sys
from xml.sax.saxutils import escape

ROOT = pathlib.Path(__file__).resolve().parents[1]
WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 80, 52
# Sizes whose rows begin at multiples of 16 bytes in bf16, or of 4, or anywhere.
KINDS = {"multiples of 8": lambda n: n % 8 == 0, "other even": lambda n:
         n % 8 and n % 2 == 0, "odd": lambda n: n % 2 == 1}
STYLE = """\
:root { color-scheme: light dark; --page: #ffffff; --ink: #1b1f24;
  --dim: #5c6570; --line: #d5dae0; --a: #1f6feb; --b: #c2570c; }
@media (prefers-color-scheme: dark) { :root { --page: #12161c;
  --ink: #e4e8ed; --dim: #9aa4b0; --line: #343c47; --a: #6aa9ff;
  --b: #f0984d; } }
text { font: 12px ui-monospace, monospace; fill: var(--dim); }
.title { fill: var(--ink); font-weight: bold; }
.page { fill: var(--page); }
.grid { stroke: var(--line); }
.odd { stroke-dasharray: 4 3; }
.even { stroke-dasharray: 1 3; }
.ours { stroke: var(--a); fill: var(--a); }
.library { stroke: var(--b); fill: var(--b); }
.hollow { fill: var(--page); }
.curve { fill: none; }
"""


def text(x, y, said, anchor="start", style="", turn=""):
    style = f' class="{style}"' if style else ""
    turn = f' transform="rotate(-90 {x} {y})"' if turn else ""
    return (f'<text x="{x}" y="{y}" text-anchor="{anchor}"{style}{turn}>'
            f"{escape(said)}</text>")


def line(x1, y1, x2, y2):
    return f'<line class="grid" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def mark(x, y, who, kind):
    if kind == "other even":
        return (f'<rect class="{who} hollow" x="{x - 2:g}" y="{y - 2:g}" width="4" '
                'height="4"/>')
    style = who if kind != "odd" else f"{who} hollow"
    return f'<circle class="{style}" cx="{x}" cy="{y}" r="2.5"/>'


def curve(points, who, kind):
    if not points:
        return []
    path = " ".join(f"{x},{y}" for x, y in points)
    return [f'<polyline class="{who} curve {kind.split()[-1]}" points="{path}"/>',
            *(mark(x, y, who, kind) for x, y in points)]


def ticks(least, most, isWide):
    """Round numbers: 1, 2 and 5 of each power of ten where the range is wide, else
    up to nine equal steps from 0."""
    rounds = [step * 10.0 ** power for power in range(-3, 5) for step in (1, 2, 5)]
    if isWide:
        return [r for r in rounds if least <= r <= most]
    step = next(r for r in rounds if most / r <= 9)
    return [number * step for number in range(int(most / step) + 1)]


def picture(name, figure, machine):
    points = figure["points"]
    low, high = (math.log2(e(p[0] for p in points)) for e in (min, max))
    rates = [rate for p in points for rate in p[1:]]
    least, most = min(rates) / 1.04, max(rates) * 1.04
    isWide = most > 100 * least
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def x(n):
        return round(LEFT + (math.log2(n) - low) / (high - low) * (right - LEFT), 1)

    def y(rate):
        part = (math.log(rate / least) / math.log(most / least) if isWide
                else rate / most)
        return round(bottom - part * (bottom - TOP), 1)
    title = f"{name}: {figure['title']}, on one {machine}"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label='
           f'"{escape(title)}" width="{WIDTH}" height="{HEIGHT}" '
           f'viewBox="0 0 {WIDTH} {HEIGHT}">', f"<title>{escape(title)}</title>",
           f"<style>\n{STYLE}</style>",
           f'<rect class="page" width="{WIDTH}" height="{HEIGHT}"/>',
           text(LEFT, 20, title, style="title")]
    for tick in ticks(least, most, isWide):
        at = y(tick)
        out += [line(LEFT, at, right, at), text(LEFT - 8, at + 4, f"{tick:g}", "end")]
    for power in range(math.ceil(low), math.floor(high) + 1):
        at = x(2 ** power)
        out += [line(at, TOP, at, bottom),
                text(at, bottom + 18, str(2 ** power), "middle")]
    out += [text((LEFT + right) // 2, HEIGHT - 10,
                 f"{figure['extent']}, in elements", "middle"),
            text(16, (TOP + bottom) // 2, figure["unit"], "middle", turn="yes")]
    for row, who in ((0, "ours"), (1, "library")):
        for column, (kind, isOf) in enumerate(KINDS.items()):
            out += curve([(x(p[0]), y(p[row + 1])) for p in points if isOf(p[0])],
                         who, kind)
            at, down = LEFT + 4 + 190 * column, 42 + 18 * row
            said = f"{('Girih', figure['library'])[row]}, {kind}"
            out += [mark(at, down, who, kind), text(at + 8, down + 4, said)]
    return "\n".join([*out, "</svg>"]) + "\n"


def main():
    measured = json.loads((ROOT / "bench/results/h200_curves.json").read_text())
    drawn = {f"{name}.svg": picture(name, figure, measured["machine"])
             for name, figure in measured["figures"].items()}
    folder = ROOT / "bench/plots"
    if "--update" in sys.argv[1:]:
        folder.mkdir(exist_ok=True)
        for file in folder.iterdir():
            file.unlink()
        for name, svg in drawn.items():
            (folder / name).write_text(svg)
    elif drawn != {f.name: f.read_text() for f in folder.iterdir()}:
        sys.exit("plot.py: error: bench/plots differs from bench/results; "
                 "bench/plot.py --update")
    return 0


if __name__ == "__main__":
    sys.exit(main())
