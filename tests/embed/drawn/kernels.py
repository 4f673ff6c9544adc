# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole kernels: tensors, how blocks and loops go over them, and what is done between
loads and stores, which `draw` draws."""

import random

from data import E, FLOATS, INTEGERS, Tensor, evaluate, lanes, symbols_of, tile_shape
from draw import EXTENT_NAMES, MISTAKES, Draw, number, var

INDEX = ("idx", ())
TENSORS = ["a", "b", "y", "x", "w", "out", "tiles_", "a_1", "q", "piece", "z0", "table"]


class Axis:
    """An axis of the output: its extent, its tiles, and what runs over them."""
    def __init__(self, extent, tile, role):
        self.extent, self.tile, self.role = extent, tile, role
        self.index = number(0)


class Skeleton(Draw):
    def run(self):
        self.names = list(EXTENT_NAMES)
        self.rng.shuffle(self.names)
        self.tensors = list(TENSORS)
        self.rng.shuffle(self.tensors)
        self.pre, self.guards, self.loads = [], [], []
        self.draw_axes()
        self.draw_inputs()
        body = self.pre
        for load in self.loads[: self.rng.randrange(1, 4)]:
            body.append(load())
        if self.chance(0.25):
            body += self.lookups()
        if self.chance(0.3):
            body += self.proofs()
        body += self.over_extra()
        body += self.flat(self.rng.randrange(2, 5))
        last = self.loop_axis()
        stores = self.stores()
        if self.guards:
            condition = self.guards[0]
            for g in self.guards[1:]:
                condition = E("binary", ("bool", ()), (condition, g), ("&",))
            if not self.slip("guard"):
                stores = [("if", condition, stores, None)]
        if last is not None:
            tensor = self.outputs[0]
            stores = [("for", "idx", last.index.x[0], number(0),
                       self.high_of(last, tensor), number(1), stores)]
        self.kernel.body = body + stores
        self.kernel.arguments = self.order_arguments()
        return self.kernel

    def flat(self, count):
        """Statements whose variables stay in scope for what follows."""
        out = []
        for _ in range(count):
            before = list(self.scope)
            out += self.statements(1, 0, self.loads)
            declared = {s[1]: s for s in out if s[0] == "let"}
            known = {v[0] for v in before}
            for name, s in declared.items():
                if name not in known and s[2].type is not None:
                    self.scope.append((name, s[2].type, True))
        return out

    #===-- Axes and tensors ----------------------------------------------------===#

    def symbol(self):
        return self.names.pop()

    def tensor(self, element, mode, extents):
        t = Tensor(self.tensors.pop(), element, mode, tuple(extents))
        self.taken.add(t.name)
        self.kernel.arguments.append(t)
        return t

    def draw_axes(self):
        rank = self.pick([1, 1, 2, 2, 3])
        tiles = []
        for _ in range(rank):
            tiles.append(0 if self.chance(0.2) else self.pick([1, 2, 4, 8, 16, 32]))
        while lanes(tile_shape(tiles)) > 256:
            k = max(range(rank), key=lambda n: tiles[n])
            tiles[k] //= 2
        self.axes, grid = [], []
        has_loop = False
        for tile in tiles:
            step = tile or 1
            if self.chance(0.3):
                extent = self.pick([step, step, 2 * step, 3 * step, step + 1])
            else:
                extent = self.symbol()
            role = "grid"
            if extent == step and self.chance(0.7):
                role = "whole"
            elif not has_loop and rank > 1 and self.chance(0.25):
                role, has_loop = "loop", True
            axis = Axis(extent, tile, role)
            if role == "loop":
                axis.index = var(self.fresh(), INDEX)
            elif role == "grid":
                axis.index = var(self.fresh(), INDEX)
                count = extent if step == 1 and self.chance(0.7) else \
                    ("ceildiv", extent, step)
                if isinstance(count, tuple) and isinstance(extent, int):
                    count = evaluate(count, {})
                whole = count
                if self.slip("grid"):
                    count = ("+", count, 1) if isinstance(count, (str, tuple)) else count + 1
                elif self.mistake == "guard" or self.chance(0.12):
                    bound = whole
                    count = ("max", count, 2) if isinstance(count, (str, tuple)) else count + 1
                    high = (E("symbolic", INDEX, (), (bound,))
                            if not isinstance(bound, int) else number(bound))
                    self.guards.append(E("compare", ("bool", ()), (axis.index, high),
                                         ("<", INDEX)))
                self.kernel.ids.append(axis.index.x[0])
                grid.append(count)
                self.scope.append((axis.index.x[0], INDEX, False))
            self.axes.append(axis)
        if not grid:
            self.kernel.ids.append(self.fresh())
            grid.append(2 if self.slip("race") else 1)
        self.kernel.grid = grid

    def order_arguments(self):
        arguments = list(self.kernel.arguments)
        self.rng.shuffle(arguments)
        return arguments

    def padding(self, element, axes):
        """A padding, or none and what makes whole tiles of the axes."""
        ragged = [a for a in axes if a.tile > 1 and
                  (isinstance(a.extent, str) or a.extent % a.tile)]
        if self.slip("padding"):
            return None
        if ragged and all(isinstance(a.extent, str) for a in ragged) and self.chance(0.2):
            for a in ragged:
                self.require("==", ("mod", a.extent, a.tile), 0)
            return None
        if not ragged and self.chance(0.5):
            return None
        if element in FLOATS:
            return self.pick(["zero", "zero", "neg_inf", "0.5", "-2.0", "pos_inf"])
        return self.pick(["zero", "zero", "-1", "7"])

    def require(self, sign, x, y):
        if self.slip("requires"):
            return
        if (sign, x, y) not in self.kernel.requires:
            self.kernel.requires.append((sign, x, y))

    def indices(self, axes):
        found = [a.index for a in axes]
        if axes and self.slip("index"):
            k = self.rng.randrange(len(axes))
            found[k] = (number(1) if found[k].op == "number" else
                        E("binary", INDEX, (found[k], number(1)), ("+",)))
        return found

    def an_element(self):
        return self.pick(["f32", "f32", "f16", "bf16", "f64", "i32", "i8", "i64", "i16"])

    def draw_inputs(self):
        if self.chance(0.4):
            name, element = self.fresh(["alpha", "beta", "eps", "s"]), self.pick(
                ["f32", "f16", "f64", "bf16"])
            self.kernel.arguments.append((name, element))
            self.scope.append((name, (element, ()), False))
        self.extra = None
        for _ in range(self.rng.randrange(1, 4)):
            axes = [a for a in self.axes if a.role != "loop" and self.chance(0.8)]
            if not axes:
                axes = [Axis(self.pick([4, 8]), 4, "whole")]
            guarded = {g.args[0].x[0] for g in self.guards}
            if any(a.index.op == "var" and a.index.x[0] in guarded for a in axes):
                continue  # a tile that is not there is not loaded
            self.loads.append(self.input(axes))
        if not self.loads:
            self.loads.append(self.input([Axis(8, 8, "whole")]))
        if self.chance(0.45):
            tile = self.pick([1, 2, 4, 8, 16])
            extent = self.symbol() if self.chance(0.7) else self.pick([tile * 2, tile + 1])
            self.extra = Axis(extent, tile, "loop")
            self.extra.index = var(self.fresh(), INDEX)

    def input(self, axes, element=None, extra=None):
        """A tensor that has these axes, maybe seen through a view, and a function that
        loads a tile of it."""
        element = element or self.an_element()
        axes = list(axes)
        if extra is not None:
            axes.insert(self.rng.randrange(len(axes) + 1), extra)
        t = self.viewed(element, "shared", axes)
        by = tuple(a.tile for a in axes)
        padding = self.padding(element, axes)

        def load():
            e = E("load", (element, tile_shape(by)), tuple(self.indices(axes)),
                  (t, by, padding))
            if t.is_view or self.chance(0.8):
                return ("let", self.declare(e.type), e)
            # Somewhere within an expression
            e = E("to", (self.pick(["f32", "f64"]), e.type[1]), (e,))
            return ("let", self.declare(e.type), e)
        return load

    def viewed(self, element, mode, axes):
        """A tensor whose axes are these, an argument or a view of one; an unfolded one
        has an axis more, which goes into the list."""
        extents = [a.extent for a in axes]
        roll = self.rng.random()
        if roll < 0.6 or (mode != "shared" and roll < 0.75):
            return self.tensor(element, mode, extents)
        view_name = self.fresh(["view", "part_1", "turned", "slice_", "from_", "to_"])

        def view(extents):
            return Tensor(view_name, element, mode, tuple(extents), True)
        if roll < 0.75 and len(axes) > 1 or mode != "shared" and len(axes) > 1:
            order = list(range(len(axes)))
            self.rng.shuffle(order)
            of = [None] * len(axes)
            for k, p in enumerate(order):
                of[p] = extents[k]
            root = self.tensor(element, mode, of)
            v = view(extents)
            self.pre.append(("view", v, "permute", root, tuple(order)))
        elif mode != "shared":
            return self.tensor(element, mode, extents)
        elif roll < 0.85:
            # Longer along one axis, from an offset on
            k = self.rng.randrange(len(axes))
            offset = self.pick([0, 1, 3]) if self.chance(0.5) else self.symbol()
            long = self.symbol()
            of = extents[:k] + [long] + extents[k + 1:]
            root = self.tensor(element, mode, of)
            self.require("<=", ("+", offset, extents[k]) if not (
                isinstance(offset, int) and isinstance(extents[k], int))
                else offset + extents[k], long)
            v = view(extents)
            offsets = tuple(offset if n == k else 0 for n in range(len(axes)))
            self.pre.append(("view", v, "slice", root, (offsets, tuple(extents), None)))
        elif roll < 0.93:
            # One of several
            k = self.rng.randrange(len(axes) + 1)
            count = self.pick([1, 2, 5])
            root = self.tensor(element, mode, extents[:k] + [count] + extents[k:])
            v = view(extents)
            at = number(self.rng.randrange(count) + self.slip("index") * 5)
            at = E("fill", INDEX, (), at.x)
            self.pre.append(("view", v, "fix", root, (k, at)))
        else:
            # One axis in memory is two of the view, of the first of which the kernel
            # takes one coordinate.
            k, count = self.rng.randrange(len(axes)), self.pick([2, 3])
            whole = (count * extents[k] if isinstance(extents[k], int) else self.symbol())
            if isinstance(whole, str):
                self.require("==", whole, ("*", count, extents[k]))
            root = self.tensor(element, mode, extents[:k] + [whole] + extents[k + 1:])
            v = view(extents[:k] + [count] + extents[k:])
            self.pre.append(("view", v, "unfold", root, (k, count, extents[k])))
            axis = Axis(count, 0, "whole")
            axis.index = number(self.rng.randrange(count))
            axes.insert(k, axis)
        return v

    #===-- Bodies --------------------------------------------------------------===#

    def high_of(self, axis, tensor=None):
        """How many tiles an axis has, as an author may say it."""
        step = axis.tile or 1
        if isinstance(axis.extent, int):
            high = -(-axis.extent // step)
            return number(high + self.slip("index"))
        if self.slip("index"):
            return E("symbolic", INDEX, (), (("+", ("ceildiv", axis.extent, step), 1),))
        if tensor is not None and not tensor[0].is_view and self.chance(0.5):
            t, axes = tensor
            return E("tiles", INDEX, (), (t, tuple(a.tile for a in axes),
                                          axes.index(axis)))
        if step == 1 and self.chance(0.7):
            return E("symbolic", INDEX, (), (axis.extent,))
        return E("symbolic", INDEX, (), (("ceildiv", axis.extent, step),))

    def over_extra(self):
        """A loop over an axis that the output has not, which carries sums."""
        if self.extra is None:
            return []
        guarded = {g.args[0].x[0] for g in self.guards}
        axes = [a for a in self.axes if a.role != "loop" and self.chance(0.6)
                and not (a.index.op == "var" and a.index.x[0] in guarded)]
        out = []
        shape = self.shape(self.rng.randrange(3))
        if self.chance(0.5):
            shape = tile_shape(a.tile for a in axes)
        element = self.pick(["f32", "f32", "f64", "i32"])
        for _ in range(self.rng.randrange(1, 4)):
            t = (element, shape)
            out.append(("let", self.declare(t), E("fill", t, (), (self.some_number(element),))))
        of = self.pick([e for e in ("f32", "f16", "bf16", "i8", "i32")
                        if e == element or (e in FLOATS) == (element in FLOATS)])
        load = self.input(axes, of, self.extra)
        mark = len(self.scope)
        self.scope.append((self.extra.index.x[0], INDEX, False))
        body = [load()]
        loaded = self.scope[-1]
        body += self.statements(self.rng.randrange(1, 3), 1, self.loads)
        name, t = out[0][1], (element, shape)
        e = self.value(t, 2)
        whole = var(loaded[0], loaded[1])
        while whole.type[1]:
            whole = E("reduce", (whole.type[0], whole.type[1][1:]), (whole,),
                      ("sum", 0, False))
        if whole.type[0] != element:
            whole = E("to", (element, ()), (whole,))
        body.append(("set", name, E("binary", t, (var(name, t),
                     E("binary", t, (e, whole), ("*",))), ("+",))))
        if self.chance(0.4):
            body += self.swap()
        del self.scope[mark:]
        return out + [("for", "idx", self.extra.index.x[0], number(0),
                       self.high_of(self.extra), number(1), body)]

    def lookups(self):
        """Elements at coordinates that are computed, or that a tensor holds."""
        axis = next((a for a in self.axes if a.role == "grid" and a.tile > 0), None)
        guarded = {g.args[0].x[0] for g in self.guards}
        if axis is None or axis.index.x[0] in guarded or not isinstance(axis.extent, str):
            return []
        tile, out = axis.tile, []
        element = self.an_element()
        lanes_t, mask_t = ("idx", (tile,)), ("bool", (tile,))
        if self.chance(0.5):
            # By the number of lane and block
            x = self.tensor(element, "shared", [axis.extent])
            at = E("binary", lanes_t, (E("binary", INDEX, (axis.index, number(tile)), ("*",)),
                                       E("iota", lanes_t, (), (0,))), ("+",))
            name = self.declare(lanes_t, False)
            out.append(("let", name, at))
            at = var(name, lanes_t)
            mask = E("compare", mask_t, (at, E("symbolic", INDEX, (), (axis.extent,))),
                     ("<", lanes_t))
            coordinates = (at,)
        else:
            ids_of = self.pick(["i32", "i64"])
            count = self.symbol()
            ids = self.tensor(ids_of, "shared", [axis.extent])
            x = self.tensor(element, "shared", [count])
            if not self.slip("requires"):
                self.kernel.givens.append(("within", ids, [0, count]))
            e = E("load", (ids_of, (tile,)), (axis.index,), (ids, (tile,), "zero"))
            name = self.declare(e.type, False)
            out.append(("let", name, e))
            mask = E("inside", mask_t, (axis.index,), (ids, (tile,)))
            coordinates = (var(name, e.type),)
        name = self.declare(mask_t, False)
        out.append(("let", name, mask))
        mask = None if self.slip("mask") else var(name, mask_t)
        t = (element, (tile,))
        e = E("gather", t, coordinates, (x, "zero" if mask is not None else None, mask))
        out.append(("let", self.declare(t), e))
        if self.chance(0.5):
            op = self.pick(["add", "max", "or"]) if element in INTEGERS else "add"
            to = self.tensor(element, f"atomic<{op}>", x.extents)
            out.append(("scatter", to, list(coordinates), self.value(t, 1), mask))
        elif coordinates[0].type[0] == "idx":
            to = self.tensor(element, "out", x.extents)
            out.append(("scatter", to, list(coordinates), self.value(t, 1), mask))
        return out

    def proofs(self):
        axis = next((a for a in self.axes if a.role == "grid"), None)
        if axis is None:
            return []
        i = axis.index
        said = [(E("compare", ("bool", ()), (i, number(0)), (">=", INDEX)), "no id is negative"),
                (E("compare", ("bool", ()), (E("binary", INDEX, (i, number(2)), ("*",)), i),
                   (">=", INDEX)), "twice is more")]
        if self.chance(0.2):
            square = E("binary", INDEX, (E("binary", INDEX, (i, i), ("*",)), number(4)), ("%",))
            said = [(E("compare", ("bool", ()), (square, number(1)), ("<=", INDEX)),
                     "squares modulo 4")]
        if self.slip("prove"):
            said = [(E("compare", ("bool", ()), (i, number(1)), ("<", INDEX)), "one block")]
        return [("prove", *self.pick(said))]

    def loop_axis(self):
        return next((a for a in self.axes if a.role == "loop"), None)

    def stores(self):
        out, self.outputs = [], []
        loop = self.loop_axis()
        if loop is not None:
            self.scope.append((loop.index.x[0], INDEX, False))
        for _ in range(self.pick([1, 1, 2])):
            out += self.store()
        if loop is not None and self.chance(0.4):
            out += self.statements(1, 2, self.loads)
        if self.chance(0.2):
            out += self.total()
        return out

    def store(self):
        element = self.an_element()
        mode = self.pick(["out"] * 6 + ["out partial", "own", "own"])
        axes = list(self.axes)
        t = self.viewed(element, mode, axes)
        self.outputs.append((t, axes))
        by = tuple(a.tile for a in axes)
        shape = tile_shape(by)
        indices = self.indices(axes)
        shared = [k for k, a in enumerate(axes) if a.role == "grid"]
        if shared and self.slip("race"):
            k = self.pick(shared)
            indices[k] = self.pick([number(0), E("binary", INDEX, (
                axes[k].index, number(2)), ("/",))])
        if mode == "own" and self.chance(0.7):
            padding = "zero"
            name = self.fresh()
            self.scope.append((name, (element, shape), False))
            e = self.value((element, shape), 2)
            if self.chance(0.7):
                e = E("binary", (element, shape), (var(name, (element, shape)), e), ("+",))
            self.scope.pop()
            return [("update", t, by, indices, padding, name, e)]
        e = self.value((element, shape), 3)
        # So that what was computed is needed
        for v in self.scope[-1:-4:-1]:
            if v[1][0] not in ("idx", "bool"):
                e = E("binary", (element, shape), (e, self.adapted(v, (element, shape))),
                      ("+",))
        if self.chance(0.3) and shape and 0 not in by[len(by) - len(shape):]:
            return [("store", t, None, indices, e)]
        narrow = self.narrower((element, shape))
        if self.chance(0.2):
            e = self.value((element, narrow[1]), 2)
        return [("store", t, by, indices, e)]

    def total(self):
        """Blocks combine what they have with one tile."""
        element = self.pick(["f32", "i32", "i64", "f64"])
        op = self.pick(["add", "min", "max", "and", "or", "xor"]) if element in INTEGERS \
            else "add"
        n = self.pick([1, 4, 8])
        extent = n if self.chance(0.6) else self.symbol()
        if isinstance(extent, str):
            self.require(">=", extent, 1)
        t = self.tensor(element, f"atomic<{op}>", [extent])
        return [("atomic", t, (n,), [number(int(self.slip("index")))],
                 self.value((element, (n,)), 2))]


def draw_kernel(seed, name):
    """One of three has a mistake; of some kinds few kernels have room."""
    rng = random.Random(f"mistake {seed}")
    mistake = rng.choice(MISTAKES) if rng.random() < 0.36 else ""
    for attempt in range(200):
        kernel = Skeleton(f"{seed} {attempt}", name, mistake).run()
        if kernel.mistake == mistake:
            return kernel
    raise AssertionError(f"no kernel has room for {mistake}")


def draw_launch(rng, kernel):
    """Values of the launch symbols, most often such as the contract admits."""
    names, tiles = set(), {1, 2, 4, 8}
    for a in kernel.arguments:
        if isinstance(a, Tensor):
            names |= {e for e in a.extents if isinstance(e, str)}
    for _, x, y in kernel.requires:
        for e in (x, y):
            names |= set(symbols_of(e))
    for e in kernel.grid:
        names |= set(symbols_of(e))
    values = {}
    for attempt in range(200):
        values = {n: rng.choice([0, 1, 2, 3, 5, 7, 8, 9, 16, 17, 32]) for n in sorted(names)}
        if all(_holds(c, values) for c in kernel.requires):
            break
    return values


def _holds(c, values):
    sign, x, y = c
    x, y = evaluate(x, values), evaluate(y, values)
    return {"==": x == y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[sign]
