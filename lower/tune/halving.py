# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Successive halving (Jamieson and Talwalkar, 2016) of the candidates at one
launch, as functions of what the journal has: whoever is killed reads the
journal and goes on with the batch that is missing.

A round measures those that are left, and the incumbent, one after the other in
random order, as often as the round says: a batch is once. The better half goes
on to the next round, which measures twice as often.

samples: {(candidate, round, batch): its time over that of the incumbent in the
same batch}. The clock of the GPU, which drifts, is in both.
"""

import math
import random
import statistics

FIRST = 5  # batches of the first round
MAX_ROUNDS = 6


def batches(number):
    return FIRST << number


def measured(left, incumbent):
    """Whom a round measures."""
    return left if incumbent in left else [incumbent, *left]


def order(names, seed, launch, number, batch):
    """The order of a batch: of a seed and of what it is for, of nothing that
    was measured."""
    found = list(names)
    random.Random(f"{seed} {launch} {number} {batch}").shuffle(found)
    return found


def estimate(samples, candidate, rounds=MAX_ROUNDS):
    """The median over so many rounds, or None where nothing was measured."""
    found = [samples[key] for number in range(rounds)
             for batch in range(batches(number))
             if (key := (candidate, number, batch)) in samples]
    return statistics.median(found) if found else None


def survivors(samples, left, rounds):
    """The better half after so many rounds; of equal ones the first."""
    ranked = sorted(left, key=lambda c: estimate(samples, c, rounds))
    kept = set(ranked[:math.ceil(len(left) / 2)])
    return [c for c in left if c in kept]


def next_batch(samples, candidates, incumbent, seed, launch):
    """(round, batch, order) of what is to be measured next; None at the end.
    The order leaves out what was measured, as where candidates were added since;
    the incumbent is in all."""
    left = list(candidates)
    for number in range(MAX_ROUNDS):
        if len(left) < 2:
            return None
        names = measured(left, incumbent)
        for batch in range(batches(number)):
            missing = {c for c in names if (c, number, batch) not in samples}
            if missing:
                return number, batch, [
                    c for c in order(names, seed, launch, number, batch)
                    if c in missing or c == incumbent]
        left = survivors(samples, left, number + 1)
    return None


def total(count):
    """How many batches a launch of so many candidates takes."""
    found = number = 0
    while count > 1 and number < MAX_ROUNDS:
        found += batches(number)
        count, number = math.ceil(count / 2), number + 1
    return found
