# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws kernels. Most would be verified; of every three, one has a mistake planted that
an author makes: an index that is one too high, a padding, mask or condition forgotten, a
grid that is too large, tiles that blocks share."""

import dataclasses
import random

from data import E, FLOATS, INTEGERS, Kernel, Tensor, lanes, meet, meet_shapes

MAX_LANES = 1024
MISTAKES = ["index", "padding", "requires", "grid", "race", "mask", "divide", "guard",
            "prove", "step"]
# Names that are words elsewhere, or that texts give on their own.
NAMES = ["acc", "c0", "c1", "k", "n", "zero", "one", "x_1", "tile_", "index", "lane0",
         "b0", "v", "v0", "sum_", "less", "product", "is", "chosen", "half", "wide",
         "vector", "arith", "step", "yield", "loc", "iter_args", "dense", "f", "i1",
         "index_1", "acc_1", "a_tiles", "a_piece", "next", "func", "module", "e", "inf_"]
EXTENT_NAMES = ["M", "N", "K", "D", "rows", "seq_len", "B_1", "n", "grid_", "X"]


@dataclasses.dataclass(frozen=True)
class Helper:
    name: str
    parameters: tuple
    result: E


def var(name, t):
    return E("var", t, (), (name,))


def number(n):
    return E("number", None, (), (n,))


class Draw:
    def __init__(self, seed, name, mistake=""):
        self.rng = random.Random(f"girih {seed}")
        self.name = name
        self.mistake = mistake
        self.taken = set()
        self.kernel = Kernel(name, [], [], [], [], [], [])
        self.scope = []  # (name, type, whether it may be assigned to)

    #===-- Small things --------------------------------------------------------===#

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, items):
        return self.rng.choice(list(items))

    def slip(self, mistake):
        """Whether to make the mistake here: the first time more often than not."""
        if self.mistake != mistake or self.chance(0.3):
            return False
        self.kernel.mistake = mistake
        return True

    def fresh(self, names=NAMES):
        free = [n for n in names if n not in self.taken]
        name = self.pick(free) if free else f"t_{len(self.taken)}"
        self.taken.add(name)
        return name

    def declare(self, t, settable=True, name=None):
        name = name or self.fresh()
        self.scope.append((name, t, settable))
        return name

    def some_number(self, element):
        if element in FLOATS:
            return self.pick([0.0, 1.0, 0.5, -2.0, 0.25, 3.0, 1.5, -0.75, 2, 1])
        return self.pick([0, 1, 2, 3, 5, -1, 7, 100])

    def shape(self, rank, most=16):
        while True:
            s = tuple(self.pick([1, 2, 4, 8, 16, 32]) for _ in range(rank))
            if lanes(s) <= 256 and max(s, default=1) <= max(most, 1):
                return s

    #===-- Expressions ---------------------------------------------------------===#

    def leaf(self, t):
        exact = [v for v in self.scope if v[1] == t]
        if exact and self.chance(0.85):
            v = self.pick(exact[-4:])
            return var(v[0], t)
        wider = [v for v in self.scope if v[1][0] == t[0] and v[1] != t
                 and meet(v[1], t) == t]
        if wider and self.chance(0.8):
            v = self.pick(wider)
            return E("broadcast", t, (var(v[0], v[1]),))
        others = [v for v in self.scope if v[1][0] not in ("idx", "bool")]
        if others and t[0] != "idx" and self.chance(0.85):
            return self.adapted(self.pick(others[-4:]), t)
        if t[0] == "bool":
            of = (self.pick(["f32", "i32"]), t[1])
            return E("compare", t, (self.leaf(of), number(self.some_number(of[0]))),
                     (self.pick(["<", ">=", "=="]), of))
        if t[0] in INTEGERS and t[1] and self.chance(0.5):
            return E("iota", t, (), (self.rng.randrange(len(t[1])),))
        if t[0] == "idx":
            return E("fill", t, (), (self.rng.randrange(4),))
        return E("fill", t, (), (self.some_number(t[0]),))

    def adapted(self, v, t):
        """What a variable holds, as a t: sums over axes, converts, repeats."""
        e = var(v[0], v[1])
        while meet_shapes(e.type[1], t[1]) != t[1]:
            axis = self.rng.randrange(len(e.type[1]))
            if e.type[0] == "bool":
                e = E("to", ("i32", e.type[1]), (e,))
            rest = e.type[1][:axis] + e.type[1][axis + 1:]
            e = E("reduce", (e.type[0], rest), (e,),
                  (self.pick(["sum", "max", "min"]), axis, False))
        if e.type[0] != t[0]:
            if "idx" in (e.type[0], t[0]) and (e.type[0] in FLOATS or t[0] in FLOATS):
                e = E("to", ("i32", e.type[1]), (e,))
            if e.type[0] == "idx" and t[0] == "bool" or t[0] == "bool":
                return E("compare", t, (E("broadcast", (e.type[0], t[1]), (e,)),
                                        number(1)), (">", (e.type[0], t[1])))
            # Two floats of 16 bits, neither of which holds the other
            if {e.type[0], t[0]} == {"f16", "bf16"}:
                e = E("to", ("f32", e.type[1]), (e,))
            e = E("to", (t[0], e.type[1]), (e,))
        return e if e.type == t else E("broadcast", t, (e,))

    def narrower(self, t):
        """A type that widens to t."""
        element, shape = t
        if element in FLOATS and self.chance(0.3):
            element = self.pick([e for e in FLOATS if FLOATS[e] < FLOATS[element]]
                                or [element])
        shape = tuple(1 if self.chance(0.3) else n for n in shape)
        while shape and self.chance(0.25):
            shape = shape[1:]
        return element, shape

    def operands(self, t, depth):
        """Two operands that meet at t."""
        roll = self.rng.random()
        if roll < 0.2:
            two = [self.value(t, depth), number(self.some_number(t[0]))]
        elif roll < 0.55:
            two = [self.value(t, depth), self.value(self.narrower(t), depth)]
        elif roll < 0.65 and len(t[1]) > 1 and min(t[1]) > 1:
            two = [self.value((t[0], (t[1][0],) + (1,) * (len(t[1]) - 1)), depth),
                   self.value((t[0], (1,) + t[1][1:]), depth)]
        else:
            two = [self.value(t, depth), self.value(t, depth)]
        self.rng.shuffle(two)
        return tuple(two)

    def value(self, t, depth):
        if depth <= 0 or self.chance(0.12):
            return self.leaf(t)
        element = t[0]
        if element == "bool":
            return self.mask(t, depth - 1)
        if element == "idx":
            return self.index_value(t, depth - 1)
        ways = [self.arithmetic] * 5 + [self.function] * 3 + [self.choice, self.cast,
                self.cast, self.reduction, self.reduction, self.moved, self.moved,
                self.one_operand]
        if len(t[1]) == 2 and element in ("f32", "f64", "i32"):
            ways += [self.product] * 2
        if self.kernel.helpers and self.chance(0.2):
            ways = [self.helper_call]
        return self.pick(ways)(t, depth - 1)

    def arithmetic(self, t, depth):
        if t[0] in FLOATS:
            sign = self.pick(["+", "-", "*", "+", "-", "*", "/", "%"])
        else:
            sign = self.pick(["+", "-", "*", "&", "|", "^", "/", "%"])
            if sign in "/%":
                return self.quotient(t, sign, depth)
        return E("binary", t, self.operands(t, depth), (sign,))

    def quotient(self, t, sign, depth):
        """Of integers a dividend is not negative, and a divisor at least 1."""
        a, b = self.value(t, depth), self.value(self.narrower(t), depth)
        if not self.slip("divide"):
            a = E("function", t, (a, number(0)), ("max",))
            b = (number(self.pick([1, 2, 3, 7])) if self.chance(0.5) else
                 E("function", b.type, (b, number(1)), ("max",)))
        if sign == "%" and self.chance(0.3):
            return E("function", t, (a, b), ("ceildiv",))
        return E("binary", t, (a, b), (sign,))

    def function(self, t, depth):
        if t[0] in FLOATS:
            if self.chance(0.5):
                f = self.pick(["max", "min", "maxnum", "minnum"])
                return E("function", t, self.operands(t, depth), (f,))
            f = self.pick(["abs", "sqrt", "floor", "ceil", "trunc", "exp", "tanh", "round",
                           "roundeven"])
            return E("function", t, (self.value(t, depth),), (f,))
        f = self.pick(["max", "min", "umax", "umin", "mulhi", "abs"])
        if f == "abs":
            return E("function", t, (self.value(t, depth),), (f,))
        return E("function", t, self.operands(t, depth), (f,))

    def one_operand(self, t, depth):
        a = self.value(t, depth)
        if t[0] in INTEGERS and self.chance(0.6):
            if self.chance(0.4):
                return E("invert", t, (a,))
            return E("shift", t, (a,), (self.pick(["<<", ">>", "shiftRight"]),
                                        self.rng.randrange(INTEGERS[t[0]])))
        if t[1] and self.chance(0.3):
            axis = self.rng.randrange(len(t[1]))
            return E("scan", t, (a,), (self.pick(["scanSum", "scanMax", "scanMin"]), axis,
                                       self.chance(0.4)))
        return E("negate", t, (a,))

    def choice(self, t, depth):
        mask = self.mask(("bool", self.narrower(t)[1] if self.chance(0.3) else t[1]), depth)
        x, y = self.operands(t, depth)
        return E("where", t, (mask, x, y))

    def mask(self, t, depth):
        roll = self.rng.random()
        if roll < 0.15 and depth > 0:
            return E("invert", t, (self.mask(t, depth - 1),))
        if roll < 0.35 and depth > 0:
            return E("binary", t, (self.mask(t, depth - 1), self.mask(t, depth - 1)),
                     (self.pick("&|^"),))
        of = (self.pick(["f32", "i32", "f16", "i64"]), t[1])
        # A comparison of numbers that are not exact is uncertain.
        a, b = self.leaf(of), (number(self.some_number(of[0])) if self.chance(0.4)
                               else self.leaf(of))
        return E("compare", t, (a, b), (self.pick(["<", "<=", ">", ">=", "==", "!="]), of))

    def cast(self, t, depth):
        to = t[0]
        if to in FLOATS:
            others = [e for e in FLOATS if FLOATS[e] != FLOATS[to]] + list(INTEGERS) + ["bool"]
        else:
            others = [e for e in INTEGERS if e != to] + ["f32", "bool"]
        old = self.pick(others)
        same = {"f32": "i32", "i32": "f32", "f16": "i16", "bf16": "i16", "i64": "f64",
                "f64": "i64", "i16": self.pick(["f16", "bf16"])}
        if to in same and self.chance(0.15):
            return E("bitcast", t, (self.value((same[to], t[1]), depth),))
        return E("to", t, (self.value((old, t[1]), depth),))

    def reduction(self, t, depth):
        element, shape = t
        unit = [k for k, n in enumerate(shape) if n == 1]
        extent = self.pick([1, 2, 4, 8])
        if lanes(shape) * extent > MAX_LANES or len(shape) > 3:
            return self.leaf(t)
        if unit and self.chance(0.5):
            axis, keep = self.pick(unit), True
            of = shape[:axis] + (extent,) + shape[axis + 1:]
        else:
            axis, keep = self.rng.randrange(len(shape) + 1), False
            of = shape[:axis] + (extent,) + shape[axis:]
        if element == "i32" and self.chance(0.3):
            return E("reduce", t, (self.leaf((self.pick(["f32", "i32"]), of)),),
                     (self.pick(["argmax", "argmin"]), axis, keep))
        return E("reduce", t, (self.value((element, of), depth),),
                 (self.pick(["sum", "max", "min", "prod"]), axis, keep))

    def moved(self, t, depth):
        element, shape = t
        if not shape:
            return self.arithmetic(t, depth)
        roll = self.rng.random()
        if roll < 0.35 and len(shape) > 1:
            axes = list(range(len(shape)))
            self.rng.shuffle(axes)
            of = [0] * len(shape)
            for k, axis in enumerate(axes):
                of[axis] = shape[k]
            return E("permute", t, (self.value((element, tuple(of)), depth),), (tuple(axes),))
        if roll < 0.6:
            if self.chance(0.5):
                of = (lanes(shape),)
            else:
                half = self.pick([n for n in (1, 2, 4) if lanes(shape) % n == 0])
                of = (half, lanes(shape) // half)
            return E("reshape", t, (self.value((element, of), depth),))
        axis = self.rng.randrange(len(shape))
        if roll < 0.8 and 2 * lanes(shape) <= MAX_LANES:
            of = shape[:axis] + (2 * shape[axis],) + shape[axis + 1:]
            part = tuple(int(k == axis and self.chance(0.5)) for k in range(len(shape)))
            return E("extract", t, (self.value((element, of), depth),), (part,))
        if shape[axis] > 1:
            of = (element, shape[:axis] + (shape[axis] // 2,) + shape[axis + 1:])
            return E("cat", t, (self.value(of, depth), self.value(of, depth)), (axis,))
        return self.arithmetic(t, depth)

    def product(self, t, depth):
        factor = {"f32": self.pick(["f32", "f16", "bf16"]), "f64": "f64", "i32": "i8"}[t[0]]
        k = self.pick([2, 4, 8, 16])
        m, n = t[1]
        if max(m, n) * k > MAX_LANES:
            return self.leaf(t)
        return E("mma", t, (self.value((factor, (m, k)), depth),
                            self.value((factor, (k, n)), depth), self.value(t, depth)))

    def helper_call(self, t, depth):
        """A function of C++, which has these types here and others elsewhere."""
        name = f"{self.name}_h{len(self.kernel.helpers)}"
        scope, self.scope = self.scope, []
        types = [t, self.narrower(t)]
        for p, of in zip(("x", "y"), types):
            self.scope.append((p, of, False))
        helpers, self.kernel.helpers = self.kernel.helpers, []
        result = E("binary", t, (var("x", t), self.value(t, min(depth, 2))),
                   ("+",))
        self.kernel.helpers, self.scope = helpers, scope
        helper = Helper(name, ("x", "y"), result)
        helpers.append(helper)
        return E("helper", t, tuple(self.value(of, depth - 1) for of in types), (helper,))

    def index_value(self, t, depth):
        """A small index: ids of blocks, counters and what they are added to."""
        if self.chance(0.5):
            return self.leaf(t)
        return E("binary", t, (self.leaf(t), number(self.pick([1, 2, 8]))),
                 (self.pick("+*"),))

    #===-- Statements ----------------------------------------------------------===#

    def some_type(self):
        known = [v[1] for v in self.scope if v[1][0] not in ("idx", "bool")]
        if known and self.chance(0.7):
            return self.pick(known)
        return (self.pick(["f32", "f32", "f16", "bf16", "i32", "i64", "f64", "i8", "i16"]),
                self.shape(self.rng.randrange(4)))

    def settable(self):
        return [v for v in self.scope if v[2]]

    def statements(self, count, depth, loads):
        """A block; its variables go out of scope behind it."""
        out, mark = [], len(self.scope)
        for _ in range(count):
            roll = self.rng.random()
            if roll < 0.3 or not self.settable():
                e = self.value(self.some_type(), 3)
                out.append(("let", self.declare(e.type), e))
            elif roll < 0.4 and loads:
                out.append(self.pick(loads)())
            elif roll < 0.65:
                out.append(self.assignment())
            elif roll < 0.7:
                out += self.swap()
            elif roll < 0.82 and depth < 2:
                out += self.loop(depth, loads)
            elif roll < 0.9 and depth < 3:
                out.append(self.branch(depth, loads))
            elif depth < 2:
                out += self.unrolled(depth)
        del self.scope[mark:]
        return out

    def assignment(self, also=None):
        name, t, _ = self.pick(self.settable())
        e = self.value(t, 2)
        if also is not None or self.chance(0.5):
            other = also if also is not None and meet(also.type, t) == t else e
            if other.op == "number" or other.type is None or meet(other.type, t) != t:
                other = number(1)
            sign = "+" if t[0] in FLOATS else self.pick("+-^")
            e = E("binary", t, (var(name, t), other), (sign,))
        return ("set", name, e)

    def swap(self):
        a = self.pick(self.settable())
        same = [v for v in self.settable() if v[1] == a[1] and v != a]
        if not same:
            return [self.assignment()]
        b, held = self.pick(same), self.fresh()
        return [("let", held, var(a[0], a[1])), ("set", a[0], var(b[0], b[1])),
                ("set", b[0], var(held, a[1]))]

    def loop(self, depth, loads):
        counter = self.fresh()
        element = "i32" if self.chance(0.25) else "idx"
        low = number(self.pick([0, 0, 0, 1, 2]))
        step = number(1 if self.chance(0.7) else
                      self.pick([2, 3]) if not self.slip("step") else 0)
        extents = [e for t in self.kernel.arguments if isinstance(t, Tensor)
                   for e in t.extents if isinstance(e, str)]
        if element == "idx" and extents and self.chance(0.4):
            name = self.pick(extents)
            e = self.pick([("ceildiv", name, 16), ("ceildiv", name, 8), name,
                           ("min", name, 3), ("+", name, 1)])
            high = E("symbolic", ("idx", ()), (), (e,))
        else:
            high = number(self.pick([0, 1, 2, 3, 4]))
        if element != "idx" and low.x[0] > high.x[0]:
            low = number(0)
        mark = len(self.scope)
        self.scope.append((counter, (element, ()), False))
        body = self.statements(self.rng.randrange(1, 4), depth + 1, loads)
        if self.chance(0.6):
            body.append(self.assignment())
        del self.scope[mark:]
        return [("for", element, counter, low, high, step, body)]

    def branch(self, depth, loads):
        scalars = [v for v in self.scope if v[1] == ("idx", ())]
        if scalars and self.chance(0.7):
            v = self.pick(scalars)
            condition = E("compare", ("bool", ()), (var(*v[:2]),
                          number(self.pick([0, 1, 2]))),
                          (self.pick(["<", ">", "==", "<="]), ("idx", ())))
        else:
            condition = self.mask(("bool", ()), 1)
        then = self.statements(self.rng.randrange(1, 3), depth + 1, loads)
        otherwise = (self.statements(self.rng.randrange(1, 3), depth + 1, loads)
                     if self.chance(0.5) else None)
        return ("if", condition, then, otherwise)

    def unrolled(self, depth):
        trip, count = self.fresh(), self.pick([1, 2, 3, 4])
        out, mark = [], len(self.scope)
        if self.chance(0.5):
            t = self.some_type()
            array = self.fresh()
            elements = [self.value(t, 1) for _ in range(count)]
            out.append(("array", array, t, elements))
            inner = f"{array}[{trip}]"
            e = E("binary", t, (var(inner, t), E("trip", None, (), (trip,))), ("+",))
            body = [("set", inner, e if self.chance(0.7) else self.value(t, 2))]
            users = [v for v in self.settable() if v[1] == t]
            if users:
                u = self.pick(users)
                body.append(("set", u[0], E("binary", t, (var(u[0], t), var(inner, t)),
                                            ("+",))))
            out.append(("unroll", trip, count, body))
            del self.scope[mark:]
            # Its elements stay.
            for k in range(count):
                self.scope.append((f"{array}[{k}]", t, True))
            return out
        body = self.statements(self.rng.randrange(1, 3), depth + 1, [])
        name, t, _ = self.pick(self.settable())
        body.append(("set", name, E("binary", t, (var(name, t), E("trip", None, (), (trip,))),
                                    ("+",))))
        return out + [("unroll", trip, count, body)]
