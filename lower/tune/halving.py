# Part of Girih, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Successive halving (Jamieson and Talwalkar, 2016) of the candidates at one
launch, as functions of what the journal has: whoever is killed reads the
journal and goes on with the batch that is missing.

A round measures those that are left, and the incumbent, one after the other in
random order, as often as the round says: a batch is once. Who is slower than
the best by more than the round's margin goes, and of the others the better half
stays: the margins shrink as the estimates grow better, so that most time goes
into the few among which the choice is.

samples: {(candidate, round, batch): its time over that of the incumbent in the
same batch}. The clock of the GPU, which drifts, is in both.
"""

import math
import random
import statistics

BATCHES = (2, 3, 4, 8)  # of each round
# What a candidate may be slower than the best after a round: the first two
# drop what is clearly slower from two and five samples, whose noise is of a few
# percent; who is within a tenth is measured to the end.
MARGINS = (1.0, 0.25, 0.1)
FEWEST = 4  # that the better half is, where so many are within the margin
MAX_ROUNDS = len(BATCHES)


def measured(left, incumbent):
    """Whom a round measures."""
    return left if incumbent in left else [incumbent, *left]


def order(names, seed, launch, number, batch):
    """The order of a batch: of a seed and of what it is for, of nothing that
    was measured."""
    found = list(names)
    random.Random(f"{seed} {launch} {number} {batch}").shuffle(found)
    return found


def estimate(samples, candidate, rounds=MAX_ROUNDS, middle=statistics.median):
    """The median over so many rounds, or None where nothing was measured."""
    found = [samples[key] for number in range(rounds)
             for batch in range(BATCHES[number])
             if (key := (candidate, number, batch)) in samples]
    return middle(found) if found else None


def survivors(samples, left, rounds):
    """Who goes on after so many rounds, in the order of `left`. By the lower
    median: a sample of two that was disturbed ends nobody."""
    found = {c: estimate(samples, c, rounds, statistics.median_low)
             for c in left}
    limit = min(found.values()) * (1 + MARGINS[rounds - 1])
    ranked = sorted((c for c in left if found[c] <= limit), key=found.get)
    kept = set(ranked[:max(math.ceil(len(left) / 2), FEWEST)])
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
        for batch in range(BATCHES[number]):
            missing = {c for c in names if (c, number, batch) not in samples}
            if missing:
                return number, batch, [
                    c for c in order(names, seed, launch, number, batch)
                    if c in missing or c == incumbent]
        if number + 1 < MAX_ROUNDS:
            left = survivors(samples, left, number + 1)
    return None


def total(count):
    """How many batches a launch of so many candidates takes."""
    return sum(BATCHES) if count > 1 else 0
