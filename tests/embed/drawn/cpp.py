# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A kernel as a struct of C++."""

from data import E, Tensor

MODES = {"shared": "Shared", "own": "Own", "out": "Out", "out partial": "OutPartial",
         "atomic<add>": "AtomicAdd", "atomic<min>": "AtomicMin",
         "atomic<max>": "AtomicMax", "atomic<and>": "AtomicAnd",
         "atomic<or>": "AtomicOr", "atomic<xor>": "AtomicXor"}
# Names of launch symbols are those of values, too.
SYMBOL = "s_"
STRENGTH = {"*": 5, "/": 5, "%": 5, "+": 4, "-": 4, "<": 3, "<=": 3, ">": 3, ">=": 3,
            "==": 2, "!=": 2, "&": 1.5, "^": 1, "|": 0.5}


def numbers(ns):
    return ", ".join(str(n) for n in ns)


def tile_type(t):
    if t[1]:
        return f"Tile<{t[0]}, {numbers(t[1])}>"
    return {"idx": "Index", "bool": "Bool"}.get(t[0], f"Scalar<{t[0]}>")


def by_text(by):
    return ", ".join(str(n) if n else "_" for n in by)


def symbolic(e, strength=0):
    if isinstance(e, str):
        return SYMBOL + e
    if isinstance(e, int):
        return str(e)
    sign = {"div": "/", "mod": "%"}.get(e[0], e[0])
    if sign not in STRENGTH:
        x, y = e[1:]
        # Of two numbers of C++ these are functions of C++.
        return f"{sign}({symbolic(x)}, {symbolic(y)})"
    own = STRENGTH[sign]
    text = f"{symbolic(e[1], own)} {sign} {symbolic(e[2], own + 0.1)}"
    return f"({text})" if own < strength else text


def padding(p):
    if p is None:
        return ""
    return f", pad({p})" if p[0] in "-0123456789" else f", pad::{p}"


class Printer:
    def __init__(self, kernel):
        self.kernel = kernel

    def value(self, e, strength=0):
        return getattr(self, "on_" + e.op, self.call)(e, strength)

    def args(self, items):
        return ", ".join(self.value(a) for a in items)

    def on_var(self, e, _):
        return e.x[0]

    on_trip = on_var

    def on_number(self, e, strength):
        text = repr(e.x[0])
        return f"({text})" if text[0] == "-" and strength > 4 else text

    def on_symbolic(self, e, strength):
        s = e.x[0]
        if isinstance(s, tuple) and not any(isinstance(x, (str, tuple)) for x in s[1:]):
            raise ValueError("an expression on no symbol")
        return symbolic(s, strength)

    def on_fill(self, e, _):
        t, n = e.type, e.x[0]
        if t[0] == "bool":
            return f"always<{numbers(t[1])}>({'true' if n else 'false'})"
        if not t[1]:
            return f"{tile_type(t)}({n!r})"
        if n == 0:
            return f"zeros<{t[0]}, {numbers(t[1])}>()"
        return f"fill<{t[0]}, {numbers(t[1])}>({n!r})"

    def on_iota(self, e, _):
        return f"iota<{e.type[0]}, {numbers(e.type[1])}>(axis<{e.x[0]}>)"

    def on_binary(self, e, strength):
        sign = e.x[0]
        own = STRENGTH[sign]
        # `a & b == c` is what compilers warn of, and people.
        inner = max(own, 6 if sign in "&|^" else 0)
        text = f"{self.value(e.args[0], inner)} {sign} {self.value(e.args[1], inner + 0.1)}"
        return f"({text})" if own < strength else text

    def on_compare(self, e, strength):
        sign = e.x[0]
        text = f"{self.value(e.args[0], 3.5)} {sign} {self.value(e.args[1], 3.5)}"
        return f"({text})" if STRENGTH[sign] < strength else text

    def on_negate(self, e, strength):
        text = "-" + self.value(e.args[0], 6)
        return f"({text})" if strength == 6 else text

    def on_invert(self, e, strength):
        return "~" + self.value(e.args[0], 6)

    def on_shift(self, e, strength):
        if e.x[0] == "shiftRight":
            return f"shiftRight({self.value(e.args[0])}, {e.x[1]})"
        return f"({self.value(e.args[0], 6)} {e.x[0]} {e.x[1]})"

    def call(self, e, _):
        f = e.op
        if f == "function":
            f = e.x[0]
        elif f == "to":
            f = f"to<{e.type[0]}>"
        elif f == "bitcast":
            f = f"bitcast<{e.type[0]}>"
        elif f in ("reshape", "broadcast"):
            f = f"{f}<{numbers(e.type[1])}>"
        elif f == "permute":
            f = "transpose" if len(e.x[0]) == 2 and e.x[0] == (1, 0) \
                else f"permute<{numbers(e.x[0])}>"
        return f"{f}({self.args(e.args)})"

    def on_extract(self, e, _):
        return (f"extract<{numbers(e.type[1])}>({self.value(e.args[0])}, "
                f"part<{numbers(e.x[0])}>)")

    def on_cat(self, e, _):
        return f"cat({self.args(e.args)}, axis<{e.x[0]}>)"

    def on_reduce(self, e, _):
        op, axis, keep = e.x
        word = "axis" if keep else "drop"
        if not keep and len(e.args[0].type[1]) == 1:
            return f"{op}({self.value(e.args[0])})"
        return f"{op}({self.value(e.args[0])}, {word}<{axis}>)"

    def on_scan(self, e, _):
        op, axis, reverse = e.x
        return (f"{op}({self.value(e.args[0])}, axis<{axis}>" +
                ", reverse" * reverse + ")")

    def on_helper(self, e, _):
        return f"{e.x[0].name}({self.args(e.args)})"

    def on_tiles(self, e, _):
        t, by, axis = e.x
        return f"tiles<{by_text(by)}>({t.name}, axis<{axis}>)"

    def on_inside(self, e, _):
        t, by = e.x
        return f"inside<{by_text(by)}>({t.name}, {{{self.args(e.args)}}})"

    def on_load(self, e, _):
        t, by, p = e.x
        return f"load<{by_text(by)}>({t.name}, {{{self.args(e.args)}}}{padding(p)})"

    def on_gather(self, e, _):
        t, p, mask = e.x
        masked = f", {self.value(mask)}{padding(p)}" if mask is not None else ""
        return f"gather({t.name}, lanes({self.args(e.args)}){masked})"

    #===-- Statements ----------------------------------------------------------===#

    def block(self, statements, indent):
        out = []
        for s in statements:
            out += [" " * indent + line
                    for line in getattr(self, "do_" + s[0])(*s[1:])]
        return out

    def do_let(self, name, e):
        return [f"auto {name} = {self.value(e)};"]

    def do_set(self, name, e):
        # `x = x + e` as `x += e`.
        if (e.op == "binary" and e.args[0].op == "var" and e.args[0].x[0] == name):
            return [f"{name} {e.x[0]}= {self.value(e.args[1])};"]
        return [f"{name} = {self.value(e)};"]

    def do_array(self, name, t, elements):
        return [f"{tile_type(t)} {name}[] = {{{self.args(elements)}}};"]

    def do_unroll(self, trip, count, statements):
        return ([f"for (int {trip} = 0; {trip} < {count}; ++{trip}) {{"] +
                self.block(statements, 2) + ["}"])

    def do_for(self, element, counter, low, high, step, statements):
        low_, high_, step_ = (self.value(e) for e in (low, high, step))
        if element != "idx":
            over = f"rangeOf<{element}>({low_}, {high_}, {step_})"
        elif step_ != "1":
            over = f"range({low_}, {high_}, {step_})"
        else:
            over = f"range({high_})" if low_ == "0" else f"range({low_}, {high_})"
        return ([f"for ({tile_type((element, ()))} {counter} : {over}) {{"] +
                self.block(statements, 2) + ["}"])

    def do_if(self, condition, then, otherwise):
        out = [f"if_({self.value(condition)}, [&] {{"] + self.block(then, 2)
        if otherwise is not None:
            out += ["}, [&] {"] + self.block(otherwise, 2)
        return out + ["});"]

    def do_view(self, view, kind, of, numbers_):
        def number(n):
            return self.value(n) if isinstance(n, E) else symbolic(n)
        if kind == "slice":
            offsets, sizes, steps = numbers_
            extents = ", ".join("dynamic" if isinstance(n, E) else symbolic(n) for n in sizes)
            lists = [offsets, [n for n in sizes if isinstance(n, E)], steps or ()]
            while lists and not lists[-1]:
                lists.pop()
            text = ", ".join("{" + ", ".join(number(n) for n in l) + "}" for l in lists)
            call = f"slice<{extents}>({of.name}, {text})"
        elif kind == "permute":
            call = f"permute<{numbers(numbers_)}>({of.name})"
        elif kind == "unfold":
            extents = ", ".join(symbolic(n) for n in numbers_)
            call = f"unfold<{extents}>({of.name})"
        elif kind == "fix":
            call = f"fix<{numbers_[0]}>({of.name}, {number(numbers_[1])})"
        else:
            call = f"flatten<{numbers_[0]}>({of.name})"
        return [f"auto {view.name} = {call};"]

    def do_store(self, t, by, indices, e):
        shape = "" if by is None else f"<{by_text(by)}>"
        return [f"store{shape}({t.name}, {{{self.args(indices)}}}, {self.value(e)});"]

    def do_update(self, t, by, indices, p, name, e):
        return [f"auto {name}_piece = claim<{by_text(by)}>({t.name}, "
                f"{{{self.args(indices)}}});",
                f"auto {name} = load({name}_piece{padding(p)});",
                f"store({name}_piece, {self.value(e)});"]

    def do_atomic(self, t, by, indices, e):
        return [f"atomic<{by_text(by)}>({t.name}, {{{self.args(indices)}}}, "
                f"{self.value(e)});"]

    def do_scatter(self, t, coordinates, e, mask):
        f = "atomicScatter" if t.mode.startswith("atomic") else "scatter"
        masked = f", {self.value(mask)}" if mask is not None else ""
        return [f"{f}({t.name}, lanes({self.args(coordinates)}), "
                f"{self.value(e)}{masked});"]

    def do_prove(self, e, text):
        return [f'prove({self.value(e)}, "{text}");']

    def run(self):
        k = self.kernel
        out = []
        for h in k.helpers:
            parameters = ", ".join(f"const auto &{p}" for p in h.parameters)
            out += [f"static auto {h.name}({parameters}) {{",
                    f"  return {self.value(h.result)};", "}"]
        out += [f"struct {k.name} {{"]
        for a in k.arguments:
            if isinstance(a, Tensor):
                extents = ", ".join(symbolic(e) for e in a.extents)
                out.append(f"  {MODES[a.mode]}<{a.element}, {extents}> {a.name};")
            else:
                out.append(f"  Scalar<{a[1]}> {a[0]};")
        out.append("  void operator()() {")
        for sign, x, y in k.requires:
            out.append(f"    require({symbolic(x, 3.5)} {sign} {symbolic(y, 3.5)});")
        for fact, t, es in k.givens:
            out.append(f"    given({fact}({', '.join([t.name] + [symbolic(e) for e in es])}));")
        grid = f"grid({', '.join(symbolic(e) for e in k.grid)})"
        out.append(f"    auto [{', '.join(k.ids)}] = {grid};")
        out += self.block(k.body, 4)
        return "\n".join(out + ["  }", "};", ""])


def print_cpp(kernel):
    return Printer(kernel).run()
