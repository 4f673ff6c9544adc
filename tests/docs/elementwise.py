# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The elementwise ops stand in ir/ops/Elementwise.def; the tables of documents
that list them are written from there. What is written by hand beside it has an
entry for each of its rows.

  elementwise.py BIN_DIR             fails when a document says something else, or
                                     when an entry is missing
  elementwise.py BIN_DIR --update    writes the documents
"""

import re
import sys

from girih import ROOT, Report

TABLE = "ir/ops/Elementwise.def"
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[(),]|[^"(),]+')
TILE_IR = re.compile(r'TILE_IR\(\w+,\s*\w+,\s*"(\w+)"([^)]*)\)')
OPERANDS = {"Unary": ["source"], "Cast": ["source"], "Binary": ["lhs", "rhs"],
            "Shift": ["lhs", "rhs"], "Compare": ["lhs", "rhs"],
            "Ternary": ["lhs", "rhs", "acc"]}


def columns(text):
    """The columns between the brackets that `text` begins with."""
    out, column, depth = [], "", 0
    for token in TOKEN.findall(text):
        depth += (token == "(") - (token == ")")
        if depth == 0:
            return [*out, column]
        if token == "," and depth == 1:
            out, column = [*out, column], ""
        elif token != "(" or depth > 1:
            column += token
    raise ValueError("a row does not end")


def strings(column):
    """What the strings of a column say, one behind the other."""
    return "".join(s.replace('\\"', '"')
                   for s in re.findall(r'"((?:[^"\\]|\\.)*)"', column))


def rows():
    """By name: shape, elements, the columns of Coq and of Tile IR, meaning."""
    text = (ROOT / TABLE).read_text()
    out = {}
    for at in re.finditer(r'^ELEMENTWISE(?=\()', text, re.M):
        name, shape, elements, _, coq, tile, _, _, meaning = columns(
            text[at.end():])
        out[strings(name)] = (shape.strip(), strings(elements), coq.strip(),
                              tile.strip(), strings(meaning))
    return out


def grouped(pairs):
    """(op, text) to a row for each text, in order of its first op."""
    groups = {}
    for op, text in pairs:
        groups.setdefault(text, []).append(op)
    return groups.items()


def table(head, lines):
    bars = "|---" * (head.count("|") + 1) + "|"
    return "\n".join([f"| {head} |", bars, *lines])


def of_floats(elements):
    return re.search(r"\b(fN|b?f\d)", elements) is not None


def results(floats):
    pairs = [(op, meaning) for op, (_, elements, *_, meaning) in rows().items()
             if of_floats(elements) == floats]
    return table("op | result", [
        f"| {', '.join(f'`{op}`' for op in ops)} | {text} |"
        for text, ops in grouped(pairs)])


def elements():
    pairs = [(op, text) for op, (_, text, *_) in rows().items()]
    return table("op | elements", [
        f"| {' '.join(f'`{op}`' for op in ops)} | {text} |"
        for text, ops in grouped(pairs)])


def attribute_names():
    """Of the names in Encoding.cpp, what the attributes are called."""
    text = (ROOT / "lower/tileir/Encoding.cpp").read_text()
    return dict(re.findall(r'^static const AttrForm (\w+)\{"(\w+)"', text, re.M))


def unfollowed():
    """Ops of Tile IR that lower/readback/README.md has no row of its own for."""
    text = (ROOT / "lower/readback/README.md").read_text()
    by_hand = re.sub(r"<!-- ir/ops.*?<!-- end -->", "", text, flags=re.S)
    known = set(re.findall(r"`(\w+)`", "".join(
        line.split("|")[1] for line in by_hand.splitlines()
        if line.startswith("| `"))))
    names, pairs = attribute_names(), []
    for shape, elements_, _, tile, _ in rows().values():
        own = TILE_IR.match(tile)
        if not own or own[1] in known:
            continue
        parts = OPERANDS[shape] + [names[a] for a in re.findall(r"\w+", own[2])]
        is_float = of_floats(elements_.split(" to ")[-1]) and shape != "Compare"
        pairs.append((own[1], (" ".join(f"`{p}`" for p in parts), is_float)))
    return table("op | part | compared", [
        f"| {' '.join(f'`{op}`' for op in ops)} | {parts} | "
        + ("not followed: a float |" if is_float else "opaque |")
        for (parts, is_float), ops in grouped(pairs)])


TABLES = {
    ("spec/tile.md", "integers"): lambda: results(False),
    ("spec/tile.md", "floats"): lambda: results(True),
    ("spec/tile.md", "elements"): elements,
    ("lower/readback/README.md", "unfollowed"): unfollowed,
}


def by_hand():
    """What is missing in the files that do not come from the table: what file,
    and what it should have."""
    texts = {}

    def lacks(path, entry):
        if path not in texts:
            texts[path] = (ROOT / path).read_text()
        return [] if entry in texts[path] else [(path, entry)]

    out = []
    for name, (_, _, coq, tile, _) in rows().items():
        if coq.startswith("OPAQUE"):
            out += lacks("spec/coq/Opaque.ml", f'"{name}"')
            out += lacks("tests/unit/coq/brute_force.py",
                         f'"{name.split(".")[1]}"')
        own = TILE_IR.match(tile)
        if own:
            out += lacks("lower/readback/Rows.cpp", f'"{own[1]}"')
            out += lacks("tests/tileir/opcodes.py", f'row("{own[1]}"')
            out += lacks("tests/tileir/arithmetic.py", f'"{own[1]}": ')
    return out


def main():
    report = Report()
    for path, entry in by_hand():
        report.check(False, f"{path} lacks {entry} of {TABLE}")
    for (path, name), make in TABLES.items():
        file = ROOT / path
        text = file.read_text()
        block = re.compile(
            rf"(<!-- {TABLE} {name} -->\n\n).*?(\n\n<!-- end -->)", re.S)
        new, count = block.subn(lambda m: m[1] + make() + m[2], text)
        report.check(count == 1, f"{path} has no place for {name}")
        if "--update" in sys.argv:
            file.write_text(new)
        else:
            report.check(new == text, f"{path} differs from {TABLE}: "
                         "tests/docs/elementwise.py BIN_DIR --update")
    report.finish()


if __name__ == "__main__":
    main()
