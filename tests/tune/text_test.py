# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Texts of the tuner: space files and what is wrong with them, expressions,
kernels that are read and edited."""

import array
import json
import pathlib
import random
import tempfile
import unittest

from parts import ROOT, Tools, kernel_text, make_plan, write_space
from tune import contents, cost, expression, kernel, located, space
from tune import plan as plan_of
from tune.errors import Malformed

K = {"a": kernel_text("a")}
FINE = {"launches": [{"M": 4, "N": 8}]}


class Located(unittest.TestCase):
    def read(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(text)
            file.flush()
            try:
                return located.read(file.name)
            except Malformed as error:
                self.assertEqual(error.code, 3)
                return str(error).removeprefix(file.name + ":")

    def test_values_and_places(self):
        value, places = self.read('{"a": [1, -2.5e1,\n  {"b": "x\\ny"}], '
                                  '"c": null}')
        self.assertEqual(value, {"a": [1, -25.0, {"b": "x\ny"}], "c": None})
        self.assertEqual(places[("a", 1)], (1, 11))
        self.assertEqual(places[("a", 2, "b")], (2, 9))

    def test_errors(self):
        for text, message in {
                "": "1:1: error: expected a value",
                '{"a": 1': "1:8: error: expected ','",
                '{"a": 1,}': "1:9: error: expected a text in double quotes",
                '{"a": 1, "a": 2}': "1:10: error: 'a' stands twice",
                "[1 2]": "1:4: error: expected ','",
                "[1]\n[2]": "2:1: error: something behind the value",
                "[01]": "1:3: error: expected ','",
                '["\\x"]': "1:2: error: not a text: invalid \\escape",
                "[" * 30: "1:22: error: nested more than 20 deep",
                "1" * 5000: "1:1: error: a number with too many digits",
        }.items():
            self.assertEqual(self.read(text), message)

    def test_like_json(self):
        source = random.Random(1)

        def drawn(depth):
            kind = source.randrange(7 if depth else 5)
            return [None, True, source.randrange(-99, 99), source.gauss(0, 9),
                    source.choice(["", "a\"b", "é\\\u2028"]),
                    [drawn(depth - 1) for _ in range(source.randrange(4))]
                    if depth else 0,
                    {str(k): drawn(depth - 1) for k in range(source.randrange(4))}
                    if depth else 0][kind]
        for _ in range(300):
            value = drawn(4)
            text = json.dumps(value, indent=source.choice([None, 1]))
            self.assertEqual(self.read(text)[0], value, text)


class Spaces(unittest.TestCase):
    def setUp(self):
        held = tempfile.TemporaryDirectory()
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def message(self, sources=K, **more):
        path = write_space(self.folder, sources, **more)
        with self.assertRaises(Malformed) as caught:
            plan_of.make(space.read(path), Tools())
        self.assertEqual(caught.exception.code, 3)
        return str(caught.exception).removeprefix(f"{path}:")

    def test_errors(self):
        # What is given, where the message points to, and the message.
        for more, at, message in [
                ({}, '{"name', "neither 'launches' nor 'draw': nothing to "
                 "tune on"),
                ({"launches": [{"M": 1}]}, '{"M', "launches[0]: N of @a has no "
                 "value"),
                ({"launches": [{"M": 1, "N": 2, "K": 3}]}, "3}",
                 "launches[0].K: @a has no symbol K; it has M, N"),
                ({"launches": [{"M": 1.5, "N": 2}]}, "1.5",
                 "launches[0].M: M is an integer"),
                ({"launches": [{"M": 1, "N": True}]}, "true",
                 "launches[0].N: expected a number"),
                ({"launches": [{"M": 0, "N": 2}]}, '{"M', "launches[0]: the "
                 "first source does not admit it: no block"),
                ({"classes": ["N <"], **FINE}, '"N <', "classes[0]: expected a "
                 "number or a symbol and not the end in 'N <'"),
                ({"classes": ["K < 2"], **FINE}, '"K', "classes[0]: @a has no "
                 "symbol K; it has M, N"),
                ({"classes": ["N < 2"], **FINE}, '"N <', "classes[0]: no launch "
                 "to tune on is of the class 'N < 2'"),
                ({"classes": ["N < 9"], **FINE}, '{"name', "no launch to tune on "
                 "is of the class 'all others'"),
                ({"hints": {"sm": {}}, **FINE}, "{}", "hints.sm: 'sm' is no "
                 "target as sm_90 is one"),
                ({"hints": {"sm_90": {"a": [1, 1]}}, **FINE}, "1]",
                 "hints.sm_90.a[1]: 1 stands twice"),
                ({"hints": {"sm_90": {"a": [-1]}}, **FINE}, "-1",
                 "hints.sm_90.a[0]: -1 is not in [0, 1048576]"),
                ({"hints": {"sm_90": {h: list(range(11)) for h in "abcd"}},
                  **FINE}, '{"a"', "hints.sm_90: 14642 candidates of at most "
                 "10000"),
                ({"draw": {"seed": 1, "count": 1}}, '{"seed', "draw: 'elements' "
                 "is missing"),
                ({"draw": {"seed": 1, "count": 1, "elements": 9, "M": [3, 2],
                           "N": 1}}, "2]", "draw.M[1]: 2 is not in "
                 "[3, 1099511627776]"),
                ({"colour": 1, **FINE}, "1,", "colour: unknown key; known are "
                 "classes, draw, hints, launches, name, sources, tolerance"),
                ({"tolerance": {"relative": -1}, **FINE}, "-1",
                 "tolerance.relative: -1 is no tolerance"),
        ]:
            with self.subTest(message):
                found = self.message(**more)
                text = (self.folder / "space.json").read_text()
                self.assertTrue(found.startswith(
                    f"1:{text.index(at) + 1}: error: "), found)
                self.assertEqual(found.split("error: ", 1)[1], message)

    def test_sources(self):
        path = self.folder / "space.json"
        for sources, message in [
                ([], "sources: no source"),
                (["b.mlir"], "sources[0]: there is no file "
                 f"{self.folder}/b.mlir"),
                (["a.mlir", "./a.mlir"], "sources[1]: 'a' is the name of "
                 "sources[0] too")]:
            (self.folder / "a.mlir").write_text(kernel_text("a"))
            path.write_text(json.dumps({"name": "x", "sources": sources, **FINE}))
            with self.assertRaises(Malformed) as caught:
                space.read(path)
            self.assertIn(message, str(caught.exception))

    def test_hints_of_two_targets(self):
        more = {"hints": {"sm_90": {}, "sm_120": {}}, **FINE}
        self.assertIn("--arch=", self.message(**more))

    def test_first_is_refuted(self):
        self.assertIn("sources[0]: the first source is not VERIFIED but REFUTED",
                      self.message({"a": kernel_text("a", comment="REFUTED")},
                                   **FINE))

    def test_schema_knows_the_keys(self):
        schema = json.loads(
            (ROOT / "spec/schemas/space.schema.json").read_text())
        self.assertEqual(set(schema["properties"]), space.KEYS)
        self.assertEqual(set(schema["properties"]["draw"]["properties"]),
                         space.DRAW_KEYS)

    def test_schema(self):
        try:
            import jsonschema
        except ImportError:
            self.skipTest("no jsonschema")
        schema = json.loads(
            (ROOT / "spec/schemas/space.schema.json").read_text())
        check = jsonschema.Draft202012Validator(schema)
        for path in (*(ROOT / "lower/tune/spaces").glob("*.json"),
                     ROOT / "tests/tune/kernels/copy.json"):
            check.validate(json.loads(path.read_text()))
            space.read(path)
        for wrong in ({"name": "x", "sources": ["a"]},
                      {"name": "1", "sources": ["a"], "launches": []},
                      {"name": "x", "sources": [], "launches": []},
                      {"name": "x", "sources": ["a"], "launches": [], "k": 1}):
            self.assertFalse(check.is_valid(wrong), wrong)

    def test_draw(self):
        plan = make_plan(self.folder, K, draw={
            "seed": 3, "count": 40, "elements": 100_000, "M": [1, 5000],
            "N": [1, 300]})
        again = make_plan(self.folder, K, draw={
            "seed": 3, "count": 40, "elements": 100_000, "M": [1, 5000],
            "N": [1, 300]})
        self.assertEqual(plan.launches, again.launches)
        self.assertEqual([x.use for x in plan.launches],
                         (["tune", "tune", "hold"] * 14)[:40])
        shapes = [tuple(x.values.values()) for x in plan.launches]
        self.assertEqual(len(set(shapes)), 40)
        for m, n in shapes:
            self.assertTrue(1 <= m <= 5000 and 1 <= n <= 300)
            self.assertLessEqual(2 * m * n, 100_000)
        # Magnitudes alike, and multiples among them.
        self.assertGreater(sum(m < 70 for m, _ in shapes), 8)
        self.assertGreater(sum(m >= 70 for m, _ in shapes), 8)
        self.assertGreater(sum(m % 64 == 0 for m, _ in shapes), 3)


class Expressions(unittest.TestCase):
    def test_values(self):
        for text, value in {
                "1 + 2 * 3": 7, "(1 + 2) * 3": 9, "ceildiv(N, 4) - 1": 2,
                "min(N, mod(7, 4))": 3, "8 - 2 - 1": 5, "-N + 10": 0,
                "div(N, 3)": 3, "max(N, 11)": 11}.items():
            self.assertEqual(expression.evaluate(expression.parse(text),
                                                 {"N": 10}), value, text)

    def test_conditions(self):
        for text, value in {"N < 10": False, "N <= 10": True, "N == 10": True,
                            "N > 9": True, "N >= 11": False}.items():
            self.assertEqual(expression.evaluate(
                expression.parse_condition(text), {"N": 10}), value)

    def test_errors(self):
        for text in ("1 +", "(1", "f(1, 2)", "1 $", "min(1)", "N < 2", "a b"):
            with self.assertRaises(expression.BadExpression):
                expression.parse(text)
        for text in ("div(1, 0)", "mod(0 - 1, 2)", "K", " * ".join(["N"] * 40)):
            with self.assertRaises(expression.BadExpression):
                expression.evaluate(expression.parse(text), {"N": 10})


class Kernels(unittest.TestCase):
    TEXT = """\
// a "kernel" { in a comment
!X = !tile.tensor<[N, 4] x f32, own, strides [ld, 1], align = 4>
#m = 1
tile.map @m(%p) [N] -> (index) from [N] into [N] { tile.yield %p }
tile.kernel @k(%x: !X, %s: f32) symbols [P : index, pos : i32]
    grid [ceildiv(N, 4), P] requires [N <= 9, P == max(N, 2)] // { no body
    hints {sm_90 = {occupancy = 2, tma = 0}, sm_100 = {ctas = 2}} {
  tile.prove %c, "!X and @m {" : i1
  %y = tile.apply @m(%x) [%n] : !X
}
"""

    def test_contract(self):
        text = Tools().canonical
        with tempfile.NamedTemporaryFile("w", suffix=".mlir") as file:
            file.write(self.TEXT)
            file.flush()
            c = kernel.read(text(file.name), "k.mlir")
        self.assertEqual(c.name, "k")
        self.assertEqual(c.tensors[0], kernel.Tensor(
            "x", "f32", "own", ("N", 4), ("ld", 1), 4))
        self.assertEqual(c.scalars, ("s",))
        self.assertEqual(c.symbols, (("P", "index"), ("pos", "i32")))
        self.assertEqual(c.launch_symbols(), {"N", "ld", "P", "pos"})
        self.assertEqual([t for t, _ in c.requires], ["N <= 9", "P == max(N, 2)"])
        self.assertEqual(c.hints, {"sm_90": {"occupancy": 2, "tma": 0},
                                   "sm_100": {"ctas": 2}})
        values = {"N": 5, "P": 5, "ld": 6, "pos": 0}
        self.assertEqual(kernel.blocks(c, values), 10)
        self.assertIsNone(kernel.refusal(c, values))
        self.assertEqual(kernel.refusal(c, {**values, "N": 12}),
                         "it requires N <= 9")
        self.assertEqual(kernel.refusal(c, {**values, "P": 4}),
                         "it requires P == max(N, 2)")
        self.assertEqual(kernel.span(c.tensors[0], values), 4 * (4 * 6 + 3 + 1))
        self.assertEqual(kernel.span(c.tensors[0], {**values, "N": 0}), 0)

    def test_not_understood(self):
        for text in ("func.func @f() {}", "tile.variants @v [@a]\n",
                     "tile.kernel @k(%x: !tile.tensor<[N) grid [1] {",
                     "tile.kernel @k() grid [N +] {}"):
            with self.assertRaises(Malformed):
                kernel.read(text, "k.mlir")

    def test_hints(self):
        new = kernel.with_hints(self.TEXT, {"sm_90": {"tma": 1}, "sm_100": {}})
        self.assertEqual(new, self.TEXT.replace(
            "hints {sm_90 = {occupancy = 2, tma = 0}, sm_100 = {ctas = 2}} {",
            "hints {sm_90 = {tma = 1}} {"))
        bare = kernel.with_hints(self.TEXT, {"sm_90": {}})
        self.assertNotIn("hints", bare)
        self.assertEqual(
            kernel.with_hints(bare, {"sm_90": {"b": 1, "a": 2}}).count(
                "hints {sm_90 = {a = 2, b = 1}} {\n  tile.prove"), 1)

    def test_renamed(self):
        new = kernel.renamed(self.TEXT, "z", "_2")
        self.assertIn("tile.kernel @z(%x: !X_2,", new)
        self.assertIn("tile.map @m_2(", new)
        self.assertIn("tile.apply @m_2(%x) [%n] : !X_2", new)
        self.assertIn('"!X and @m {"', new)  # texts stay
        self.assertIn("#m_2 = 1", new)
        self.assertIn("!tile.tensor", new)


class Costs(unittest.TestCase):
    BODY = ("scf.for %k = %a to %b step %c iter_args(%acc = %z) -> "
            "(vector<128x256xf32>) {\n"
            "%n = tile.mma %x, %y, %acc : vector<128x64xbf16>, "
            "vector<64x256xbf16>, vector<128x256xf32>\n")

    def excess(self, arch="sm_90", **hints):
        return cost.excess(kernel.Contract(
            "k", "", (), (), (), (), (), (), {arch: hints}, self.BODY), arch)

    def test_numbers(self):
        self.assertEqual(cost.carried_bytes(self.BODY), 131072)
        self.assertEqual(cost.factor_bytes(self.BODY), 49152)

    def test_excess(self):
        self.assertIsNone(self.excess(worker_warps=8, occupancy=1))
        self.assertIsNone(self.excess())
        self.assertIsNone(self.excess("sm_999", occupancy=99))
        for hints, message in [
                ({"worker_warps": 4}, "its loop carries 32768 registers, 256 for "
                 "each of 128 threads of at most 255"),
                ({"occupancy": 3, "worker_warps": 8}, "3 blocks that carry 32768 "
                 "registers are 98304 of at most 65536"),
                ({"occupancy": 9, "worker_warps": 8},
                 "9 blocks of 8 warps are 72 of at most 64 warps"),
                ({"occupancy": 33}, "occupancy = 33 blocks of at most 32"),
                ({"ctas": 32}, "ctas = 32 in a cluster of at most 16")]:
            self.assertEqual(self.excess(**hints), message)
        self.BODY = self.BODY.replace("128x256xf32", "1xf32")
        self.assertEqual(self.excess(occupancy=5), "5 blocks with factors of "
                         "49152 bytes are 245760 of at most 233472 bytes of "
                         "shared memory")

    def test_idle(self):
        self.assertTrue(cost.is_idle(8, 32, 132))
        self.assertFalse(cost.is_idle(8, 31, 132))
        self.assertFalse(cost.is_idle(33, 1000, 132))


class Contents(unittest.TestCase):
    def test_pools(self):
        for element, bits in kernel.BITS.items():
            if element in ("i1", "index"):
                continue
            data = contents.pool(element, 1)
            # Of 4 bits two lie in a byte.
            self.assertEqual(len(data), contents.PERIOD * max(bits, 8) // 8)
        data = contents.pool("f16", 1)
        self.assertEqual(data, contents.pool("f16", 1))
        self.assertNotEqual(data, contents.pool("f16", 2))

    def test_facts(self):
        given = ("within(%i, 0, V)", "sorted(%i)", "splits(%s, N + 1) assumed")
        self.assertEqual(contents.facts(given, "i", {"V": 9}),
                         {"within": [0, 9], "sorted": []})
        self.assertEqual(contents.facts(given, "s", {"N": 4}), {"splits": [5]})
        numbers = array.array("i", contents.integers(
            "i32", 50, {"within": [3, 9], "sorted": []}, 1))
        self.assertEqual(sorted(numbers), list(numbers))
        self.assertTrue(all(3 <= n < 9 for n in numbers))
        numbers = array.array("q", contents.integers(
            "i64", 50, {"within": [0, 50], "distinct": []}, 1))
        self.assertEqual(sorted(numbers), list(range(50)))
        numbers = array.array("i", contents.integers(
            "i32", 4, {"splits": [9]}, 1))
        self.assertEqual(list(numbers), [0, 3, 6, 9])


if __name__ == "__main__":
    unittest.main()
