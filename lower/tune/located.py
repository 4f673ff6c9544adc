# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JSON with the place of every value, for messages that name it.

A value's path is a tuple of keys and indices; places[path] is (line, column),
from 1.
"""

import json
import re

from .errors import Malformed

_SPACE = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None}
MAX_DEPTH = 20  # a space has five


class _Reader:
    def __init__(self, name, text):
        self.name, self.text, self.at, self.places = name, text, 0, {}

    def place(self, at):
        line = self.text.count("\n", 0, at) + 1
        return line, at - self.text.rfind("\n", 0, at)

    def fail(self, message, at=None):
        line, column = self.place(self.at if at is None else at)
        raise Malformed(f"{self.name}:{line}:{column}: error: {message}")

    def skip(self):
        self.at = _SPACE.match(self.text, self.at).end()

    def take(self, mark):
        self.skip()
        if not self.text.startswith(mark, self.at):
            self.fail(f"expected '{mark}'")
        self.at += len(mark)

    def has(self, mark):
        self.skip()
        return self.text.startswith(mark, self.at)

    def string(self):
        self.skip()
        begin = self.at
        if not self.text.startswith('"', begin):
            self.fail("expected a text in double quotes")
        try:
            value, self.at = json.decoder.scanstring(self.text, begin + 1, True)
        except ValueError as error:
            self.fail(f"not a text: {error.args[0].split(':')[0].lower()}",
                      begin)
        return value

    def value(self, path):
        self.skip()
        if len(path) > MAX_DEPTH:
            self.fail(f"nested more than {MAX_DEPTH} deep")
        begin = self.at
        self.places[path] = self.place(begin)
        if self.has("{"):
            return self.members(path)
        if self.has("["):
            return self.elements(path)
        if self.has('"'):
            return self.string()
        for word, value in _WORDS.items():
            if self.text.startswith(word, begin):
                self.at += len(word)
                return value
        number = _NUMBER.match(self.text, begin)
        if not number:
            self.fail("expected a value")
        self.at = number.end()
        try:
            return json.loads(number[0])
        except ValueError:
            self.fail("a number with too many digits", begin)

    def members(self, path):
        found = {}
        self.take("{")
        while not self.has("}"):
            if found:
                self.take(",")
            self.skip()
            begin = self.at
            key = self.string()
            if key in found:
                self.fail(f"'{key}' stands twice", begin)
            self.take(":")
            found[key] = self.value((*path, key))
        self.take("}")
        return found

    def elements(self, path):
        found = []
        self.take("[")
        while not self.has("]"):
            if found:
                self.take(",")
            found.append(self.value((*path, len(found))))
        self.take("]")
        return found


def read(path):
    """The value in a file, and the places of its parts."""
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8")
    except OSError as error:
        raise Malformed(f"{path}: error: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise Malformed(f"{path}: error: not UTF-8 at byte {error.start}"
                        ) from None
    reader = _Reader(path, text)
    value = reader.value(())
    reader.skip()
    if reader.at != len(text):
        reader.fail("something behind the value")
    return value, reader.places
