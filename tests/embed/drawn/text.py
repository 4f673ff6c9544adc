# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as dialect text, by spec/tile.md and ir/embed/README.md alone: what C++
variables carry and merge, and what is never used and so not printed, is worked out here
once more, in another way than the recorder's."""

import re

from data import (E, FLOATS, INTEGERS, Tensor, assigned, element_name, expressions,
                  symbols_of, tile_shape, walk)

ARITHMETIC = {"+": "add", "-": "sub", "*": "mul", "/": "div", "%": "rem"}
BITS = {"&": "andi", "|": "ori", "^": "xori"}
ORDERED = {"==": "oeq", "!=": "une", "<": "olt", "<=": "ole", ">": "ogt", ">=": "oge"}
SIGNED = {"==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge"}
SYMBOLIC = {"+": "addi", "-": "subi", "*": "muli", "div": "divsi", "mod": "remsi",
            "ceildiv": "ceildivsi", "min": "minsi", "max": "maxsi"}


def type_text(t):
    element = {"idx": "index", "bool": "i1"}.get(t[0], t[0])
    return f"vector<{'x'.join(map(str, t[1]))}x{element}>" if t[1] else element


def extent_text(e, outer=False):
    if not isinstance(e, tuple):
        return str(e)
    x, y = extent_text(e[1]), extent_text(e[2])
    if e[0] in "+-*":
        return f"{x} {e[0]} {y}" if outer else f"({x} {e[0]} {y})"
    return f"{e[0]}({x}, {y})"


class Value:
    def __init__(self, text, op=None):
        self.text, self.op, self.name, self.block, self.number = text, op, "", None, 0


class Op:
    """An op with what it is printed as: strings and values; or a for, or an if."""
    def __init__(self, parts, stays=False):
        self.parts, self.stays, self.results = parts, stays, []
        self.regions = []  # [ops, arguments, yields]
        self.inits, self.keeps, self.is_live = [], [], False


class Printer:
    def __init__(self, kernel):
        self.kernel = kernel
        self.aliases, self.top, self.count = {}, {}, 0
        self.ops, self.env, self.trips = [], {}, {}
        self.tensors, self.symbols = {}, []

    #===-- Ops -----------------------------------------------------------------===#

    def alias(self, text):
        return self.aliases.setdefault(text, f"!T{len(self.aliases)}")

    def emit(self, parts, type, stays=False):
        op = Op(parts, stays)
        self.ops.append(op)
        return self.result(op, type)

    def result(self, op, type):
        v = Value(type, op)
        v.number = len(op.results)
        op.results.append(v)
        return v

    def hoist(self, order, parts, type):
        """Holds for all of the body, and is said once, at its top."""
        key = (order,) + tuple(id(p) if isinstance(p, Value) else p for p in parts)
        if key not in self.top:
            op = Op(parts)
            self.top[key] = op
            self.result(op, type)
        return self.top[key].results[0]

    def constant(self, t, number):
        element = t[0]
        if element == "bool":
            text = "true" if number else "false"
        elif element in FLOATS:
            text = repr(float(number))
        else:
            text = str(int(number))
        if t[1]:
            text = f"dense<{text}>"
        suffix = "" if t == ("bool", ()) else f" : {type_text(t)}"
        return self.hoist(0, [f"arith.constant {text}{suffix}"], type_text(t))

    def widened(self, v, t, to):
        """Elements first, then lanes."""
        if t[0] != to[0]:
            wide = (to[0], t[1])
            v = self.emit(["arith.extf ", v, f" : {type_text(t)} to {type_text(wide)}"],
                          type_text(wide))
            t = wide
        if t[1] != to[1]:
            v = self.emit(["vector.broadcast ", v,
                           f" : {type_text(t)} to {type_text(to)}"], type_text(to))
        return v

    #===-- Tensors -------------------------------------------------------------===#

    def body_of(self, t):
        extents = ", ".join("?" if e is None else str(e) for e in t.extents)
        return f"[{extents}] x {t.element}, {t.mode}"

    def tensor_type(self, t):
        return self.alias(f"!tile.tensor<{self.body_of(t)}>")

    def partition(self, t, by):
        by_text = ", ".join(str(n) if n else "_" for n in by)
        type = self.alias(f"!tile.partition<[{by_text}], {self.body_of(t)}>")
        parts = ["tile.partition ", self.tensors[t.name],
                 f" by [{by_text}] : {self.tensor_type(t)}"]
        return (self.emit(parts, type) if t.is_view else self.hoist(3, parts, type)), type

    def num_tiles(self, t, by, axis):
        p, type = self.partition(t, by)
        parts = ["tile.num_tiles ", p, f", {axis} : {type}"]
        return self.emit(parts, "index") if t.is_view else self.hoist(4, parts, "index")

    def indices(self, indices):
        parts = ["["]
        for k, e in enumerate(indices):
            parts += [", "] * (k > 0) + [self.operand(e, ("idx", ()))]
        return parts + ["]"]

    def piece_type(self, t, by):
        by_text = ", ".join(str(n) if n else "_" for n in by)
        mode = t.mode.replace(" partial", "")
        return self.alias(f"!tile.piece<[{by_text}] x {t.element}, {mode}>")

    def claim(self, t, by, indices):
        p, type = self.partition(t, by)
        piece = self.piece_type(t, by)
        at = self.indices(indices)
        return self.emit(["tile.claim ", p] + at + [f" : {type}"], piece, True), piece

    #===-- Symbols -------------------------------------------------------------===#

    def symbolic(self, e):
        if isinstance(e, int):
            return self.constant(("idx", ()), e)
        if isinstance(e, str):
            v = self.hoist(2, [f'tile.symbol "{e}" : index'], "index")
            self.symbols.append((e, v.op))
            return v
        # Where an argument is partitioned so, the number of its tiles.
        if e[0] == "ceildiv" and (e[1], e[2]) in self.counts:
            return self.num_tiles(*self.counts[e[1], e[2]])
        x, y = self.symbolic(e[1]), self.symbolic(e[2])
        return self.emit([f"arith.{SYMBOLIC[e[0]]} ", x, ", ", y, " : index"], "index")

    def find_counts(self):
        """By (extent, tile), the first argument that has such tiles, by the first way
        in which it is partitioned."""
        self.counts, found = {}, []
        order = [a.name for a in self.kernel.arguments if isinstance(a, Tensor)]
        uses = [(s[1], s[2] if s[2] is not None else
                 (0,) * (len(s[1].extents) - len(s[4].type[1])) + s[4].type[1])
                for s in walk(self.kernel.body) if s[0] in ("store", "update", "atomic")]
        uses += [(e.x[0], e.x[1]) for e in expressions(self.kernel.body)
                 if e.op in ("load", "tiles", "inside")]
        for t, by in uses:
            if not t.is_view:
                text = ", ".join(str(n) if n else "_" for n in by)
                found.append((order.index(t.name), f" by [{text}]", t, by))
        for _, _, t, by in sorted(found, key=lambda f: f[:2]):
            for axis, (extent, tile) in enumerate(zip(t.extents, by)):
                self.counts.setdefault((extent, tile or 1), (t, by, axis))

    #===-- Expressions ---------------------------------------------------------===#

    def value(self, e):
        return getattr(self, "on_" + e.op)(e)

    def operand(self, e, to):
        if e.op == "number":
            return self.constant(to, e.x[0])
        if e.op == "trip":
            return self.constant(to, self.trips[e.x[0]])
        if e.op == "symbolic":
            return self.widened(self.symbolic(e.x[0]), ("idx", ()), to)
        return self.widened(self.value(e), e.type, to)

    def on_var(self, e):
        return self.env[element_name(e.x[0], self.trips)]

    def on_fill(self, e):
        return self.constant(e.type, e.x[0])

    def on_trip(self, e):
        return self.constant(("idx", ()), self.trips[e.x[0]])

    def on_symbolic(self, e):
        return self.symbolic(e.x[0])

    def on_iota(self, e):
        return self.hoist(1, [f"tile.iota {e.x[0]} : {type_text(e.type)}"],
                          type_text(e.type))

    def simple(self, op, e, flags=""):
        parts = [op + " "]
        for k, a in enumerate(e.args):
            parts += [", "] * (k > 0) + [self.operand(a, e.type)]
        return self.emit(parts + [f"{flags} : {type_text(e.type)}"], type_text(e.type))

    def on_binary(self, e):
        sign, t = e.x[0], e.type
        if sign in BITS:
            return self.simple("arith." + BITS[sign], e)
        word = ARITHMETIC[sign]
        kind = "f" if t[0] in FLOATS else "si" if sign in "/%" else "i"
        return self.simple(f"arith.{word}{kind}", e)

    def on_negate(self, e):
        if e.type[0] in FLOATS:
            return self.simple("arith.negf", e)
        zero = self.constant(e.type, 0)
        x = self.value(e.args[0])
        return self.emit(["arith.subi ", zero, ", ", x, f" : {type_text(e.type)}"],
                         type_text(e.type))

    def on_invert(self, e):
        x = self.value(e.args[0])
        ones = self.constant(e.type, 1 if e.type[0] == "bool" else -1)
        return self.emit(["arith.xori ", x, ", ", ones, f" : {type_text(e.type)}"],
                         type_text(e.type))

    def on_shift(self, e):
        op = {"<<": "shli", ">>": "shrsi", "shiftRight": "shrui"}[e.x[0]]
        x, by = self.value(e.args[0]), self.constant(e.type, e.x[1])
        return self.emit([f"arith.{op} ", x, ", ", by, f" : {type_text(e.type)}"],
                         type_text(e.type))

    def on_function(self, e):
        f, is_float = e.x[0], e.type[0] in FLOATS
        ops = {"max": "arith.maximumf" if is_float else "arith.maxsi",
               "min": "arith.minimumf" if is_float else "arith.minsi",
               "abs": "math.absf" if is_float else "math.absi",
               "maxnum": "arith.maxnumf", "minnum": "arith.minnumf",
               "umax": "arith.maxui", "umin": "arith.minui", "pow": "math.powf",
               "mulhi": "tile.mulhi", "ceildiv": "arith.ceildivsi"}
        return self.simple(ops.get(f, "math." + f), e)

    def on_compare(self, e):
        sign, of = e.x[0], e.x[1]
        parts = ["arith.cmpf " + ORDERED[sign] if of[0] in FLOATS
                 else "arith.cmpi " + SIGNED[sign]]
        for a in e.args:
            parts += [", ", self.operand(a, of)]
        return self.emit(parts + [f" : {type_text(of)}"], type_text(e.type))

    def on_where(self, e):
        mask, x, y = e.args
        lanes = ("bool", e.type[1] if mask.type[1] else ())
        m = self.operand(mask, lanes)
        x, y = self.operand(x, e.type), self.operand(y, e.type)
        types = f"{type_text(lanes)}, " if lanes[1] else ""
        return self.emit(["arith.select ", m, ", ", x, ", ", y,
                          f" : {types}{type_text(e.type)}"], type_text(e.type))

    def on_to(self, e):
        (a,), (old, new) = e.args, (e.args[0].type[0], e.type[0])
        v = self.value(a)
        if old == new:
            return v
        def bits(x):
            return 1 if x == "bool" else FLOATS.get(x) or INTEGERS.get(x)
        if "idx" in (old, new):
            op = "arith.index_cast"
        elif old in FLOATS and new in FLOATS:
            op = "arith.extf" if bits(new) > bits(old) else "arith.truncf"
        elif new in FLOATS:
            op = "arith.uitofp" if old == "bool" else "arith.sitofp"
        elif old in FLOATS:
            op = "arith.fptosi"
        elif bits(new) < bits(old):
            op = "arith.trunci"
        else:
            op = "arith.extui" if old == "bool" else "arith.extsi"
        return self.emit([op + " ", v, f" : {type_text(a.type)} to {type_text(e.type)}"],
                         type_text(e.type))

    def recast(self, op, e, middle=""):
        a, = e.args
        return self.emit([op + " ", self.value(a), middle +
                          f" : {type_text(a.type)} to {type_text(e.type)}"],
                         type_text(e.type))

    def on_bitcast(self, e):
        return self.recast("arith.bitcast", e)

    def on_reshape(self, e):
        return self.recast("vector.shape_cast", e)

    def on_permute(self, e):
        return self.recast("vector.transpose", e, f", {list(e.x[0])}")

    def on_extract(self, e):
        return self.recast("tile.extract", e, str(list(e.x[0])))

    def on_broadcast(self, e):
        return self.operand(e.args[0], e.type)

    def on_cat(self, e):
        x, y = (self.value(a) for a in e.args)
        return self.emit(["tile.cat ", x, ", ", y,
                          f", {e.x[0]} : {type_text(e.args[0].type)}"],
                         type_text(e.type))

    def on_reduce(self, e):
        op, axis, keep = e.x
        words = {"sum": "tile.reduce add", "prod": "tile.reduce mul",
                 "max": "tile.reduce max", "min": "tile.reduce min",
                 "argmax": "tile.argmax", "argmin": "tile.argmin"}
        a, = e.args
        return self.emit([words[op] + " ", self.value(a), f", {axis}" +
                          " keep" * keep + f" : {type_text(a.type)}"], type_text(e.type))

    def on_scan(self, e):
        op, axis, reverse = e.x
        word = {"scanSum": "add", "scanMax": "max", "scanMin": "min"}[op]
        return self.emit([f"tile.scan {word} ", self.value(e.args[0]), f", {axis}" +
                          " reverse" * reverse + f" : {type_text(e.type)}"],
                         type_text(e.type))

    def on_mma(self, e):
        parts = ["tile.mma "]
        for k, a in enumerate(e.args):
            parts += [", "] * (k > 0) + [self.value(a)]
        types = ", ".join(type_text(a.type) for a in e.args)
        return self.emit(parts + [f" : {types}"], type_text(e.type))

    def on_helper(self, e):
        """A function of C++ is inlined."""
        helper = e.x[0]
        values = [self.value(a) for a in e.args]
        env = self.env
        self.env = dict(zip(helper.parameters, values))
        v = self.value(helper.result)
        self.env = env
        return v

    def on_tiles(self, e):
        return self.num_tiles(*e.x)

    def on_inside(self, e):
        p, type = self.partition(*e.x)
        return self.emit(["tile.inside ", p] + self.indices(e.args) + [f" : {type}"],
                         type_text(e.type))

    def on_load(self, e):
        t, by, padding = e.x
        p, type = self.partition(t, by)
        return self.emit(["tile.load ", p] + self.indices(e.args) +
                         [self.pad(padding) + f" : {type}"], type_text(e.type), True)

    @staticmethod
    def pad(padding):
        return f" pad({padding})" if padding is not None else ""

    def lanes_of(self, t, coordinates, mask, shape):
        parts, types = [self.tensors[t.name], "["], [self.tensor_type(t)]
        for k, c in enumerate(coordinates):
            if c.type is None or not c.type[1]:
                v = self.operand(c, ("idx", ()))
                c = E("scalar", ("idx", ()))
            else:
                v = self.value(c)
            if c.type[0] != "idx":
                wide = ("idx", c.type[1])
                v = self.emit(["arith.index_cast ", v,
                               f" : {type_text(c.type)} to {type_text(wide)}"],
                              type_text(wide))
            parts += [", "] * (k > 0) + [self.widened(v, ("idx", c.type[1]),
                                                      ("idx", shape))]
            types.append(type_text(("idx", shape)))
        parts.append("]")
        if mask is not None:
            parts += [", ", self.operand(mask, ("bool", shape))]
            types.append(type_text(("bool", shape)))
        return parts, types

    def on_gather(self, e):
        t, padding, mask = e.x
        parts, types = self.lanes_of(t, e.args, mask, e.type[1])
        return self.emit(["tile.gather "] + parts +
                         [self.pad(padding) + f" : {', '.join(types)}"],
                         type_text(e.type), True)

    #===-- Statements ----------------------------------------------------------===#

    def block(self, statements, arguments=(), env=None):
        """The ops of a region, and the variables behind it."""
        outer, outer_env = self.ops, self.env
        self.ops, self.env = [], dict(outer_env if env is None else env)
        for s in statements:
            getattr(self, "do_" + s[0])(*s[1:])
        ops, inside = self.ops, self.env
        self.ops, self.env = outer, outer_env
        return [ops, list(arguments), []], inside

    def do_let(self, name, e):
        self.env[name] = self.value(e)

    def do_set(self, name, e):
        name = element_name(name, self.trips)
        assert name in self.env
        self.env[name] = self.value(e)

    def do_array(self, name, t, elements):
        for k, e in enumerate(elements):
            self.env[f"{name}[{k}]"] = self.operand(e, t)

    def do_unroll(self, trip, count, statements):
        declared = list(self.env)
        for n in range(count):
            self.trips[trip] = n
            for s in statements:
                getattr(self, "do_" + s[0])(*s[1:])
            self.env = {name: self.env[name] for name in declared}
        del self.trips[trip]

    def do_for(self, element, counter, low, high, step, statements):
        t = (element, ())
        op = Op([self.operand(low, t), self.operand(high, t), self.operand(step, t)])
        changed = assigned(statements, self.trips)
        carried = [name for name in self.env if name in changed]
        env, arguments = dict(self.env), [Value(type_text(t))]
        for name in carried:
            op.inits.append(self.env[name])
            env[name] = Value(self.env[name].text)
            arguments.append(env[name])
        env[counter] = arguments[0]
        region, inside = self.block(statements, arguments, env)
        for v in arguments:
            v.block = op
        for k, v in enumerate(arguments[1:]):
            v.number = k
        region[2] = [inside[name] for name in carried]
        self.close(op, [region], carried)

    def do_if(self, condition, then, otherwise):
        op = Op([self.value(condition)])
        changed = assigned(then, self.trips) | assigned(otherwise or [], self.trips)
        merged = [name for name in self.env if name in changed]
        regions = []
        for side in (then, otherwise or []):
            region, inside = self.block(side)
            region[2] = [inside[name] for name in merged]
            regions.append(region)
        self.close(op, regions, merged)

    def close(self, op, regions, names):
        op.regions = regions
        op.keeps = [False] * len(names)
        self.ops.append(op)
        for name in names:
            self.env[name] = self.result(op, self.env[name].text)

    def do_view(self, view, kind, of, numbers):
        parts = ["tile.view ", self.tensors[of.name], f" {kind}"]
        if kind == "slice":
            offsets, sizes, steps = numbers
            for word, items in (("", offsets), (" size", sizes), (" step", steps)):
                if items:
                    parts.append(f"{word} [")
                    for k, n in enumerate(items):
                        parts += [", "] * (k > 0) + [self.view_number(n)]
                    parts.append("]")
        elif kind == "permute":
            parts.append(f" {list(numbers)}")
        elif kind == "unfold":
            parts.append(f" {numbers[0]} by [{', '.join(map(str, numbers[1:]))}]")
        elif kind == "fix":
            parts += [f" {numbers[0]} at ", self.view_number(numbers[1])]
        elif kind == "flatten":
            parts.append(f" {numbers[0]}")
        parts.append(f" : {self.tensor_type(of)}")
        v = self.tensors[view.name] = self.emit(parts, self.tensor_type(view))
        self.symbols += [(n, v.op) for items in numbers if kind == "slice"
                         for n in items or () if isinstance(n, str)]

    def view_number(self, n):
        return self.value(n) if isinstance(n, E) else str(n)

    def state(self, parts):
        self.ops.append(Op(parts, True))

    def do_store(self, t, by, indices, e):
        if by is None:
            by = (0,) * (len(t.extents) - len(e.type[1])) + e.type[1]
        piece, type = self.claim(t, by, indices)
        v = self.operand(e, (t.element, tile_shape(by)))
        self.state(["tile.store ", v, ", ", piece, f" : {type}"])

    def do_update(self, t, by, indices, padding, name, e):
        piece, type = self.claim(t, by, indices)
        shape = (t.element, tile_shape(by))
        self.env[name] = self.emit(["tile.load ", piece,
                                    self.pad(padding) + f" : {type}"],
                                   type_text(shape), True)
        v = self.operand(e, shape)
        self.state(["tile.store ", v, ", ", piece, f" : {type}"])

    def do_atomic(self, t, by, indices, e):
        p, type = self.partition(t, by)
        at = self.indices(indices)
        v = self.operand(e, (t.element, tile_shape(by)))
        self.state([f"tile.atomic {t.mode[7:-1]} ", v, ", ", p] + at + [f" : {type}"])

    def do_scatter(self, t, coordinates, e, mask):
        shape = max((c.type[1] for c in coordinates), key=len)
        for c in coordinates:
            if len(c.type[1]) == len(shape):
                shape = tuple(map(max, shape, c.type[1]))
        parts, types = self.lanes_of(t, coordinates, mask, shape)
        word = f"atomic_scatter {t.mode[7:-1]}" if t.mode.startswith("atomic") else "scatter"
        v = self.operand(e, (t.element, shape))
        self.state([f"tile.{word} ", v, ", "] + parts +
                   [f" : {type_text((t.element, shape))}, {', '.join(types)}"])

    def do_prove(self, e, text):
        self.state(["tile.prove ", self.value(e), f', "{text}" : i1'])

    #===-- What is needed ------------------------------------------------------===#

    def stays(self, op):
        return op.stays or any(self.stays(o) for r in op.regions for o in r[0])

    def mark_block(self, ops):
        for op in ops:
            if self.stays(op):
                self.mark(op)

    def mark(self, op):
        if not op.is_live:
            op.is_live = True
            for p in op.parts:
                if isinstance(p, Value):
                    self.need(p)
            for region in op.regions:
                self.mark_block(region[0])

    def need(self, v):
        op = v.op or v.block
        if op is None:
            return
        self.mark(op)
        is_counter = v.block is not None and v is op.regions[0][1][0]
        if op.regions and not is_counter and not op.keeps[v.number]:
            op.keeps[v.number] = True
            if op.inits:
                self.need(op.inits[v.number])
            for region in op.regions:
                self.need(region[2][v.number])

    #===-- Text ----------------------------------------------------------------===#

    def name(self, v):
        if not v.name:
            v.name = f"%{self.count}"
            self.count += 1
        return v.name

    def lines(self, ops, indent):
        out = []
        for op in ops:
            if not op.is_live:
                continue
            kept = [k for k, keep in enumerate(op.keeps) if keep]
            names = ", ".join(self.name(v) for k, v in enumerate(op.results)
                              if not op.regions or k in kept)
            head = " " * indent + (f"{names} = " if names else "")
            types = ", ".join(op.results[k].text for k in kept)
            arrow = f" -> ({types})" if kept else ""
            if not op.regions:
                out.append(head + "".join(self.name(p) if isinstance(p, Value) else p
                                          for p in op.parts))
                continue
            if len(op.regions) == 1:
                ops_, arguments, _ = op.regions[0]
                low, high, step = (self.name(p) for p in op.parts)
                iters = ", ".join(f"{self.name(arguments[k + 1])} = "
                                  f"{self.name(op.inits[k])}" for k in kept)
                counter = arguments[0]
                head += f"scf.for {self.name(counter)} = {low} to {high} step {step}"
                head += f" iter_args({iters}){arrow}" if kept else ""
                head += "" if counter.text == "index" else f" : {counter.text}"
            else:
                head += f"scf.if {self.name(op.parts[0])}{arrow}"
            out.append(head + " {")
            for k, (inner, _, yields) in enumerate(op.regions):
                body = self.lines(inner, indent + 2)
                if kept:
                    names = ", ".join(self.name(yields[n]) for n in kept)
                    body.append(" " * (indent + 2) + f"scf.yield {names} : {types}")
                if k == 1 and not body:
                    continue
                out += [" " * indent + "} else {"] * k + body
            out.append(" " * indent + "}")
        return out

    def run(self):
        k = self.kernel
        self.find_counts()
        arguments, bound = [], []
        for a in k.arguments:
            if isinstance(a, Tensor):
                v = Value(self.tensor_type(a))
                self.tensors[a.name] = v
                bound += [e for e in a.extents if isinstance(e, str)]
                v.name = "%" + a.name
            else:
                v = self.env[a[0]] = Value(a[1])
                v.name = "%" + a[0]
            arguments.append(f"{v.name}: {v.text}")
        for n, name in enumerate(k.ids):
            self.env[name] = self.hoist(1, [f"tile.block_id {n}"], "index")
        region, _ = self.block(k.body)
        self.mark_block(region[0])
        said = [s for e in k.grid for s in symbols_of(e)]
        for _, x, y in k.requires:
            said += symbols_of(x) + symbols_of(y)
        # Those that the body alone names come last, by name.
        in_body = {name for name, op in self.symbols if op.is_live}
        said += sorted(in_body)
        free = list(dict.fromkeys(s for s in said if s not in bound))
        head = f"tile.kernel @{k.name}({', '.join(arguments)})"
        head += f" symbols [{', '.join(s + ' : index' for s in free)}]" if free else ""
        head += f" grid [{', '.join(extent_text(e, True) for e in k.grid)}]"
        if k.requires:
            head += " requires [" + ", ".join(
                f"{extent_text(x, True)} {sign} {extent_text(y, True)}"
                for sign, x, y in k.requires) + "]"
        if k.givens:
            head += " given [" + ", ".join(
                f"{fact}({', '.join(['%' + t.name] + [extent_text(e, True) for e in es])})"
                for fact, t, es in k.givens) + "]"
        body = self.lines(self.top.values(), 2) + self.lines(region[0], 2)
        text = "\n".join([head + " {"] + body + ["}"])
        used = set(re.findall(r"!T\d+\b", text))
        return "".join(f"{alias} = {t}\n" for t, alias in self.aliases.items()
                       if alias in used) + text + "\n"


def print_text(kernel):
    return Printer(kernel).run()
