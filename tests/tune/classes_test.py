# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Classes that are found, from tables of times: cliffs of rounds over the
multiprocessors, of alignment and of bounds; noise, equal candidates, candidates
that are hardly admitted; what is emitted against the tree it comes from."""

import json
import math
import os
import pathlib
import random
import tempfile
import unittest
from fractions import Fraction

from measure_test import Held
from parts import DEVICE, Bench, Tools, kernel_text, make_plan, run
from tune import bounds, choose, classes, expression, kernel, plan as plan_of, \
    retune, space, splits, tree

DRAWS = int(os.environ.get("GIRIH_DRAWS", "4"))
TILES = {"wide": (128, 256), "square": (128, 128), "small": (64, 64),
         "aligned": (128, 128), "short": (16, 1024)}
COST = {"wide": 1.7, "square": 1.0, "small": 0.3, "aligned": 0.8, "short": 0.4}
REQUIRES = {"aligned": "mod(N, 8) == 0", "short": "N <= 1000"}
# Tiles by the body: the grid has more blocks than tiles.
BODY = """  %t = tile.partition %y by [{}, {}] : !Y
"""


def source(name):
    rows, columns = TILES[name]
    text = kernel_text(name, f"ceildiv(M, {rows}), 2 * ceildiv(N, {columns})",
                       requires=REQUIRES.get(name, ""))
    return text.replace("{\n}", "{\n" + BODY.format(rows, columns) + "}")


def rounds(name, launch):
    """What is modelled: as many tiles as there are multiprocessors take as long
    as one of them."""
    rows, columns = TILES[name]
    count = math.ceil(launch["M"] / rows) * math.ceil(launch["N"] / columns)
    return 5 + 20 * COST[name] * math.ceil(count / 132)


def space_of(seed, count=450, **more):
    return {"draw": {"seed": seed, "count": count, "M": [256, 8192],
                     "N": [256, 16384], "elements": 1 << 27}, **more}


class Found(Held):
    def tuned(self, names, times, noise=0.0, seed=1, count=450):
        """The plan, its choice, and the list of variants as it is printed."""
        plan = make_plan(self.folder, {n: source(n) for n in names},
                         **space_of(seed, count))
        draw = random.Random(seed)
        measured = [{c.id: times(c.id, x.values) * (1 + draw.gauss(0, noise))
                     for c in plan.candidates if k in c.launches}
                    for k, x in enumerate(plan.launches)]
        found = choose.found(plan, measured)
        text, _ = choose.emit(plan, found)
        return (plan, {"variants": [
            {"candidate": v.candidate.id, "when": list(v.when)} for v in found],
            "regret": choose.table(plan, measured, found)},
            kernel.choices(text) or [("chosen", ())])

    def written(self, plan, times, seed=1):
        """The same from measurements in a journal."""
        journal = self.journal(f"j{seed}")
        run(plan, journal, Bench(times, seed=seed), seed=seed)
        _, written = self.choose(plan, journal)
        text = (self.folder / "out/chosen.mlir").read_text()
        return written, kernel.choices(text) or [("chosen", ())]

    def regret(self, written, use="hold"):
        return choose.total(written["regret"])[use]

    def beyond(self, plan, written):
        """What is chosen for held-out launches over the best, without noise."""
        for x in plan.launches:
            if x.use == plan_of.HOLD:
                chosen = next(v["candidate"] for v in written["variants"] if all(
                    space.holds(t, x.values) for t in v["when"]))
                yield rounds(chosen, x.values) / min(
                    rounds(c.id, x.values) for c in plan.candidates
                    if not kernel.refusal(c.contract, x.values))

    def check_list(self, plan, written, listed, seed):
        """The printed guards against what the choice says, at launches that
        nobody measured: the first guard that holds is of a kernel that admits the
        launch, and no guard leaves 128 bits at the largest extents."""
        contracts = {c.id: c.contract for c in plan.candidates}
        chosen = [v["candidate"] for v in written["variants"]]
        self.assertEqual(listed[-1][1], ())
        self.assertEqual([list(w) for _, w in listed],
                         [v["when"] for v in written["variants"]])
        draw = random.Random(seed)
        for _ in range(500):
            values = {"M": draw.randrange(1, 9000), "N": draw.choice(
                [draw.randrange(1, 20000), 8 * draw.randrange(1, 2500),
                 draw.randrange(990, 1010)])}
            k = next(k for k, (_, when) in enumerate(listed)
                     if all(space.holds(t, values) for t in when))
            self.assertIsNone(kernel.refusal(contracts[chosen[k]], values))
        for m, n in ((1 << 40, 1 << 8), (1 << 24, 1 << 24), (1, 1 << 40)):
            for _, when in listed:
                for text in when:
                    space.holds(text, {"M": m, "N": n})  # raises beyond them

    def test_cliffs(self):
        """Held-out regret below the bounds where rounds, alignment and a bound
        decide."""
        for seed in range(1, DRAWS + 1):
            with self.subTest(seed):
                plan, written, listed = self.tuned(list(TILES), rounds,
                                                   noise=0.003, seed=seed)
                held = self.regret(written)
                self.assertEqual(held["launches"], 150)
                self.assertLessEqual(held["mean"], choose.MAX_MEAN)
                # At most a launch in ten lies between bounds that were measured.
                self.assertLessEqual(sum(
                    x > choose.MAX_WORST for x in self.beyond(plan, written)),
                    15)
                single = min(self.alone(plan, c) for c in ("wide", "square",
                                                           "small"))
                self.assertGreater(single, 1.1)
                self.check_list(plan, written, listed, seed)

    def test_one_cliff(self):
        """Of alignment and of a bound alone: found exactly."""
        def times(name, launch):
            return {"wide": 10.0, "aligned": 6.0, "short": 5.0}[name]
        plan, written, listed = self.tuned(["wide", "aligned", "short"], times)
        self.assertLessEqual(len(listed), 4)
        self.assertEqual({w for _, when in listed for w in when},
                         {"N <= 1000", "mod(N, 8) == 0"})
        for use in (plan_of.TUNE, plan_of.HOLD):
            self.assertAlmostEqual(self.regret(written, use)["worst"], 1.0)
        self.check_list(plan, written, listed, 1)

    def test_rounds_are_found(self):
        """Tiles that fill the last round or do not: within the bounds, the worst
        one but once in twenty."""
        worst = []
        for seed in range(1, DRAWS + 1):
            for names in (["wide", "square"], ["wide", "square", "small"]):
                plan, written, listed = self.tuned(names, rounds, seed=seed,
                                                   noise=0.003)
                held = self.regret(written)
                self.assertLessEqual(held["mean"], 1.005)
                worst.append(held["worst"])
                self.assertIn("132", "".join(w for _, when in listed
                                             for w in when))
                self.check_list(plan, written, listed, seed)
        self.assertLessEqual(sum(w > choose.MAX_WORST for w in worst),
                             len(worst) // 20)

    def alone(self, plan, name):
        over = []
        for x in plan.launches:
            times = [rounds(c.id, x.values) for k, c in
                     enumerate(plan.candidates) if not kernel.refusal(
                         c.contract, x.values)]
            over.append(rounds(name, x.values) / min(times))
        return choose.geometric_mean(over)

    def test_all_equal(self):
        _, written, _ = self.tuned(["wide", "square", "short"],
                                   lambda *_: 10.0)
        self.assertEqual([v["candidate"] for v in written["variants"]],
                         ["wide"])

    def test_noise(self):
        """Candidates that are equal but for noise of a fiftieth make no long
        list."""
        for seed in range(1, DRAWS + 1):
            _, written, _ = self.tuned(
                ["wide", "square", "small", "short"], lambda *_: 10.0,
                noise=0.02, seed=seed, count=150)
            self.assertLessEqual(len(written["variants"]), 12)

    def test_one_launch(self):
        """Then the best of those that need nothing, whatever they are called."""
        plan = make_plan(self.folder, {n: source(n) for n in TILES},
                         launches=[{"M": 512, "N": 2048}])
        written, listed = self.written(plan, rounds)
        self.assertEqual(len(listed), 1)
        self.assertEqual(written["variants"][0]["candidate"], "small")
        self.assertEqual(self.regret(written, "tune")["launches"], 1)

    def test_hardly_admitted(self):
        """A candidate that admits no launch is pruned, one that admits two is
        never chosen: what two launches say is no class."""
        texts = {n: source(n) for n in ("wide", "square")}
        texts["never"] = kernel_text("never", requires="N > 20000")
        texts["twice"] = kernel_text("twice", requires="N == 4096, M == 77")
        plan = make_plan(self.folder, texts, **space_of(
            1, launches=[{"M": 77, "N": 4096}]))
        self.assertIn("no launch that it admits", dict(plan.pruned)["never"])
        written, _ = self.written(
            plan, lambda n, x: 1.0 if n == "twice" else rounds(n, x))
        self.assertNotIn("twice", [v["candidate"] for v in written["variants"]])

    def test_held_out_is_not_looked_at(self):
        """Other times at launches that are held out change no choice."""
        plan = make_plan(self.folder, {n: source(n) for n in TILES},
                         **space_of(1, count=120))
        held = [x.values for x in plan.launches if x.use == plan_of.HOLD]
        self.assertEqual(len(held), 40)
        _, first = self.written(plan, rounds)
        _, second = self.written(plan, lambda n, x: 40.0 - rounds(n, x) / 99
                                 if x in held else rounds(n, x), seed=2)
        self.assertEqual(first, second)

    def test_listed_ones_count_more(self):
        """What is listed is chosen well, though drawn launches beside it would
        rather have another."""
        listed = [{"M": m, "N": 2048} for m in (1000, 2000, 3000, 4000)]
        plan = make_plan(self.folder, {n: source(n) for n in ("wide", "square")},
                         **space_of(1, count=150, launches=listed))

        def times(name, launch):
            if launch in listed:
                return 10.0 if name == "wide" else 8.0
            return 10.0 if name == "wide" or launch["N"] > 2400 else 10.4
        written, _ = self.written(plan, times)
        rows = {r["class"]: r for r in written["regret"]}
        self.assertEqual(rows[choose.LISTED]["tune"]["launches"], 4)
        self.assertAlmostEqual(rows[choose.LISTED]["tune"]["worst"], 1.0)

    def test_another_device(self):
        """Where another device says otherwise, its records change nothing."""
        plan = make_plan(self.folder, {n: source(n) for n in TILES},
                         **space_of(1, count=60))
        written, listed = self.written(plan, rounds)
        journal = self.journal("j1")
        run(plan, journal, Bench(lambda n, x: 1 / rounds(n, x),
                                 device={**DEVICE, "name": "Table 2"}))
        _, again = self.choose(plan, journal, wanted=written["context"])
        self.assertEqual(again["variants"], written["variants"])
        # Nor do those of a source that has changed.
        changed = make_plan(self.folder, {
            n: source(n).replace("a kernel", "another") for n in TILES},
            **space_of(1, count=60))
        with self.assertRaises(retune.Malformed):
            self.choose(changed, journal, wanted=written["context"])

    def test_what_ships_stays(self):
        """A list as it ships is a choice like others: it stays where nothing that
        is found is better, and has a row of its own."""
        one, two = source("square"), source("wide")
        listed = ("tile.variants @v [@square when (ceildiv(M, 128) * "
                  "ceildiv(N, 128) <= 132), @wide]\n" + one +
                  two[two.index("tile.kernel"):])
        (self.folder / "v.mlir").write_text(listed)
        path = self.folder / "space.json"
        path.write_text(json.dumps({
            "name": "chosen", "sources": ["v.mlir"], **space_of(1, count=90)}))
        plan = plan_of.make(space.read(path), Tools())
        self.assertEqual([(n, len(w)) for n, w in plan.shipped],
                         [("square", 1), ("wide", 0)])

        def times(name, launch):
            few = (math.ceil(launch["M"] / 128) *
                   math.ceil(launch["N"] / 128)) <= 132
            return 10.0 if few == (name == "square") else 20.0
        written, printed = self.written(plan, times)
        self.assertEqual([w for _, w in printed],
                         [w for _, w in plan.shipped])
        rows = {r["class"]: r for r in written["regret"]}
        self.assertAlmostEqual(rows[choose.SHIPPED]["hold"]["worst"], 1.0)
        # With other times what ships is worse, and its row says by how much.
        written, _ = self.written(plan, lambda n, x: 30 - times(n, x), seed=2)
        rows = {r["class"]: r for r in written["regret"]}
        self.assertAlmostEqual(rows[choose.SHIPPED]["hold"]["mean"], 2.0)
        self.assertLess(rows[choose.ALL]["hold"]["mean"], 1.05)


class Trees(unittest.TestCase):
    def test_list_is_the_tree(self):
        """Random trees: the ordered list takes what the tree says."""
        for seed in range(50 * DRAWS):
            source_ = random.Random(seed)

            def drawn(depth):
                if not depth or source_.random() < 0.2:
                    return tree.Leaf(source_.randrange(4))
                name = source_.choice("MN")
                texts = [source_.choice([
                    f"{name} <= {source_.randrange(1, 40)}",
                    f"mod({name}, {source_.choice([2, 3, 8])}) == 0",
                    f"2 * ceildiv(M, 8) <= {source_.randrange(1, 5)} * "
                    "ceildiv(N, 16)"]) for _ in range(source_.randrange(1, 3))]
                return tree.Node(tuple(texts), drawn(depth - 1),
                                 drawn(depth - 1))
            found = drawn(4)
            lists = [tree.listed(t) for t in (found, tree.simplified(found))]
            lists.append(classes.merged(lists[1]))
            for _ in range(100):
                values = {"M": source_.randrange(1, 45),
                          "N": source_.randrange(1, 45)}
                for listed in lists:
                    self.assertEqual(classes.taken(listed, values),
                                     tree.leaf_of(found, values))

    def test_implied(self):
        for text, others, value in [
                ("N <= 8", ["N <= 8"], True), ("N <= 9", ["N <= 8"], True),
                ("N < 9", ["N <= 8"], True), ("N <= 7", ["N <= 8"], False),
                ("M <= 9", ["N <= 8"], False),
                ("M * N <= 9", ["M * N <= 8"], False),
                ("M * N <= 9", ["N <= 8", "M * N <= 9"], True)]:
            self.assertEqual(tree.is_implied(text, others), value, text)

    def test_bounds_between(self):
        """A bound that is found holds on its side and not on the other."""
        source_ = random.Random(1)
        whole = splits.Quantity("N", 1, (1024,))
        self.assertEqual(whole.at_most(1000, 2000), "N <= 1024")
        self.assertEqual(whole.at_most(1500, 2600), "N <= 2048")
        ratio = splits.Quantity("M", "N")
        for _ in range(2000):
            low = source_.randrange(1, 1 << source_.randrange(1, 30))
            high = low + source_.randrange(1, 1 << source_.randrange(1, 30))
            text = splits.Quantity("N").at_most(low, high)
            self.assertTrue(space.holds(text, {"N": low}))
            self.assertFalse(space.holds(text, {"N": high}))
            n = source_.randrange(1, 500)
            low = Fraction(source_.randrange(1, 500), n)
            high = low * Fraction(source_.randrange(1003, 4000), 1000)
            text = ratio.at_most(low, high)
            self.assertTrue(space.holds(text, {
                "M": low.numerator, "N": low.denominator}), text)
            self.assertFalse(space.holds(text, {
                "M": high.numerator, "N": high.denominator}), text)

    def test_fits(self):
        """What is said to stay below 128 bits does, at any extents."""
        contract = make_contract(source("wide"))
        small = splits.fits(contract, ["M", "N"])
        self.assertTrue(small(expression.parse("M * N * 4096")))
        self.assertFalse(small(expression.parse(" * ".join(["M * N"] * 3))))
        source_ = random.Random(1)
        for text in ("ceildiv(M, 16) * ceildiv(N, 32) * 100000",
                     "ceildiv(ceildiv(M, 2) * N, 132) * M"):
            parsed = expression.parse(text)
            self.assertTrue(small(parsed))
            for _ in range(200):
                m = 1 << source_.randrange(41)
                n = min((1 << 48) // m, 1 << 40)
                self.assertLess(expression.evaluate(parsed, {"M": m, "N": n}),
                                splits.MAX_MAGNITUDE)

    def test_show(self):
        """Texts of expressions are read back as what they are."""
        source_ = random.Random(1)

        def drawn(depth):
            if not depth:
                return source_.choice(["M", "N", source_.randrange(1, 99)])
            return (source_.choice(["+", "-", "*", "div", "mod", "ceildiv",
                                    "min", "max"]),
                    drawn(source_.randrange(depth)),
                    drawn(source_.randrange(depth)))
        for _ in range(1000):
            found = drawn(4)
            self.assertEqual(expression.parse(expression.show(found)), found)


def make_contract(text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "k.mlir")
        path.write_text(text)
        return kernel.read(Tools().canonical(path), "k.mlir")


class Bounds(Held):
    def test_each_side(self):
        """Each candidate has a launch that it admits, at its bound, and one
        beside it."""
        plan = make_plan(self.folder, {n: source(n) for n in TILES},
                         **space_of(1, count=6))
        drawn = 6
        sides = [x.values for x in plan.launches[:-drawn]]
        self.assertEqual({x.use for x in plan.launches[:-drawn]}, {"tune"})
        self.assertEqual([v["N"] for v in sides if 900 < v["N"] < 1100],
                         [1000, 1001])
        multiples = [v["N"] % 8 == 0 for v in sides]
        self.assertIn(True, multiples)
        self.assertIn(False, multiples)
        for c in plan.candidates[1:]:
            if c.contract.requires:
                self.assertTrue(0 < len(c.launches) < len(plan.launches))

    def test_conditions_together(self):
        """Where a candidate asks for several things, a launch beside one of its
        bounds keeps all others."""
        text = kernel_text("k", requires="N <= 256, mod(M, 64) == 0, M >= 512")
        plan = make_plan(self.folder, {"first": source("wide"), "k": text},
                         **space_of(1, count=0))
        broken = []
        for x in plan.launches:
            found = [t for t, c in plan.candidates[1].contract.requires
                     if not expression.evaluate(c, x.values)]
            self.assertLessEqual(len(found), 1, x.values)
            broken += found
        self.assertEqual(sorted(set(broken)), [
            "M >= 512", "N <= 256", "mod(M, 64) == 0"])
        self.assertIn((256, 257), [
            (a, b) for a in (x.values["N"] for x in plan.launches)
            for b in (x.values["N"] for x in plan.launches)])

    def test_out_of_reach(self):
        text = kernel_text("k", requires="N <= 99999")
        plan = make_plan(self.folder, {"first": source("wide"), "k": text},
                         **space_of(1, count=3))
        self.assertEqual(len(plan.launches), 4)  # the bound itself is too large
        self.assertEqual(bounds.launches(
            plan.space, plan.candidates[0].contract, [], []), [])

    def test_derived(self):
        more = space_of(1, count=30)
        more["draw"]["N"] = "2 * M"
        plan = make_plan(self.folder, {"first": source("wide")}, **more)
        self.assertEqual(len(plan.launches), 30)
        for x in plan.launches:
            self.assertEqual(x.values["N"], 2 * x.values["M"])


if __name__ == "__main__":
    unittest.main()
