# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a module of Tile IR computes, apart from the order of ops that do not depend
on each other: two modules with the same digest differ in that order alone, in how
often they say the same thing, in which block constants and widened values stand, and in
what nobody uses."""

import collections
import hashlib
import re

VALUE = re.compile(r"%\d+")
PURE = re.compile(r"(%[\d, %]+) = (?!load|store|atomic|for|if|loop)\w+ [^{]*$")
# What takes elements or lanes to a wider type leaves loops: such ops count where they are
# used, wherever they stand.
MOVES = re.compile(r"(broadcast|constant|ftof|reshape) ")


def digest(text):
    """Of the text that `tile-compile --dump=module` prints."""
    entries = [[]]
    for line in text.splitlines():
        if line.startswith("entry "):
            entries.append([])
        if line.strip():
            entries[-1].append(line.strip())
    return Reader(sum(map(used, entries), [])).block({}, "")


def used(lines):
    """An entry without ops on values whose results nobody takes."""
    while True:
        uses = collections.Counter(v for line in lines for v in set(VALUE.findall(line)))
        kept = [line for line in lines if not (
            (op := PURE.match(line)) and
            all(uses[v] == 1 for v in VALUE.findall(op[1])))]
        if len(kept) == len(lines):
            return lines
        lines = kept


def short(text):
    return hashlib.sha256(text.encode()).hexdigest()[:24]


class Reader:
    def __init__(self, lines):
        self.lines = lines
        self.at = 0

    def block(self, outer, place):
        """A block's digest: its ops as a set, each by what it is made of."""
        values, ops = dict(outer), set()
        while self.at < len(self.lines):
            line = self.lines[self.at]
            if line.startswith("}"):
                break
            self.at += 1
            results, equals, rest = line.partition(" = ")
            if not equals or not results.startswith("%"):
                results, rest = "", line
            inner = ""
            if rest.endswith("{") or re.search(r"\{ \([^)]*\)$", rest):
                inner = self.regions(rest, values, place + "/" + str(len(ops)))
                # Arguments of the block are named by their position.
                rest = re.sub(r"\{ \(.*\)$", "{", rest)
            name = short(VALUE.sub(lambda m: values.get(m[0], "?"), rest) + inner)
            if not MOVES.match(rest):
                ops.add(name)
            for n, result in enumerate(VALUE.findall(results)):
                values[result] = f"<{name}.{n}>"
        return short("\n".join(sorted(ops)))

    def regions(self, head, values, place):
        text = ""
        while True:
            scope = dict(values)
            begin = head.rfind("{")
            for n, argument in enumerate(VALUE.findall(head[begin:])):
                scope[argument] = f"<{place.count('/')}.{n}>"
            text += "{" + self.block(scope, place) + "}"
            head = self.lines[self.at]
            self.at += 1
            if not head.endswith("{") and not re.search(r"\{ \([^)]*\)$", head):
                return text + head
