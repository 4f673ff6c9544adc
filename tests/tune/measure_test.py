# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measuring and choosing, with a table of times in place of a GPU: halving, the
journal, what goes on after a kill, what is refused, classes and regret."""

import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from parts import (DEVICE, Bench, Journal, Killed, Measurement, Quiet, Tools,
                   archived, dump, kernel_text, make_plan, run)
from tune import choose, halving, retune
from tune.errors import Failed, Malformed, Unfinished

# Three kernels with two hints more each.
SOURCES = {"first": kernel_text("first"),
           "second": kernel_text("second", hints="sm_90 = {occupancy = 4}"),
           "short": kernel_text("short", requires="N <= 4096")}
SPACE = {"hints": {"sm_90": {"occupancy": [1, 2]}},
         "classes": ["N <= 1024", "N <= 8192"],
         "launches": [{"M": 64, "N": 1000}, {"M": 64, "N": 512},
                      {"M": 64, "N": 3000}, {"M": 64, "N": 8000},
                      {"M": 64, "N": 20000}],
         "draw": {"seed": 1, "count": 6, "M": [1, 100], "N": [16, 30000],
                  "elements": 1 << 22}}


def times(name, launch):
    """short is the best up to 1024, second with one block behind that."""
    base = 10 + launch["M"] * launch["N"] / 1e5
    return base * {
        "first": 1.0, "first+occupancy=1": 1.2, "first+occupancy=2": 1.3,
        "second": 0.95, "second+occupancy=1": 0.8, "second+occupancy=2": 0.9,
        "short": 0.5, "short+occupancy=1": 0.6,
        "short+occupancy=2": 0.7}[name] * (
            4 if name.startswith("short") and launch["N"] > 1024 else 1)


class Held(unittest.TestCase):
    def setUp(self):
        # In memory where that can be: many small commits.
        shm = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
        held = tempfile.TemporaryDirectory(dir=shm)
        self.addCleanup(held.cleanup)
        self.folder = pathlib.Path(held.name)

    def journal(self, name="j"):
        found = Journal(self.folder / f"{name}.sqlite")
        self.addCleanup(found.close)
        return found

    def plan(self, sources=SOURCES, **more):
        return make_plan(self.folder, sources, **{**SPACE, **more})

    def choose(self, plan, journal, **more):
        lines = list(retune.run(plan, Tools(), journal, self.folder / "out",
                                **more))
        written = json.loads((self.folder / "out/chosen.json").read_text())
        return lines, written


class Halving(unittest.TestCase):
    def play(self, count, incumbent=0, table=None):
        """All batches of candidates whose times are their numbers."""
        names, samples, rounds = [f"c{k}" for k in range(count)], {}, {}
        while batch := halving.next_batch(samples, names, names[incumbent], 1,
                                          "x"):
            number, index, order = batch
            rounds.setdefault(number, []).append(order)
            for name in order:
                samples[name, number, index] = (
                    table or (lambda n: 1.0 + int(n[1:])))(name)
        return rounds, samples

    def test_rounds(self):
        # Twice the best and slower goes first, then the worse half or what is a
        # quarter slower, then a tenth.
        rounds, samples = self.play(12, table=lambda n: 1 + int(n[1:]) / 8)
        self.assertEqual([len(r) for r in rounds.values()],
                         list(halving.BATCHES[:3]))
        self.assertEqual([sorted(r[0]) for r in rounds.values()], [
            sorted(f"c{k}" for k in range(12)),
            ["c0", "c1", "c2", "c3", "c4", "c5"], ["c0", "c1", "c2"]])
        self.assertEqual(halving.total(12), sum(halving.BATCHES))
        self.assertEqual(halving.estimate(samples, "c3"), 1.375)
        self.assertIsNone(halving.estimate(samples, "c99"))

    def test_incumbent_is_always_measured(self):
        rounds, _ = self.play(8, incumbent=7,
                              table=lambda n: 1 + int(n[1:]) / 100)
        self.assertEqual([sorted(r[0]) for r in rounds.values()], [
            sorted(f"c{k}" for k in range(8)),
            ["c0", "c1", "c2", "c3", "c7"], ["c0", "c1", "c2", "c3", "c7"],
            ["c0", "c1", "c2", "c3", "c7"]])

    def test_order(self):
        rounds, _ = self.play(8, table=lambda _: 1.0)
        self.assertEqual(rounds, self.play(8, table=lambda _: 1.0)[0])
        self.assertGreater(len({tuple(o) for o in rounds[3]}), 5)
        self.assertNotEqual(halving.order("abcdefgh", 1, "x", 0, 0),
                            halving.order("abcdefgh", 2, "x", 0, 0))

    def test_one_or_two(self):
        self.assertEqual(self.play(1), ({}, {}))
        self.assertEqual([len(r) for r in self.play(
            2, table=lambda _: 1.0)[0].values()], list(halving.BATCHES))
        # Who is left alone is measured no more.
        self.assertEqual([len(r) for r in self.play(2)[0].values()], [2, 3])
        self.assertEqual(halving.total(1), 0)

    def test_ties_keep_the_order(self):
        rounds, _ = self.play(11, table=lambda _: 1.0)
        self.assertEqual([sorted(r[0], key=lambda n: int(n[1:]))[-1]
                          for r in rounds.values()], ["c10", "c5", "c3", "c3"])

    def test_a_disturbed_sample_ends_nobody(self):
        names = [f"c{k}" for k in range(6)]
        samples = {(n, 0, k): 1 + int(n[1:]) / 100 for n in names
                   for k in range(2)}
        samples["c0", 0, 1] = 5.0
        self.assertIn("c0", halving.survivors(samples, names, 1))


class Choice(Held):
    def test_winners_and_table(self):
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(times))
        lines, written = self.choose(plan, journal)
        self.assertEqual([(v["candidate"], v["when"]) for v in
                          written["variants"]],
                         [("short", ["N <= 1024"]), ("second+occupancy=1", [])])
        text = (self.folder / "out/chosen.mlir").read_text()
        self.assertIn("tile.variants @chosen [@short when (N <= 1024), @second]",
                      text)
        self.assertIn("tile.kernel @second(%x: !X_2, %y: !Y_2) grid [M] "
                      "hints {sm_90 = {occupancy = 1}} {", text)
        self.assertIn("!X_1 = ", text)
        for row in written["regret"]:
            for use in ("tune", "hold"):
                if row[use]["launches"]:
                    self.assertAlmostEqual(row[use]["mean"], 1.0)
                    self.assertAlmostEqual(row[use]["worst"], 1.0)
        first, second, others, total = written["regret"][:4]
        self.assertAlmostEqual(first["tune"]["incumbent"], 2.0)
        self.assertAlmostEqual(second["tune"]["gain"], 1.25)
        self.assertEqual(others["class"], "all others")
        self.assertEqual(total["tune"]["launches"], 11)
        self.assertEqual(total["hold"]["launches"], 2)
        self.assertEqual(written["device"], DEVICE)
        self.assertEqual(written["tools"]["tile-compile"], "c")
        self.assertIn("chosen on Table 1, driver 580.1", lines)
        self.assertIn("held-out launches: within 1.02 on average and 1.10 at "
                      "worst", lines)

    def test_regret_of_a_compromise(self):
        # One class: each of two is the better one at one launch. first costs
        # 1.0 and 2.0 of the best, second 1.5 and 1.0: means 1.414 and 1.225.
        # 1.5 and 1.0 wins.
        table = {("first", 100): 10.0, ("first", 200): 20.0,
                 ("second", 100): 15.0, ("second", 200): 10.0}
        plan = make_plan(self.folder, {"first": kernel_text("first"),
                                       "second": kernel_text("second")},
                         launches=[{"M": 1, "N": 100}, {"M": 1, "N": 200}])
        journal = self.journal()
        run(plan, journal, Bench(lambda c, x: table[c, x["N"]]))
        _, written = self.choose(plan, journal)
        self.assertEqual([v["candidate"] for v in written["variants"]],
                         ["second"])
        row = written["regret"][-1]["tune"]
        self.assertAlmostEqual(row["mean"], 1.5 ** 0.5)
        self.assertAlmostEqual(row["worst"], 1.5)
        self.assertAlmostEqual(row["gain"], (2 / 1.5) ** 0.5)
        # One kernel is no list, and has the name of the space.
        text = (self.folder / "out/chosen.mlir").read_text()
        self.assertNotIn("tile.variants", text)
        self.assertIn("tile.kernel @chosen(", text)

    def test_tie_goes_to_the_incumbent(self):
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(lambda *_: 10.0))
        _, written = self.choose(plan, journal)
        self.assertEqual([v["candidate"] for v in written["variants"]],
                         ["first"])

    def test_what_requires_more_is_guarded(self):
        # short is the best wherever it runs, also in the class up to 8192.
        def best_short(name, launch):
            return 5.0 if name == "short" else 10.0
        plan = self.plan(classes=["N <= 1024", "N <= 4096", "N <= 8192"])
        journal = self.journal()
        run(plan, journal, Bench(best_short))
        _, written = self.choose(plan, journal)
        self.assertEqual(
            [(v["candidate"], v["when"]) for v in written["variants"]],
            [("short", ["N <= 1024"]), ("short", ["N <= 4096"]), ("first", [])])
        text = (self.folder / "out/chosen.mlir").read_text()
        self.assertIn("[@short when (N <= 1024), @short_2 when (N <= 4096), "
                      "@first]", text)

    def test_falls_through(self):
        # The only launch of the last class is one that short admits: others
        # take the incumbent.
        plan = make_plan(self.folder, SOURCES, classes=["N <= 4"], launches=[
            {"M": 64, "N": 4}, {"M": 64, "N": 9}])
        journal = self.journal()
        run(plan, journal, Bench(
            lambda n, _: 5.0 if n == "short" else 10.0))
        _, written = self.choose(plan, journal)
        self.assertEqual(
            [(v["candidate"], v["when"]) for v in written["variants"]],
            [("short", ["N <= 4"]), ("short", ["N <= 4096"]), ("first", [])])


class Going(Held):
    """What is killed goes on."""

    def test_kill_at_each_point(self):
        plan = self.plan(draw={**SPACE["draw"], "count": 0})
        whole = self.journal("whole")
        bench = Bench(times, noise=0.02)
        run(plan, whole, bench)
        self.assertGreater(bench.asked, 300)
        step = max(1, bench.asked // 12)
        for at in range(1, bench.asked, step):
            journal = self.journal(f"k{at}")
            with self.assertRaises(Killed):
                run(plan, journal, Bench(times, noise=0.02, kill_at=at))
            rest = Bench(times, noise=0.02)
            run(plan, journal, rest)
            self.assertEqual(dump(journal), dump(whole))
            # At most one batch and one check are measured twice.
            self.assertLessEqual(rest.asked + at - bench.asked, 10)
        again = Bench(times)
        run(plan, whole, again)
        self.assertEqual(again.asked, 0)

    def test_killed_often(self):
        plan = self.plan(draw={**SPACE["draw"], "count": 0})
        whole, journal = self.journal("whole"), self.journal()
        run(plan, whole, Bench(times, noise=0.02))
        source, kills = random.Random(1), 0
        while True:
            try:
                run(plan, journal, Bench(times, noise=0.02,
                                         kill_at=source.randrange(10, 90)))
                break
            except Killed:
                kills += 1
        self.assertGreater(kills, 5)
        self.assertEqual(dump(journal), dump(whole))

    def test_sigkill(self):
        """A process that is killed leaves whole batches."""
        code = ("import sys; sys.path.insert(0, sys.argv[1])\n"
                "import pathlib, time\n"
                "from parts import *\nfrom measure_test import *\n"
                "plan = make_plan(pathlib.Path(sys.argv[2]), SOURCES, **SPACE)\n"
                "def slow(*a):\n  time.sleep(0.003)\n  return times(*a)\n"
                "run(plan, Journal(sys.argv[3]), Bench(slow, noise=0.02))\n")
        path, kills = self.folder / "j.sqlite", 0
        source = random.Random(2)
        for _ in range(100):
            child = subprocess.Popen([
                sys.executable, "-B", "-c", code,
                str(pathlib.Path(__file__).parent), str(self.folder), str(path)])
            try:
                child.wait(source.uniform(0.2, 0.9))
                self.assertEqual(child.returncode, 0)
                break
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()
                kills += 1
                self.assertEqual(child.returncode, -signal.SIGKILL)
        else:
            self.fail("never done")
        self.assertGreater(kills, 0)
        plan, whole = self.plan(), self.journal("whole")
        run(plan, whole, Bench(times, noise=0.02))
        self.assertEqual(dump(self.journal()), dump(whole))

    def test_seconds(self):
        plan, journal, now = self.plan(), self.journal(), [0.0]

        def clock():
            now[0] += 1.0
            return now[0]
        stops = 0
        while True:
            try:
                run(plan, journal, Bench(times), seconds=25, clock=clock)
                break
            except Unfinished as error:
                self.assertEqual(error.code, 2)
                stops += 1
                if stops == 1:
                    with self.assertRaises(Unfinished) as caught:
                        self.choose(plan, journal)
                    self.assertRegex(str(caught.exception), r"\d+ of 13 "
                                     "launches are not measured to the end")
        self.assertGreater(stops, 3)
        self.choose(plan, journal)

    def test_drift(self):
        # The clock falls to a third on the way; ratios do not see it.
        class Slower(Bench):
            def session(self, *arguments):
                found = super().session(*arguments)
                inner = self.times
                self.times = lambda n, x: inner(n, x) * (1 + self.asked / 900)
                return found
        plan = self.plan(classes=[], launches=[{"M": 64, "N": 512}],
                         draw={**SPACE["draw"], "count": 0})
        journal = self.journal()
        run(plan, journal, Slower(times))
        _, written = self.choose(plan, journal)
        row = written["launches"][0]["over_incumbent"]
        self.assertLess(abs(row["short"] - 0.5), 0.01)

    def test_any_prefix_has_both_uses(self):
        plan, journal, bench = self.plan(), self.journal(), Bench(times)
        run(plan, journal, bench)
        launches = list(dict.fromkeys(x for _, x in bench.measured))
        uses = {json.dumps(x.values, sort_keys=True): x.use
                for x in plan.launches}
        # Listed ones, those at the bound of short, drawn ones.
        self.assertEqual([uses[x] for x in launches],
                         ["tune"] * 7 + ["tune", "tune", "hold"] * 2)

    def test_what_is_measured_is_enough(self):
        plan, journal = self.plan(classes=[]), self.journal()
        with self.assertRaises(Killed):
            run(plan, journal, Bench(times, kill_at=400))
        lines, written = self.choose(plan, journal)
        done = len(written["launches"])
        self.assertLess(done, 13)
        self.assertIn(f"{13 - done} of 13 launches are not measured to the end "
                      "and not used", lines)


class Foreign(Held):
    """Records of another device, source or tool do not count."""

    def test_another_device(self):
        plan, journal = self.plan(), self.journal()
        other = {**DEVICE, "name": "Table 2"}
        # There the incumbent is the best of all.
        run(plan, journal, Bench(
            lambda n, _: 1.0 if n == "first" else 9.0, device=other))
        count = len(dump(journal))
        _, written = self.choose(plan, journal)
        self.assertEqual(written["device"], other)
        bench = Bench(times)
        work = Measurement(archived(plan), "", journal, bench, {},
                           progress=Quiet())
        self.assertEqual(work.foreign(), count)
        work.run()
        alone = self.journal("alone")
        run(plan, alone, Bench(times))
        self.assertEqual(len(dump(journal)), count + len(dump(alone)))
        with self.assertRaises(Malformed) as caught:
            self.choose(plan, journal)
        self.assertIn("records of several devices", str(caught.exception))
        _, written = self.choose(plan, journal, wanted=work.context[:12])
        self.assertEqual(written["device"], DEVICE)
        self.assertEqual(written["variants"][0]["candidate"], "short")

    def test_each_property_counts(self):
        plan = self.plan(classes=[], launches=[{"M": 64, "N": 9}],
                         draw={**SPACE["draw"], "count": 0})
        for key in DEVICE:
            journal = self.journal(key)
            run(plan, journal, Bench(times, device={**DEVICE, key: 7}))
            bench = Bench(times)
            run(plan, journal, bench)
            self.assertGreater(bench.asked, 30, key)

    def test_another_source(self):
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(times))
        changed = self.plan({**SOURCES, "second": SOURCES["second"].replace(
            "a kernel", "another kernel")})
        bench = Bench(times)
        run(changed, journal, bench)
        self.assertEqual({n for n, _ in bench.measured},
                         {"first", "second", "second+occupancy=1",
                          "second+occupancy=2"})
        with self.assertRaises(Malformed) as caught:
            self.choose(self.plan({"x": kernel_text("x")}), journal)
        self.assertIn("no record of these sources", str(caught.exception))

    def test_a_source_more(self):
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(times))
        more = self.plan({**SOURCES, "last": kernel_text("last")})

        def slower(name, launch):
            # The clock fell to a half since: the incumbent's too.
            return 2 * (times(name, launch) if not name.startswith("last") else
                        0.3 * times("first", launch))
        lines, written = self.choose(more, journal)
        self.assertEqual(written["not measured"], [
            "last", "last+occupancy=1", "last+occupancy=2"])
        run(more, journal, Bench(slower))
        _, written = self.choose(more, journal)
        self.assertEqual([v["candidate"] for v in written["variants"]], ["last"])
        self.assertAlmostEqual(written["launches"][0]["over_incumbent"]["last"],
                               0.3)

    def test_another_code(self):
        # The same text, assembled to something else.
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(times))
        bench = Bench(times)
        run(plan, journal, bench, salt="new")
        self.assertGreater(bench.asked, 100)
        with self.assertRaises(Malformed) as caught:
            self.choose(plan, journal)
        self.assertIn("2 artefacts of one source", str(caught.exception))

    def test_another_tool(self):
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(times))

        class Newer(Tools):
            def hashes(self):
                return {**super().hashes(), "tile-compile": "newer"}
        with self.assertRaises(Malformed):
            list(retune.run(plan, Newer(), journal, self.folder / "out"))
        self.assertFalse((self.folder / "out").exists())

    def test_another_version(self):
        journal = self.journal()
        journal.db.execute("pragma user_version = 3")
        with self.assertRaises(Malformed) as caught:
            self.journal()
        self.assertIn("version 3: this program reads version 2",
                      str(caught.exception))

    def test_no_journal(self):
        path = self.folder / "text"
        path.write_text("no database, but long enough to be one " * 9)
        with self.assertRaises(Malformed):
            Journal(path)
        other = self.folder / "other.sqlite"
        db = sqlite3.connect(other)
        db.execute("create table t (x)")
        db.commit()
        db.close()
        with self.assertRaises(Malformed) as caught:
            Journal(other)
        self.assertIn("a database of others", str(caught.exception))
        with self.assertRaises(Malformed):
            Journal(self.folder / "missing", read_only=True)
        self.assertFalse((self.folder / "missing").exists())


class Wrong(Held):
    def test_wrong_is_never_chosen(self):
        plan, journal = self.plan(), self.journal()
        bench = Bench(times, wrong={"short", "second+occupancy=1"})
        with self.assertRaises(Failed) as caught:
            run(plan, journal, bench)
        self.assertEqual(caught.exception.code, 1)
        message = str(caught.exception)
        self.assertIn("short is wrong at ", message)
        self.assertIn('{"M": 64, "N": 1000}: 7 of 9 elements', message)
        self.assertEqual(len(message.splitlines()), 2)
        self.assertFalse({"short", "second+occupancy=1"} &
                         {n for n, _ in bench.measured})
        lines, written = self.choose(plan, journal)
        self.assertEqual([v["candidate"] for v in written["variants"]],
                         ["short+occupancy=1", "second+occupancy=2"])
        self.assertEqual(set(written["wrong"]), {"short", "second+occupancy=1"})
        self.assertIn("wrong, never chosen: short at ", "\n".join(lines))
        # It stays wrong, without being asked again.
        again = Bench(times)
        with self.assertRaises(Failed):
            run(plan, journal, again)
        self.assertEqual(again.asked, 0)

    def test_wrong_at_one_launch(self):
        class Once(Bench):
            def session(self, plan, launch, folder, names):
                self.wrong = {"short"} if launch["N"] == 512 else set()
                return super().session(plan, launch, folder, names)
        plan, journal = self.plan(), self.journal()
        with self.assertRaises(Failed) as caught:
            run(plan, journal, Once(times))
        self.assertIn("short is wrong at 1 of the launches",
                      str(caught.exception))
        _, written = self.choose(plan, journal)
        self.assertNotIn("short", [v["candidate"] for v in written["variants"]])

    def test_not_verified(self):
        plan, journal = self.plan(), self.journal()
        run(plan, journal, Bench(times))

        class Doubtful(Tools):
            def verdict(self, path):
                return {"verdict": "UNKNOWN"}
        with self.assertRaises(Failed):
            list(retune.run(plan, Doubtful(), journal, self.folder / "out"))
        self.assertEqual(os.listdir(self.folder / "out"), [])


class Plans(Held):
    def test_pruned(self):
        plan = self.plan({
            **SOURCES,
            "refuted": kernel_text("refuted", comment="REFUTED"),
            "other": kernel_text("other").replace("f32", "f16"),
            "never": kernel_text("never", requires="N <= 2"),
            "idle": kernel_text("idle", grid="ceildiv(M, 64)")},
            hints={"sm_90": {"occupancy": [1, 40]}},
            draw={**SPACE["draw"], "count": 0})
        pruned = dict(plan.pruned)
        self.assertEqual(pruned["refuted"], "not VERIFIED but REFUTED")
        self.assertTrue(pruned["other"].startswith("signature: arguments "))
        self.assertEqual(pruned["never"],
                         "no launch that it admits: it requires N <= 2")
        self.assertEqual(
            pruned["idle"], "too few blocks: at most 1 for 132 multiprocessors, "
            "where another has 64")
        self.assertEqual(pruned["first+occupancy=40"],
                         "occupancy = 40 blocks of at most 32")
        self.assertEqual([c.id for c in plan.candidates], [
            "first", "first+occupancy=1", "second", "second+occupancy=1",
            "short", "short+occupancy=1"])

    def test_own_hints_are_no_candidate_twice(self):
        plan = self.plan(hints={"sm_90": {"occupancy": [4, None]}})
        self.assertEqual([c.id for c in plan.candidates if
                          c.id.startswith("second")],
                         ["second", "second+occupancy=no"])
        self.assertNotIn("hints", next(
            c.text for c in plan.candidates if c.id == "second+occupancy=no"))


class Drawn(Held):
    """Random spaces: the choice is within noise of the best, and a kill changes
    nothing."""

    def test_random(self):
        source = random.Random(7)
        for number in range(int(os.environ.get("GIRIH_DRAWS", "4"))):
            kernels = source.randrange(2, 7)
            sources = {f"k{k}": kernel_text(f"k{k}", requires=source.choice(
                ["", "", "N <= 3000"]) if k else "") for k in range(kernels)}
            bounds = sorted(source.sample(range(200, 5000), source.randrange(3)))
            launches = [{"M": 64, "N": n} for low, high in
                        zip([16, *bounds], [*bounds, 20000])
                        for n in source.sample(range(low + 1, high), 2)]
            more = dict(classes=[f"N <= {b}" for b in bounds],
                        launches=launches, hints={"sm_90": {"occupancy": list(
                            range(1, source.randrange(2, 4)))}},
                        draw={"seed": number, "count": 3, "M": [1, 99],
                              "N": [16, 20000], "elements": 1 << 22})
            plan = make_plan(self.folder, sources, **more)
            factor = {c.id: source.uniform(0.5, 2) for c in plan.candidates}

            def exact(name, launch, factor=factor):
                return factor[name] * (5 + launch["M"] * launch["N"] / 1e5)
            noise = 0.01
            whole, journal = self.journal(f"w{number}"), self.journal(
                f"r{number}")
            run(plan, whole, Bench(exact, noise, seed=number), seed=number)
            try:
                run(plan, journal, Bench(exact, noise, number,
                                         kill_at=source.randrange(1, 900)),
                    seed=number)
            except Killed:
                run(plan, journal, Bench(exact, noise, number), seed=number)
            self.assertEqual(dump(journal), dump(whole))
            one, two = (self.choose(plan, j)[1] for j in (whole, journal))
            self.assertEqual(one, two)
            for row, launch in zip(one["launches"], plan.launches):
                able = [c.id for c in plan.candidates
                        if plan.launches.index(launch) in c.launches]
                best = min(factor[c] for c in able)
                # Whoever is chosen for a class runs at all its launches; of
                # the others it knows nothing.
                whole_class = [c.id for c in plan.candidates if all(
                    k in c.launches for k, x in enumerate(plan.launches)
                    if x.number == launch.number and x.use == "tune")]
                reach = min(factor[c] for c in whole_class)
                if row["use"] == "tune":
                    self.assertLessEqual(factor[row["chosen"]],
                                         max(reach, best) * (1 + 3 * noise))


if __name__ == "__main__":
    unittest.main()
