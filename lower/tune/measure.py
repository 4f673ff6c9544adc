# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures an archive into a journal: at each launch the results first, then
batches of successive halving. All that is measured comes from a bench:

  bench.device() -> dict              name and properties of the device
  bench.session(plan, launch, folder, ids)
                                      a context manager, with
      check(id) -> (wrong, message)   elements unlike the incumbent's; the first
                                      candidate is the incumbent
      time(id) -> (microseconds, repeats)
"""

import datetime
import time

from . import archive, halving
from .errors import Failed, Unfinished
from .journal import canonical
from .progress import Progress

METHOD = 2  # of measuring; records of another one are those of another tool


def _candidates(plan, number):
    """Those that are measured at a launch, the incumbent first."""
    return [{**c, "kernel": archive.identity(c)} for c in plan["candidates"]
            if number in c["launches"]]


def right_ones(journal, context, launch, candidates):
    """The candidates that are not known to be wrong there, and whether each has
    been checked."""
    known = journal.checks(context, launch, candidates[0])
    right = [c for c in candidates if not known.get(c["kernel"], (0,))[0]]
    return right, all(c["kernel"] in known for c in candidates[1:])


def samples_by_id(journal, context, launch, candidates):
    names = {c["kernel"]: c["id"] for c in candidates}
    return {(names[k], r, n): us for (k, r, n), us in
            journal.samples(context, names, launch).items()}


class Measurement:
    def __init__(self, plan, folder, journal, bench, runtime, seed=1,
                 seconds=None, clock=time.monotonic, progress=None):
        self.plan, self.folder, self.journal = plan, folder, journal
        self.bench, self.seed, self.clock = bench, seed, clock
        self.stop = None if seconds is None else clock() + seconds
        device = bench.device()
        now = datetime.datetime.now(datetime.timezone.utc)
        self.context = journal.context(
            device, {**plan["tools"], **runtime, "method": METHOD},
            now.strftime("%Y-%m-%dT%H:%M:%SZ"))
        # In the plan's order: whatever time there is, tuned and held out ones
        # are measured in the same proportion.
        self.launches = range(len(plan["launches"]))
        self.progress = progress or Progress("batches", self.total())
        self.wrong = {}

    def total(self):
        return sum(halving.total(len(_candidates(self.plan, k)))
                   for k in self.launches)

    def foreign(self):
        """Records of the journal that are not used: of another device, tool or
        kernel."""
        own = {archive.identity(c) for c in self.plan["candidates"]}
        return (self.journal.count() -
                self.journal.count_of(self.context, own))

    def check(self, session, launch, candidates):
        known = self.journal.checks(self.context, launch, candidates[0])
        for c in candidates[1:]:
            if c["kernel"] not in known:
                wrong, message = session.check(c["id"])
                self.journal.add_check(self.context, c, launch, candidates[0],
                                       wrong, message)

    def batch(self, session, launch, by_id, batch):
        """Measures what a batch lacks and commits it; the samples."""
        number, index, names = batch
        times = {name: session.time(name) for name in names}
        beside = times[next(iter(by_id))][0]
        self.journal.add(self.context, launch, [
            (by_id[name], number, index, microseconds, beside, repeats)
            for name, (microseconds, repeats) in times.items()])
        return {(name, number, index): microseconds / beside
                for name, (microseconds, _) in times.items()}

    def launch(self, number):
        launch = self.plan["launches"][number]["values"]
        candidates = _candidates(self.plan, number)
        incumbent, key = candidates[0]["id"], canonical(launch)
        by_id = {c["id"]: c for c in candidates}

        samples = samples_by_id(self.journal, self.context, launch, candidates)

        def missing():
            return halving.next_batch(samples, [c["id"] for c in right],
                                      incumbent, self.seed, key)
        right, checked = right_ones(self.journal, self.context, launch,
                                    candidates)
        if not checked or missing():
            with self.bench.session(self.plan, launch, self.folder,
                                    list(by_id)) as session:
                self.check(session, launch, candidates)
                right, _ = right_ones(self.journal, self.context, launch,
                                      candidates)
                while batch := missing():
                    samples.update(self.batch(session, launch, by_id, batch))
                    self.progress.step(f"{key} round {batch[0] + 1}, "
                                       f"{len(batch[2])} candidates", line=False)
                    if self.stop is not None and self.clock() > self.stop:
                        raise Unfinished("tile-tune: the time is over; the "
                                         "same command goes on")
            self.progress.step(f"{key}: {len(right)} candidates", count=0)
        known = self.journal.checks(self.context, launch, candidates[0])
        for c in candidates[1:]:
            wrong, message = known[c["kernel"]]
            if wrong:
                self.wrong.setdefault(c["id"], []).append(f"{key}: {message}")

    def run(self):
        for number in self.launches:
            self.launch(number)
        self.progress.end()
        if self.wrong:
            raise Failed("\n".join(
                f"tile-tune: error: {name} is wrong at {len(found)} of the "
                f"launches, at {found[0]}"
                for name, found in self.wrong.items()))
