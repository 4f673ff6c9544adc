# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs one block of a decoded function. Types are checked at every op, nothing
is believed: an assumption that does not hold is a fault, as is every behaviour
that Tile IR leaves undefined."""

import dataclasses
import re

import numpy as np

import arithmetic
import formats
from bytecode import DYNAMIC, PartitionType, TileType, TokenType, ViewType
from memory import Fault

SCALAR_I64 = TileType("i64", ())


@dataclasses.dataclass
class Tile:
    """Elements as a numpy array of the shape; addresses are int64."""
    type: TileType
    data: np.ndarray


@dataclasses.dataclass
class View:
    type: ViewType
    base: int
    shape: tuple
    strides: tuple


@dataclasses.dataclass
class Partition:
    type: PartitionType
    view: View


@dataclasses.dataclass
class Token:
    behind: int
    type: TokenType = TokenType()


class Checked(Fault):
    """The kernel itself found an index out of bounds."""


class Left(Exception):
    """The loop around is left, with what it gives."""

    def __init__(self, values):
        super().__init__("a break outside of a loop")
        self.values = values


def need(condition, why):
    if not condition:
        raise Fault(why)


class Machine:
    """One block: its values in order, and its accesses."""

    def __init__(self, function, arguments, block_id, block):
        self.function, self.block_id, self.block = function, block_id, block
        self.random = block.memory.random
        need(len(arguments) == len(function.parameters), "parameters differ")
        self.values = []
        for type_, number in zip(function.parameters, arguments):
            dtype = (np.int64 if type_.pointer
                     else formats.ARRAYS[type_.element])
            self.values.append(Tile(type_, np.array(number, dtype)))

    def run(self):
        kind, values = self.sequence(self.function.ops)
        need(kind == "return" and not values, "the function does not return")

    def prologue(self):
        """Runs what stands before the first access or branch."""
        before = []
        for op in self.function.ops:
            if op.regions or op.name.endswith("_tko") or op.name == "return":
                break
            before.append(op)
        self.straight(before)

    # Control

    def sequence(self, ops):
        """Runs ops up to their terminator: its name and its operands."""
        need(ops and ops[-1].name in ("break", "continue", "yield", "return"),
             "ops end without a terminator")
        self.straight(ops[:-1])
        return ops[-1].name, [self.values[v]
                              for v in ops[-1].operands["values"]]

    def straight(self, ops):
        for op in ops:
            try:
                results = getattr(self, f"op_{op.name}",
                                  self.plain)(op, **self.inputs(op))
            except Fault as e:
                raise type(e)(f"{op.name}: {e}") from e
            results = results if isinstance(results, list) else [results]
            got = [v.type for v in results]
            if got != op.results:
                raise Fault(f"{op.name} gives {', '.join(map(str, got))}, not "
                            f"{', '.join(map(str, op.results))}")
            self.values.extend(results)

    def inputs(self, op):
        def value(v):
            if isinstance(v, list):
                return [self.values[x] for x in v]
            return None if v is None else self.values[v]

        return {name: value(v) for name, v in op.operands.items()}

    def region(self, region, arguments, *terminators):
        need([v.type for v in arguments] == region.arguments,
             "arguments of a region have other types")
        outside = len(self.values)
        self.values.extend(arguments)
        kind, values = self.sequence(region.ops)
        need(kind in terminators, f"a region ends by {kind}")
        del self.values[outside:]
        if kind == "break":
            raise Left(values)
        return values

    def op_for(self, op, lower, upper, step, init):
        type_ = lower.type
        need(type_.shape == () and type_.element[0] == "i" and
             upper.type == step.type == type_, "bounds are of several types")
        need(not op.attributes["unsigned"], "unsigned loops are not expected")
        low, high, by = (int(v.data) for v in (lower, upper, step))
        need(by > 0, f"a step of {by}")
        for counter in range(low, high, by):
            counter = Tile(type_, np.array(counter, lower.data.dtype))
            init = self.region(op.regions[0], [counter, *init], "continue")
            need([v.type for v in init] == op.results,
                 "continue hands on other types")
        return init

    def op_if(self, op, condition):
        need(condition.type == TileType("i1", ()), "the condition is no i1")
        return self.region(op.regions[0 if condition.data else 1], [], "yield",
                           "break")

    def op_loop(self, op, init):
        outside = len(self.values)
        while True:
            try:
                init = self.region(op.regions[0], init, "continue")
            except Left as left:
                del self.values[outside:]
                return left.values

    def op_reduce(self, op, values):
        need(len(values) == 1, "one operand is expected")
        source, axis = values[0], op.attributes["axis"]
        shape, element = source.type.shape, source.type.element
        need(axis < len(shape), f"there is no axis {axis}")
        scalar = TileType(element, ())
        [(of, bits)] = op.attributes["identities"]
        need(of == element, "the identity is of another type")
        raw = (bits & (1 << 64) - 1).to_bytes(8, "little")
        start = formats.from_bytes(element, raw[:formats.SIZES[element]])[0]
        lines = np.moveaxis(source.data, axis, 0).reshape(shape[axis], -1)
        rest = shape[:axis] + shape[axis + 1:]
        region = op.regions[0]
        need(region.arguments == [scalar, scalar], "the region's arguments")
        # In any order, pair by pair, and all pairs of all lines as one tile: the
        # region is made of ops on lanes.
        lanes = np.concatenate([np.full((1, lines.shape[1]), start,
                                        lines.dtype), lines])
        lanes = lanes[self.random.permutation(len(lanes))]
        while len(lanes) > 1:
            half = len(lanes) // 2
            pairs = self.combine(region, lanes[:half].reshape(-1),
                                 lanes[half:2 * half].reshape(-1), element)
            lanes = np.concatenate([pairs.reshape(half, -1), lanes[2 * half:]])
        return Tile(TileType(element, rest), lanes.reshape(rest))

    def op_scan(self, op, values):
        need(len(values) == 1, "one operand is expected")
        source, axis = values[0], op.attributes["axis"]
        element = source.type.element
        need(axis < len(source.type.shape), f"there is no axis {axis}")
        [(of, _)] = op.attributes["identities"]
        need(of == element, "the identity is of another type")
        lines = np.moveaxis(source.data, axis, 0)
        shape, lines = lines.shape, lines.reshape(lines.shape[0], -1)
        out, order = np.empty_like(lines), range(len(lines))
        sofar = None
        for lane in (order if op.attributes["direction"] == "forward" else
                     reversed(order)):
            sofar = (lines[lane] if sofar is None else
                     self.combine(op.regions[0], sofar, lines[lane], element))
            out[lane] = sofar
        return Tile(source.type, np.moveaxis(out.reshape(shape), 0, axis))

    def combine(self, region, x, y, element):
        """A region on scalars, on every lane of two lines."""
        scalar = TileType(element, ())
        outside = len(self.values)
        self.values.extend([Tile(scalar, x), Tile(scalar, y)])
        kind, values = self.sequence(region.ops)
        del self.values[outside:]
        need(kind == "yield" and len(values) == 1 and
             values[0].type == scalar, "the region yields something else")
        return values[0].data

    # Values

    def plain(self, op, **operands):
        """An op on lanes."""
        make = arithmetic.OPS.get(op.name)
        need(make, "has no meaning here")
        tiles = list(operands.values())
        [result] = op.results
        need(isinstance(result, TileType) and not result.pointer,
             "the result is no tile of numbers")
        for tile in tiles:
            need(isinstance(tile, Tile) and not tile.type.pointer and
                 tile.type.shape == result.shape,
                 "operands have other shapes")
        try:
            data = make(op.attributes, result.element,
                        *((t.type.element, t.data) for t in tiles))
        except (NotImplementedError, arithmetic.Undefined) as e:
            raise Fault(str(e)) from e
        return Tile(result, data)

    def op_select(self, op, condition, x, y):
        need(x.type == y.type and
             condition.type == TileType("i1", x.type.shape), "types differ")
        return Tile(x.type, np.where(condition.data, x.data, y.data))

    def op_constant(self, op):
        [type_] = op.results
        count = int(np.prod(type_.shape, dtype=np.int64))
        data = formats.constant(type_.element, op.attributes["value"], count)
        need(data is not None, "a constant of another size")
        return Tile(type_, data.reshape(type_.shape))

    def op_iota(self, op):
        [type_] = op.results
        return Tile(type_, np.arange(type_.shape[0]).astype(
            formats.ARRAYS[type_.element]).reshape(type_.shape))

    def op_broadcast(self, op, x):
        [type_] = op.results
        need(len(type_.shape) == len(x.type.shape) and
             all(a in (1, b) for a, b in zip(x.type.shape, type_.shape)),
             f"{x.type} to {type_}")
        return Tile(dataclasses.replace(x.type, shape=type_.shape),
                    np.broadcast_to(x.data, type_.shape))

    def op_reshape(self, op, x):
        [type_] = op.results
        need(np.prod(type_.shape, dtype=np.int64) == x.data.size,
             f"{x.type} to {type_}")
        return Tile(dataclasses.replace(x.type, shape=type_.shape),
                    x.data.reshape(type_.shape))

    def op_permute(self, op, x):
        by = op.attributes["permutation"]
        need(sorted(by) == list(range(x.data.ndim)), f"permutation {by}")
        data = np.transpose(x.data, by)
        return Tile(dataclasses.replace(x.type, shape=data.shape), data)

    def op_extract(self, op, x, index):
        [type_] = op.results
        need(all(i.type == TileType("i32", ()) for i in index),
             "a number of a part is no i32")
        need(len(index) == len(type_.shape) == len(x.type.shape),
             f"{x.type} to {type_} by {len(index)} numbers")
        part = []
        for i, size, whole in zip(index, type_.shape, x.type.shape):
            first = int(i.data) * size
            need(whole % size == 0 and 0 <= first < whole,
                 f"part {int(i.data)} of {size} of {whole}")
            part.append(slice(first, first + size))
        return Tile(dataclasses.replace(x.type, shape=type_.shape),
                    x.data[tuple(part)])

    def op_cat(self, op, x, y):
        axis = op.attributes["axis"]
        need(x.type == y.type and axis < len(x.type.shape), "types differ")
        data = np.concatenate([x.data, y.data], axis)
        return Tile(dataclasses.replace(x.type, shape=data.shape), data)

    def product(self, x, y, z):
        need(len(x.type.shape) == len(y.type.shape) == 2 and
             x.type.shape[1] == y.type.shape[0] and
             z.type.shape == (x.type.shape[0], y.type.shape[1]),
             "shapes do not fit")
        need(x.type.element == y.type.element, "factors differ")

    def op_mmaf(self, op, x, y, z):
        self.product(x, y, z)
        need(not op.attributes["fast_acc"],
             "the sum has fewer digits than its type")
        with np.errstate(all="ignore"):
            exact = x.data.astype(np.float64) @ y.data.astype(np.float64)
            if x.type.element in formats.SMALL:
                exact = formats.cut_off(13, exact)  # as sm_90 does
            return Tile(z.type, formats.nearest(z.type.element,
                                                exact + z.data))

    def op_mmaf_scaled(self, op, x, y, z, x_scale, y_scale):
        self.product(x, y, z)
        scale = x_scale.type.element
        need(scale == y_scale.type.element and z.type.element == "f32", "types")
        rows, columns = x_scale.type.shape[0], y_scale.type.shape[1]
        blocks, depth = x_scale.type.shape[1], x.type.shape[1]
        need((rows, columns) == z.type.shape and
             y_scale.type.shape[0] == blocks, "scales do not fit")
        need((x.type.element, scale, depth // blocks) in
             [("f4E2M1FN", "f8E8M0FNU", 16), ("f4E2M1FN", "f8E8M0FNU", 32),
              ("f4E2M1FN", "f8E4M3FN", 16), ("f8E4M3FN", "f8E8M0FNU", 32),
              ("f8E5M2", "f8E8M0FNU", 32)], "types")
        need(not np.signbit(x_scale.data).any() and
             not np.signbit(y_scale.data).any(), "a scale has a sign")
        with np.errstate(all="ignore"):
            factors = [t.data.astype(np.float64) *
                       np.repeat(s.data.astype(np.float64), depth // blocks, axis)
                       for t, s, axis in ((x, x_scale, 1), (y, y_scale, 0))]
            return Tile(z.type, formats.nearest(
                "f32", factors[0] @ factors[1] + z.data))

    def op_mmai(self, op, x, y, z):
        """The sum may saturate: one that leaves i32 has no value."""
        self.product(x, y, z)
        need(x.type.element == "i8" and z.type.element == "i32", "types")
        factors = [t.data if op.attributes[f"sign_{n}"] == "signed"
                   else t.data.view(np.uint8) for n, t in (("x", x), ("y", y))]
        total = factors[0].astype(np.int64) @ factors[1].astype(np.int64)
        total += z.data
        need((np.abs(total) < 1 << 31).all(), "a sum that leaves i32")
        return Tile(z.type, total.astype(np.int32))

    def op_get_tile_block_id(self, op):
        return [Tile(TileType("i32", ()), np.array(n, np.int32))
                for n in self.block_id]

    def op_assume(self, op, x):
        kind, *numbers = op.attributes["that"]
        data = x.data.astype(np.int64)
        if kind == "div_by":
            good = (data % numbers[0] == 0).all()
        else:
            need(not x.type.pointer, "a bound of an address")
            low, high = numbers
            good = ((low is None or (data >= low).all()) and
                    (high is None or (data <= high).all()))
        need(good, f"{kind} {numbers} does not hold of {x.data}")
        return x

    def op_assert(self, op, condition):
        need(condition.type.element == "i1", "the condition is no i1")
        if not condition.data.all():
            raise Checked(op.attributes["message"])
        return []

    def op_print_tko(self, op, values, token):
        """What it prints is looked at by nobody; that it may print it is."""
        kinds = {"d": ["i32"], "lld": ["i64"], "g": ["f32", "f64"]}
        directives = re.findall("%(%|[a-z]*?[dg])", op.attributes["text"])
        asked = [d for d in directives if d != "%"]
        need(len(asked) == len(values) and
             all(v.type.element in kinds.get(d, [])
                 for d, v in zip(asked, values)),
             f"{op.attributes['text']} of other values")
        return Token(token.behind if token else 0)

    # Memory

    def op_make_token(self, op):
        return Token(0)

    def op_gdc_launch_dependents_tko(self, op, token):
        self.block.starts_next = True
        return Token(token.behind if token else 0)

    def op_gdc_wait_tko(self, op, token):
        return Token((token.behind if token else 0) | self.block.wait())

    def op_join_tokens(self, op, tokens):
        need(tokens, "no tokens")
        behind = 0
        for token in tokens:
            behind |= token.behind
        return Token(behind)

    def op_make_tensor_view(self, op, base, shape, strides):
        [type_] = op.results
        need(base.type == TileType(type_.element, (), True),
             "the base is no address of an element")
        for v in shape + strides:
            need(v.type in (SCALAR_I64, TileType("i32", ())),
                 "a size is no integer")

        def sizes(static, dynamic):
            need(static.count(DYNAMIC) == len(dynamic), "sizes are missing")
            dynamic = iter(dynamic)
            out = tuple(int(next(dynamic).data) if n is DYNAMIC else n
                        for n in static)
            need(all(n > 0 for n in out), f"sizes {out} of a view")
            return out

        return View(type_, int(base.data), sizes(type_.shape, shape),
                    sizes(type_.strides, strides))

    def op_make_partition_view(self, op, view):
        [type_] = op.results
        need(type_.view == view.type, "the view has another type")
        return Partition(type_, view)

    def place(self, partition, index, marks=None):
        """Addresses of a tile's lanes and which of them the view has."""
        type_, view = partition.type, partition.view
        need(len(index) == len(type_.tile), "indices do not fit the rank")
        address = np.zeros((), np.int64)
        inside = np.ones((), bool)
        last = 0
        for k, axis in enumerate(type_.axes):
            tile, extent = type_.tile[k], view.shape[axis]
            need(index[k].type == index[0].type and
                 index[k].type in (SCALAR_I64, TileType("i32", ())),
                 "an index is no integer")
            at = int(index[k].data)
            need(0 <= at < -(-extent // tile),
                 f"index {at} on axis {k} of {-(-extent // tile)} tiles")
            lanes = at * tile + np.arange(tile)
            last += (min(at * tile + tile, extent) - 1) * view.strides[axis]
            address = address[..., None] + lanes * view.strides[axis]
            inside = inside[..., None] & (lanes < extent)
            need(not marks or not marks[k] or lanes[-1] < extent,
                 f"lanes outside on axis {k}, which is marked as inside")
        need(last < 1 << 63, "an offset leaves 63 bits")
        return view.base + address * formats.SIZES[type_.view.element], inside

    @staticmethod
    def how(op, token):
        """Order and scope, and the events behind the token."""
        need(token is None or isinstance(token, Token), "this is no token")
        return ((op.attributes["order"], op.attributes["scope"]),
                token.behind if token else 0)

    def loaded(self, addresses, inside, element, fill, how):
        data = np.broadcast_to(fill, inside.shape).copy()
        values, behind = self.block.load(addresses[inside], element, *how)
        data[inside] = values
        return [Tile(TileType(element, inside.shape), data), Token(behind)]

    def noise(self, element, shape):
        """What a lane may hold of which nothing is known."""
        count = int(np.prod(shape, dtype=np.int64))
        raw = self.random.integers(0, 256, count * formats.SIZES[element])
        return formats.from_bytes(
            element, raw.astype(np.uint8).tobytes()).reshape(shape)

    def op_load_view_tko(self, op, view, index, token):
        addresses, inside = self.place(view, index,
                                       op.attributes.get("inside"))
        element, name = view.type.view.element, view.type.padding
        fill = (self.noise(element, inside.shape) if name is None
                else formats.padding(element, name))
        need(fill is not None, f"padding {name} of {element}")
        return self.loaded(addresses, inside, element,
                           np.asarray(fill, formats.ARRAYS[element]),
                           self.how(op, token))

    def op_store_view_tko(self, op, value, view, index, token):
        addresses, inside = self.place(view, index,
                                       op.attributes.get("inside"))
        element = view.type.view.element
        need(value.type == TileType(element, inside.shape),
             f"{value.type} in a partition of {view.type.tile} {element}")
        return Token(self.block.store(addresses[inside], element,
                                      value.data[inside],
                                      *self.how(op, token)))

    def op_atomic_red_view_tko(self, op, view, index, value, token):
        addresses, inside = self.place(view, index)
        element = view.type.view.element
        need(value.type == TileType(element, inside.shape) and
             view.type.padding is None,
             f"{value.type} in a partition of {view.type.tile} {element}")
        if np.unique(addresses[inside]).size != inside.sum():
            raise Fault("an atomic of two lanes of a tile on one element")
        return Token(self.block.atomic(addresses[inside], element,
                                       value.data[inside],
                                       op.attributes["mode"],
                                       *self.how(op, token)))

    def op_offset(self, op, pointers, offset):
        need(pointers.type.pointer and
             pointers.type.shape == offset.type.shape, "types differ")
        size = formats.SIZES[pointers.type.element]
        with np.errstate(all="ignore"):
            # Lanes behind a mask may lie anywhere.
            return Tile(pointers.type,
                        pointers.data + offset.data.astype(np.int64) * size)

    def op_load_ptr_tko(self, op, pointers, mask, padding, token):
        element, shape = pointers.type.element, pointers.type.shape
        need(pointers.type.pointer, "these are no addresses")
        inside = np.ones(shape, bool) if mask is None else mask.data
        fill = self.noise(element, shape) if padding is None else padding.data
        need(mask is None or mask.type == TileType("i1", shape), "mask")
        need(padding is None or padding.type == TileType(element, shape),
             "padding")
        return self.loaded(pointers.data, inside, element, fill,
                           self.how(op, token))

    def op_store_ptr_tko(self, op, pointers, value, mask, token):
        element, shape = pointers.type.element, pointers.type.shape
        need(pointers.type.pointer and value.type == TileType(element, shape),
             f"{value.type} at {pointers.type}")
        need(mask is None or mask.type == TileType("i1", shape), "mask")
        inside = np.ones(shape, bool) if mask is None else mask.data
        return Token(self.block.store(pointers.data[inside], element,
                                      value.data[inside],
                                      *self.how(op, token)))

    def op_atomic_rmw_tko(self, op, pointers, value, mask, token):
        element, shape = pointers.type.element, pointers.type.shape
        need(pointers.type.pointer and value.type == TileType(element, shape),
             f"{value.type} at {pointers.type}")
        need(mask is None or mask.type == TileType("i1", shape), "mask")
        inside = np.ones(shape, bool) if mask is None else mask.data
        behind = self.block.atomic(pointers.data[inside], element,
                                   value.data[inside], op.attributes["mode"],
                                   *self.how(op, token))
        # No kernel asks for what was there.
        return [Tile(TileType(element, shape), self.noise(element, shape)),
                Token(behind)]
