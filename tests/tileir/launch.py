# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Launches by a manifest: which sizes its contract admits, what is passed, and
what each entry point does with it."""

import math

import numpy as np

import formats
from bytecode import TileType
from machine import Machine
from memory import Block, Fault, Memory

OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b,
             "*": lambda a, b: a * b, "div": lambda a, b: a // b,
             "mod": lambda a, b: a % b, "ceildiv": lambda a, b: -(-a // b),
             "min": min, "max": max}
COMPARISONS = {"==": lambda a, b: a == b, "<": lambda a, b: a < b,
               "<=": lambda a, b: a <= b, ">": lambda a, b: a > b,
               ">=": lambda a, b: a >= b}
MOST_ELEMENTS, MOST_BLOCKS = 1 << 18, 300
MOST_BYTES, MOST_GRID = 1 << 47, (1 << 31) - 1  # of any launch


def evaluate(expression, symbols):
    if isinstance(expression, int):
        return expression
    if "symbol" in expression:
        return symbols[expression["symbol"]]
    return OPERATORS[expression["op"]](
        *(evaluate(e, symbols) for e in expression["args"]))


def holds(conditions, symbols):
    return all(COMPARISONS[c["op"]](*(evaluate(e, symbols) for e in c["args"]))
               for c in conditions)


def chosen(manifest, symbols):
    """The variant that a launch takes, if there is one."""
    return next((v for v in manifest["variants"] if holds(v["when"], symbols)),
                None)


def kernels(manifest):
    """The kernels of a list, each by its name and as a manifest of its own, for
    all launches."""
    found = {}
    for variant in manifest["variants"]:
        found.setdefault(variant["digest"], []).append(variant)
    for entries in found.values():
        # The last entry of a kernel asks for nothing but what the list does.
        skip = len(entries[-1]["when"])
        own = [v | {"when": v["when"][skip:]} for v in entries]
        yield entries[-1]["entry"], manifest | {"variants": own}


def tensors(manifest):
    return [a for a in manifest["arguments"] if a["kind"] == "tensor"]


def layout(tensor, symbols):
    return ([evaluate(d, symbols) for d in tensor["dims"]],
            [evaluate(s, symbols) for s in tensor["strides"]])


def self_overlaps(extents, strides):
    """Whether two elements of a written tensor may be one, as a launcher asks:
    sorted by stride, each axis starts behind the ones below it."""
    axes = sorted((s, n) for n, s in zip(extents, strides) if n > 1)
    end = 1
    for stride, extent in axes:
        if stride < end:
            return True
        end = stride * (extent - 1) + end
    return False


def admits(manifest, symbols, elements=MOST_ELEMENTS, blocks=MOST_BLOCKS):
    """Whether a launch is allowed, and small unless asked for more."""
    variant = manifest["variants"][0]
    try:
        if not holds(variant["requires"], symbols):
            return False
        grid = [evaluate(g, symbols) for g in variant["grid"]]
    except ZeroDivisionError:
        return False
    for symbol in manifest["symbols"]:
        value, type_ = symbols[symbol["name"]], symbol["type"]
        bits = 41 if type_ == "index" else int(type_[1:])
        low = 0 if type_ in ("index", "i1") else -1 << (bits - 1)
        if not low <= value < low + (1 << bits):
            return False
    for tensor in tensors(manifest):
        extents, strides = layout(tensor, symbols)
        size = 1
        for extent, stride in zip(extents, strides):
            size += extent * stride
            bytes_ = extent * stride * formats.SIZES[tensor["dtype"]]
            if extent > 1 << 40 or bytes_ > MOST_BYTES:
                return False
        if size > elements or math.prod(extents) > elements:
            return False
        if 0 not in extents and tensor["mode"] != "shared" and \
                self_overlaps(extents, strides):
            return False
    return min(grid, default=1) >= 0 and math.prod(grid) <= blocks


POOLS = [
    [0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 100, 127, 129],
    [1, 2, 3, 5, 17, 33, 63, 65, 130, 257],
    [16, 32, 64, 128, 256, 512],
    [0, 1, 2, 3],
]


def shapes(manifest, random, count):
    """Sizes that the contract admits: ragged, tiny, empty and even ones, and
    strides of 0; of each kind as long as there are any."""
    names = [s["name"] for s in manifest["symbols"]]
    signed = [s["name"] for s in manifest["symbols"]
              if s["type"] not in ("index", "i1")]
    if not names:
        return [{}]
    extents = [s["name"] for s in manifest["symbols"]
               if s["source"] == "extent"]
    callers = [n for n in names if n not in extents and n not in signed]

    def least(symbols):
        return min((v for n, v in symbols.items() if n not in signed),
                   default=1)

    wanted = [
        lambda s: holds(manifest["variants"][0]["when"], s) and
        least(s) > 0,
        lambda s: least(s) == 0,
        lambda s: not holds(manifest["variants"][0]["when"], s) and
        least(s) > 0,
        lambda s: least(s) > 0,
        lambda s: all(s[n] > 1 for n in extents) and
        any(s[n] == 0 for n in callers),
    ]
    found = []
    for number in range(count):
        want = wanted[number % len(wanted)]
        for attempt in range(400):
            pool = POOLS[(number + attempt) % len(POOLS)]
            symbols = {n: int(random.choice(pool)) for n in names}
            if attempt % 3 == 0:
                symbols[str(random.choice(names))] = int(
                    random.choice(POOLS[attempt % 4]))
            for n in signed:
                symbols[n] = min(symbols[n], 100) * int(random.choice([1, -1]))
            if admits(manifest, symbols) and want(symbols) and \
                    symbols not in found:
                found.append(symbols)
                break
    return found


def refused(manifest, random, count):
    """Sizes that nothing but the clause `requires` forbids."""
    conditions = manifest["variants"][0]["requires"]
    found = []
    for attempt in range(100 if conditions else 0):
        symbols = {s["name"]: int(random.choice(POOLS[attempt % 4]))
                   for s in manifest["symbols"]}
        try:
            if not holds(conditions, symbols):
                found.append(symbols)
        except ZeroDivisionError:
            continue
        if len(found) == count:
            break
    return found


HUGE = [0, 1, 2, 16, 48, 1000, (1 << 31) - 1, 1 << 31, (1 << 31) + 16, 1 << 35,
        1 << 40]


def prologues(manifest, functions, random, count):
    """Assumptions and views of launches that are too large to run."""
    for attempt in range(count):
        symbols = {}
        for s in manifest["symbols"]:
            high = 1 << (41 if s["type"] == "index" else int(s["type"][1:]) - 1)
            symbols[s["name"]] = min(int(random.choice(HUGE)), high - 1)
        if not admits(manifest, symbols, math.inf, MOST_GRID):
            continue
        if any(evaluate(g, symbols) == 0
               for g in manifest["variants"][0]["grid"]):
            continue
        names = [a["name"] for a in manifest["arguments"]]
        bases = {a["name"]: (2 * k + 1) * a.get("align", 1)
                 for k, a in enumerate(manifest["arguments"])}
        for variant in manifest["variants"]:
            if not holds(variant["when"], symbols):
                continue
            passed = parameters(manifest, variant, symbols, bases,
                                dict.fromkeys(names, 1.0))
            try:
                Machine(functions[variant["entry"]], [v for _, v in passed],
                        (0, 0, 0), Block(Memory(random))).prologue()
            except Fault as e:
                raise Fault(f"{variant['entry']} at {symbols}: {e}") from e


class NIBBLES:
    """Numbers of i4, each of which a few lanes hold."""
    min, max = -8, 7


def contents(element, shape, kind, random):
    if element == "i1":
        return random.integers(0, 2, shape).astype(np.bool_)
    if not formats.is_float(element):
        if kind == "special":
            limits = np.iinfo(formats.ARRAYS[element])
            if element == "i4":
                limits = NIBBLES
            values = random.integers(limits.min, limits.max, shape,
                                     formats.ARRAYS[element], True)
            odd = np.array([limits.min, limits.max, 0, -1], values.dtype)
            return np.where(random.random(shape) < 0.3,
                            random.choice(odd, shape), values)
        return random.integers(-4, 5, shape).astype(formats.ARRAYS[element])
    values = (random.integers(-4, 5, shape).astype(np.float64)
              if kind == "integers" else random.standard_normal(shape))
    if kind == "special":
        odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-44,
                        1e30, -1e30, 1.0])
        values = np.where(random.random(shape) < 0.5,
                          random.choice(odd, shape), values)
    return np.asarray(formats.nearest(element, np.asarray(values)))


# Elements that are others once they are lowered.
LOWERED = {"f8E8M0FNU": "i8", "i4": "i8"}


def lowered(element):
    return LOWERED.get(element, element)


def in_memory(element, extents, strides):
    """A layout in what memory is made of: of i4, bytes of two along the last
    axis."""
    if element != "i4":
        return extents, strides
    return ([*extents[:-1], extents[-1] // 2],
            [*(s // 2 for s in strides[:-1]), 1])


def to_memory(element, values):
    if element == "i4":
        codes = np.frombuffer(formats.to_bytes(element, values), np.uint8)
        return formats.pairs(codes.reshape(values.shape)).view(np.int8)
    return formats.reread(element, lowered(element), values)


def from_memory(element, values):
    if element == "i4":
        codes = formats.halves(values.view(np.uint8))
        return formats.from_bytes(element, codes.tobytes()).reshape(codes.shape)
    return formats.reread(lowered(element), element, values)


def parameters(manifest, variant, symbols, bases, scalars):
    """The numbers that the entry point gets, with their types."""
    dtypes = {a["name"]: a["dtype"] for a in manifest["arguments"]}
    out = []
    for p in variant["parameters"]:
        if p["kind"] == "integer":
            out.append((TileType(p["type"], ()),
                        evaluate(p["value"], symbols)))
        elif p["kind"] == "scalar":
            out.append((TileType(dtypes[p["argument"]], ()),
                        scalars[p["argument"]]))
        else:
            out.append((TileType(lowered(dtypes[p["argument"]]), (), True),
                        bases[p["argument"]]))
    return out


def outside(manifest, variant, function, symbols, inputs, random, behind):
    """Runs a block that no launch has: so many behind the end of the grid or,
    without a number, one behind its last axis, which it takes for longer."""
    memory, _, arguments, grid = prepared(manifest, variant, function, symbols,
                                          inputs, random)
    block = grid[-1] if behind is None else int(np.prod(grid)) + behind
    if behind is None:
        # Behind arguments and symbols stand dimensions of the grid.
        first = len(manifest["arguments"]) + len(manifest["symbols"])
        arguments[first:] = [n + 1 for n in arguments[first:]]
    Machine(function, arguments, (block, 0, 0), Block(memory)).run()


def prepared(manifest, variant, function, symbols, inputs, random):
    """Memory with the tensors in it, their numbers, the arguments and the
    grid of a launch."""
    memory = Memory(random)
    numbers, scalars, dtypes = {}, {}, {}
    for argument in manifest["arguments"]:
        name = argument["name"]
        if argument["kind"] == "scalar":
            scalars[name] = inputs[name]
            continue
        dtypes[name] = argument["dtype"]
        extents, strides = in_memory(dtypes[name], *layout(argument, symbols))
        numbers[name] = memory.add(name, lowered(dtypes[name]),
                                   argument["align"], extents, strides,
                                   argument["mode"])
    for name, number in numbers.items():
        if name in inputs:
            memory.write(number, to_memory(dtypes[name], inputs[name]))
    bases = {n: memory.tensors[k][2] for n, k in numbers.items()}
    passed = parameters(manifest, variant, symbols, bases, scalars)
    types = tuple(t for t, _ in passed)
    if types != function.parameters:
        raise Fault(f"entry {function.name} takes "
                    f"{', '.join(map(str, function.parameters))}, the manifest "
                    f"has {', '.join(map(str, types))}")
    return (memory, numbers, [v for _, v in passed],
            [evaluate(g, symbols) for g in variant["grid"]])


def waits(variant):
    """Whether a launch may begin before those before it are done."""
    return any(cubin.get("launch", {}).get("waits", False)
               for cubin in variant["cubins"].values())


def run(manifest, variant, function, symbols, inputs, random):
    """One launch of an entry point. Returns the tensors' final contents and
    what each block touched: {block: {(tensor, kind): [addresses]}}, the memory,
    and the tensors' numbers in it."""
    memory, numbers, arguments, grid = prepared(manifest, variant, function,
                                                symbols, inputs, random)
    touched = {}
    for linear in range(int(np.prod(grid))):
        block = Block(memory)
        where = tuple(int(x) for x in np.unravel_index(linear, grid)) \
            if grid else ()
        try:
            Machine(function, arguments, (linear, 0, 0), block).run()
        except Fault as e:
            raise Fault(f"block {where}: {e}") from e
        if bool(block.grids) != waits(variant) or (block.starts_next and
                                                   not block.grids):
            raise Fault("it does not wait for the grids before as the manifest "
                        "says")
        touched[where] = {
            (name, kind): block.touched(number, kind)
            for name, number in numbers.items()
            for kind in ("load", "store", "atomic")}
    dtypes = {a["name"]: a["dtype"] for a in manifest["arguments"]}
    results = {name: from_memory(dtypes[name], memory.read(number))
               for name, number in numbers.items()}
    return results, touched, memory, numbers
