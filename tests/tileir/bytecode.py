# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads Tile IR bytecode of versions 13.3 and 13.4 into plain data.

Written from the description of the format: what the emitter believes of an op
is not asked. Anything unexpected is a Malformed."""

import dataclasses
import struct

from opcodes import ROWS

MAGIC = b"\x7fTileIR\0"
VERSIONS = [(13, 3, 0), (13, 4, 0)]
PAD = 0xCB
SECTIONS = {1: "string", 2: "func", 3: "debug", 4: "constant", 5: "type"}

# By type tag: the name and the bits of an element.
ELEMENTS = {0: ("i1", 1), 1: ("i8", 8), 2: ("i16", 16), 3: ("i32", 32),
            4: ("i64", 64), 5: ("f16", 16), 6: ("bf16", 16), 7: ("f32", 32),
            8: ("tf32", 32), 9: ("f64", 64), 10: ("f8E4M3FN", 8),
            11: ("f8E5M2", 8), 18: ("f8E8M0FNU", 8), 19: ("f4E2M1FN", 4)}
PADDINGS = ["zero", "neg_zero", "nan", "pos_inf", "neg_inf"]
DYNAMIC = None


class Malformed(Exception):
    pass


def require(condition, why):
    if not condition:
        raise Malformed(why)


@dataclasses.dataclass(frozen=True)
class TileType:
    element: str
    shape: tuple
    pointer: bool = False

    def __str__(self):
        inner = f"ptr<{self.element}>" if self.pointer else self.element
        return f"tile<{'x'.join([*map(str, self.shape), inner])}>"


@dataclasses.dataclass(frozen=True)
class ViewType:
    element: str
    shape: tuple
    strides: tuple


@dataclasses.dataclass(frozen=True)
class PartitionType:
    tile: tuple
    view: ViewType
    axes: tuple
    padding: str | None


@dataclasses.dataclass(frozen=True)
class TokenType:
    pass


@dataclasses.dataclass(frozen=True)
class FunctionType:
    parameters: tuple
    results: tuple


@dataclasses.dataclass
class Region:
    arguments: list
    ops: list


@dataclasses.dataclass
class Op:
    name: str
    results: list   # types
    attributes: dict
    operands: dict  # name -> number, list of numbers, or None
    regions: list


@dataclasses.dataclass
class Function:
    name: str
    parameters: tuple
    hints: dict
    ops: list


class Cursor:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def done(self):
        return self.at == len(self.data)

    def take(self, count):
        require(0 <= count <= len(self.data) - self.at, "data ends early")
        self.at += count
        return self.data[self.at - count:self.at]

    def byte(self):
        return self.take(1)[0]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            require(shift <= 70 and value < 1 << 64, "a varint is too large")
            if byte < 0x80:
                return value

    def signed(self):
        value = self.varint()
        return -(value >> 1) - 1 if value & 1 else value >> 1

    def fixed(self, size):
        return int.from_bytes(self.take(size), "little", signed=True)

    def numbers(self, size):
        return tuple(self.fixed(size) for _ in range(self.varint()))

    def align(self, to):
        while self.at % to:
            require(self.byte() == PAD, "padding is not 0xcb")


def read_table(cursor, width):
    """The items between offsets of `width` bytes."""
    count = cursor.varint()
    cursor.align(width)
    starts = [cursor.fixed(width) for _ in range(count)]
    blob = cursor.data[cursor.at:]
    cursor.at = len(cursor.data)
    ends = [*starts[1:], len(blob)]
    require(all(0 <= a <= b for a, b in zip(starts, ends)),
            "offsets of a table go back")
    return [blob[a:b] for a, b in zip(starts, ends)]


class Types:
    def __init__(self, items, minor):
        self.items, self.known, self.minor = items, {}, minor

    def __getitem__(self, number):
        require(number < len(self.items), f"there is no type {number}")
        if number not in self.known:
            cursor = Cursor(self.items[number])
            self.known[number] = self.read(cursor)
            require(cursor.done(), f"type {number} is too long")
        return self.known[number]

    def read(self, c):
        tag = c.byte()
        if tag in ELEMENTS:
            return ELEMENTS[tag][0]
        if tag in (12, 14) and self.minor >= 4:
            require(c.varint() == 0, "a property of addresses")
        if tag == 12:
            return ("pointer", self[c.varint()])
        if tag == 13:
            inner, shape = self[c.varint()], c.numbers(8)
            require(all(n > 0 and n & (n - 1) == 0 for n in shape),
                    f"a tile of {shape}: no powers of two")
            if isinstance(inner, tuple):
                return TileType(inner[1], shape, True)
            return TileType(inner, shape)
        if tag == 14:
            element = self[c.varint()]
            shape, strides = (
                tuple(DYNAMIC if n == -1 << 63 else n for n in c.numbers(8))
                for _ in range(2))
            require(len(shape) == len(strides), "shape and strides differ")
            require(all(n is DYNAMIC or n > 0 for n in shape + strides),
                    f"a view of {shape}, strides {strides}: not positive")
            return ViewType(element, shape, strides)
        if tag == 15:
            flags, tile, view = c.varint(), c.numbers(4), self[c.varint()]
            axes = c.numbers(4)
            require(flags < 2, "unknown flags of a partition")
            padding = PADDINGS[c.byte()] if flags else None
            require(len(tile) == len(view.shape) and
                    sorted(axes) == list(range(len(tile))),
                    "a partition does not fit its view")
            return PartitionType(tile, view, axes, padding)
        if tag == 16:
            return FunctionType(*(
                tuple(self[c.varint()] for _ in range(c.varint()))
                for _ in range(2)))
        require(tag == 17, f"unknown type tag {tag}")
        return TokenType()


class Reader:
    def __init__(self, data):
        self.sections = self.split(data)
        for name in SECTIONS.values():
            require(name in self.sections, f"there is no section {name}")
        self.strings = read_table(Cursor(self.sections["string"]), 4)
        self.constants = read_table(Cursor(self.sections["constant"]), 8)
        self.minor = data[9]
        self.types = Types(read_table(Cursor(self.sections["type"]), 4),
                           self.minor)

    @staticmethod
    def split(data):
        require(data[:8] == MAGIC, "this is no Tile IR bytecode")
        major, minor, tag = struct.unpack("<BBH", data[8:12])
        require((major, minor, tag) in VERSIONS,
                f"version {major}.{minor}.{tag}")
        sections, c = {}, Cursor(data, 12)
        while True:
            byte = c.byte()
            if byte == 0:
                require(c.done(), "bytes behind the end")
                return sections
            name = SECTIONS.get(byte & 0x7F)
            require(name and name not in sections, f"section {byte & 0x7F}")
            length = c.varint()
            if byte & 0x80:
                c.align(c.varint())
            sections[name] = c.take(length)

    def string(self, number):
        require(number < len(self.strings), f"there is no string {number}")
        return self.strings[number].decode()

    def hints(self, c):
        def entries():
            out = {}
            for _ in range(c.varint()):
                key = self.string(c.varint())
                tag = c.byte()
                if tag == 3:
                    out[key] = bool(c.byte())
                    continue
                require(tag == 1, "a hint is no integer or truth value")
                require(self.types[c.varint()] == "i32", "a hint is no i32")
                out[key] = c.varint()
            return out

        out = {}
        for _ in range(c.varint()):
            target = self.string(c.varint())
            require(c.byte() == 10, "hints of a target are no dictionary")
            out[target] = entries()
        return out

    @staticmethod
    def predicate(c):
        tag = c.byte()
        if tag == 8:
            divisor = c.varint()
            require(c.byte() == 0, "a divisor along an axis")
            return ("div_by", divisor)
        require(tag == 12, f"unknown assumption {tag}")
        flags = c.byte()
        require(flags < 4, "unknown flags of a bound")
        low = c.signed() if flags & 1 else None
        return ("bounded", low, c.signed() if flags & 2 else None)

    def identities(self, c):
        out = []
        for _ in range(c.varint()):
            tag, element = c.byte(), self.types[c.varint()]
            require(tag in (1, 2), "an identity is no number")
            out.append((element, c.signed() if tag == 2 else c.varint()))
        return out

    def attribute(self, c, kind, words):
        if kind in ("enum", "enum?"):
            number = c.byte()
            require(number < len(words), f"no enumerator {number}: {words}")
            return words[number]
        if kind == "hints?":
            return self.hints(c)
        if kind == "integer":
            return c.varint()
        if kind == "integers":
            return c.numbers(4)
        if kind == "truths":
            return c.numbers(1)
        if kind == "string":
            return self.string(c.varint())
        if kind == "predicate":
            return self.predicate(c)
        if kind == "identities":
            return self.identities(c)
        number = c.varint()
        require(number < len(self.constants), f"there is no constant {number}")
        item = Cursor(self.constants[number])
        value = item.take(item.varint())
        require(item.done(), "a constant is too long")
        return value

    def op(self, c, values):
        """Reads one op; its results become values."""
        opcode = c.varint()
        require(opcode in ROWS, f"unknown opcode {opcode}")
        how = ROWS[opcode] if self.minor >= 4 else ROWS[opcode].older()
        count = c.varint() if how.results is None else how.results
        results = [self.types[c.varint()] for _ in range(count)]
        optional = [*how.flags,
                    *(a[0] for a in how.attributes if a[1].endswith("?")),
                    *(o for o in how.operands if o.endswith("?"))]
        flags = c.varint() if optional else 0
        require(flags < 1 << len(optional), f"{how.name}: unknown flags")
        present = {name for bit, name in enumerate(optional)
                   if flags >> bit & 1}
        attributes = {name: name in present for name in how.flags}
        for name, kind, words in how.attributes:
            attributes[name] = (None if kind.endswith("?") and
                                name not in present
                                else self.attribute(c, kind, words))
        operands = self.operands(c, how, present, len(values))
        regions = []
        if how.regions:
            require(c.varint() == how.regions, f"{how.name}: regions")
            regions = [self.region(c, values) for _ in range(how.regions)]
        values.extend(results)
        self.count += 1
        return Op(how.name, results, attributes, operands, regions)

    @staticmethod
    def operands(c, how, present, known):
        def one():
            number = c.varint()
            require(number < known, f"{how.name}: value {number} of {known}")
            return number

        left = c.varint() if how.counted else None
        out = {}
        for name in how.operands:
            bare = name.rstrip("*?")
            if name.endswith("*"):
                out[bare] = [one() for _ in range(c.varint() if left is None
                                                  else left)]
                left = None if left is None else 0
                continue
            out[bare] = one() if bare == name or name in present else None
            if left is not None:
                require(left > 0, f"{how.name}: too few operands")
                left -= 1
        require(not left, f"{how.name}: too many operands")
        return out

    def region(self, c, values):
        require(c.varint() == 1, "a region has several blocks")
        outside = len(values)
        arguments = [self.types[c.varint()] for _ in range(c.varint())]
        values.extend(arguments)
        ops = [self.op(c, values) for _ in range(c.varint())]
        del values[outside:]
        return Region(arguments, ops)

    def functions(self):
        c = Cursor(self.sections["func"])
        out, counts = [], []
        for number in range(c.varint()):
            name, signature = self.string(c.varint()), self.types[c.varint()]
            flags, location = c.byte(), c.varint()
            require(flags in (2, 6), f"{name} is no entry point")
            require(location == number + 1, f"{name}: location {location}")
            require(signature.results == (), f"{name} has results")
            hints = {}
            if flags & 4:
                require(c.byte() == 11, f"{name}: these are no hints")
                hints = self.hints(c)
            body = Cursor(c.take(c.varint()))
            values, ops, self.count = list(signature.parameters), [], 0
            while not body.done():
                ops.append(self.op(body, values))
            counts.append(self.count + 1)
            out.append(Function(name, signature.parameters, hints, ops))
        require(c.done(), "bytes behind the functions")
        self.check_locations(counts)
        return out

    def check_locations(self, counts):
        """One a function and one an op."""
        c = Cursor(self.sections["debug"])
        require(c.varint() == len(counts), "locations of other functions")
        c.align(4)
        at = 0
        for count in counts:
            require(c.fixed(4) == at, "locations are not in order")
            at += count
        require(c.varint() == at, "not one location an op")
        c.align(8)
        numbers = [c.fixed(8) for _ in range(at)]
        attributes = read_table(c, 4)
        places = [self.place(attributes, n) for n in numbers]
        self.places, at = [], 0  # by function: its own place, then those of its ops
        for count in counts:
            self.places.append(places[at:at + count])
            at += count

    def place(self, attributes, number):
        """File, line and column of an attribute of the debug section, or None."""
        if number == 0:
            return None
        require(number <= len(attributes), f"there is no attribute {number}")
        c = Cursor(attributes[number - 1])
        require(c.byte() == 4, "this is no location")
        self.subprogram(attributes, c.varint())
        found = self.string(c.varint()), c.varint(), c.varint()
        require(c.done(), "bytes behind a location")
        return found

    def subprogram(self, attributes, number):
        """Checks what a location stands in."""
        def fields(number, tag, count):
            require(0 < number <= len(attributes), f"there is no attribute {number}")
            c = Cursor(attributes[number - 1])
            require(c.byte() == tag, f"attribute {number} is not of kind {tag}")
            found = [c.varint() for _ in range(count)]
            require(c.done(), "bytes behind an attribute")
            return found

        file, _, name, linkage, unit, _ = fields(number, 5, 6)
        require(self.string(name) == self.string(linkage), "two names of a function")
        require(fields(unit, 1, 1) == [file], "a unit of another file")
        for text in fields(file, 2, 2):
            self.string(text)


def read(data):
    """The functions of a module."""
    return read_placed(data)[0]


def read_placed(data):
    """The functions of a module, and by function its place and those of its ops."""
    try:
        reader = Reader(data)
        return reader.functions(), reader.places
    except (IndexError, UnicodeDecodeError, AttributeError) as e:
        raise Malformed(f"the module cannot be read: {e}") from e
