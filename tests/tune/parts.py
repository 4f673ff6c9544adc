# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the tuner share: the package, kernels as text, tools that
say what they are told, and a bench whose times are a table."""

import contextlib
import itertools
import json
import pathlib
import random
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "lower"))

from tune import archive, measure, plan as plan_of, space  # noqa: E402
from tune.journal import Journal, canonical  # noqa: E402
from tune.tools import digest  # noqa: E402

DEVICE = {"name": "Table 1", "processors": 132, "l2": 50 << 20,
          "memory": 80 << 30, "arch": "sm_90", "cuda": 13000,
          "driver": "580.1"}
HASHES = {"tile-verify": "v", "tile-compile": "c", "assembler": "a"}
KERNEL = """\
// {comment}
!X = !tile.tensor<[M, N] x f32, shared>
!Y = !tile.tensor<[M, N] x f32, out>
tile.kernel @{name}(%x: !X, %y: !Y) grid [{grid}]{requires}{hints} {{
}}
"""


def kernel_text(name, grid="M", requires="", hints="", comment="a kernel"):
    return KERNEL.format(
        name=name, grid=grid, comment=comment,
        requires=f" requires [{requires}]" if requires else "",
        hints=f" hints {{{hints}}}" if hints else "")


class Tools:
    """tile-opt, tile-verify: aliases are replaced, and everything is VERIFIED
    but what a comment says."""

    def hashes(self):
        return dict(HASHES)

    def canonical(self, path):
        text = pathlib.Path(path).read_text()
        for name, type in re.findall(r"^(!\w+) = (.*)$", text, re.M):
            text = re.sub(rf"{name}\b(?! =)", lambda _: type, text)
        return text[text.index("tile.kernel"):]

    def verdict(self, path):
        text = pathlib.Path(path).read_text()
        found = re.match(r"// (REFUTED|UNKNOWN)", text)
        return {"verdict": found[1] if found else "VERIFIED"}


class Killed(Exception):
    """Where a test kills the measurement."""


class Bench:
    """times: (candidate, launch) -> microseconds. noise: as a part of a time,
    from the seed, the candidate, the launch and how often it was asked: as long
    as that is in the journal, and no other order. wrong: candidates."""

    def __init__(self, times, noise=0.0, seed=1, wrong=(), kill_at=None,
                 device=None):
        self.times, self.noise, self.seed = times, noise, seed
        self.wrong, self.kill_at, self.asked = set(wrong), kill_at, 0
        self.properties = dict(device or DEVICE)
        self.measured = []

    def device(self):
        return self.properties

    @contextlib.contextmanager
    def session(self, plan, launch, folder, names):
        yield Session(self, launch)


class Session:
    def __init__(self, bench, launch):
        self.bench, self.launch = bench, launch

    def tick(self):
        self.bench.asked += 1
        if self.bench.asked == self.bench.kill_at:
            raise Killed

    def check(self, name):
        self.tick()
        return (7, "7 of 9 elements") if name in self.bench.wrong else (0, "")

    def time(self, name, place=""):
        self.tick()
        self.bench.measured.append((name, canonical(self.launch)))
        source = random.Random(f"{self.bench.seed} {name} "
                               f"{canonical(self.launch)} {place}")
        return (self.bench.times(name, self.launch) *
                (1 + source.gauss(0, self.bench.noise))), 3


class Measurement(measure.Measurement):
    """Its bench is told which sample it is, so that the noise of one does not
    depend on when it is taken."""

    def batch(self, session, launch, by_id, batch):
        place = batch[:2]
        inner = session.time
        session.time = lambda name: inner(name, place)
        try:
            return super().batch(session, launch, by_id, batch)
        finally:
            session.time = inner


class Quiet:
    def step(self, *_, **__):
        pass

    say = step

    def end(self):
        pass


def write_space(folder, sources, **more):
    """A space file with kernels of the given texts by name."""
    for name, text in sources.items():
        (folder / f"{name}.mlir").write_text(text)
    path = folder / "space.json"
    path.write_text(json.dumps({"name": "chosen", "sources": [
        f"{n}.mlir" for n in sources], **more}))
    return path


def make_plan(folder, sources, **more):
    return plan_of.make(space.read(write_space(folder, sources, **more)),
                        Tools())


def archived(plan, salt=""):
    """plan.json of artefacts that nobody compiled."""
    states = {c.id: {"text": c.text_digest, "proof": digest(b"proof"),
                     "manifest": digest((salt + c.text).encode())}
              for c in plan.candidates}
    return json.loads(json.dumps(archive.contents(plan, HASHES, states)))


def run(plan, journal, bench, salt="", **more):
    """Measures a plan with a bench into a journal."""
    work = Measurement(archived(plan, salt), "", journal, bench, {}, **{
        "progress": Quiet(), **more})
    work.run()
    return work


def dump(journal):
    return sorted(journal.db.execute(
        "select kernel.id, symbols, round, batch, microseconds, beside from "
        "sample join kernel on kernel.number = kernel "
        "join launch on launch.number = launch"))


def names(count):
    return [f"k{k}" for k in itertools.islice(itertools.count(), count)]


__all__ = ["Bench", "DEVICE", "HASHES", "Journal", "Killed", "Measurement",
           "Quiet", "ROOT", "Tools", "archived", "dump", "kernel_text",
           "make_plan", "names", "run", "write_space"]
